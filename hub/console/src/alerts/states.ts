// The states of an alert, without the schema library that the wire file imports.
import type {
  AlertRow,
  ALERT_ASSIGNED as ASSIGNED,
  ALERT_RESOLUTIONS as RESOLUTIONS,
} from '@gatewarden/shared/wire/console/alerts.ts';

export const ALERT_STATES = [
  'open',
  'acknowledged',
] as const satisfies readonly AlertRow['state'][];

export const ALERT_ASSIGNED = ['me', 'nobody'] as const satisfies typeof ASSIGNED;

/** Filters of the list by state; the default is open alerts. */
export const ALERT_STATE_FILTERS = [...ALERT_STATES, 'all'] as const;

export const ALERT_RESOLUTIONS = [
  'false_positive',
  'expected',
  'fixed',
] as const satisfies typeof RESOLUTIONS;

/** The maximum number of alerts that are resolved together. */
export const ALERTS_RESOLVED_MOST = 100;
