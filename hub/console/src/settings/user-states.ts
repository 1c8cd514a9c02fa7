// The states of a user, without the schema library that the wire file imports.

import type {
  IDENTITY_KINDS as KINDS,
  IDENTITY_SORTS as SORTS,
} from '@gatewarden/shared/wire/console/identity.ts';
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';
export const USER_STATES = ['enabled', 'disabled'] as const satisfies readonly UserRow['state'][];

export const IDENTITY_KINDS = [
  'console',
  'device',
  'gateway',
  'group',
  'request',
] as const satisfies typeof KINDS;
export const IDENTITY_SORTS = [
  ...(['email', '-email', 'device_count', '-device_count'] as const),
  ...(['last_seen_at', '-last_seen_at'] as const),
] as const satisfies typeof SORTS;
