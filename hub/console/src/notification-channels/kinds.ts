// The types of notification channels, without the schema library that the wire file imports.
import type { NotificationChannel } from '@gatewarden/shared/wire/console/notification-channels.ts';

export const CHANNEL_KINDS = [
  'webhook',
  'chat',
  'email',
] as const satisfies readonly NotificationChannel['kind'][];
