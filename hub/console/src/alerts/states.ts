// The states of an alert, without the schema library that the wire file brings along.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';

export const ALERT_STATES = [
  'open',
  'acknowledged',
] as const satisfies readonly AlertRow['state'][];
