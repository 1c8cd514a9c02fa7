// The number of open alerts in the navigation, and the alerts that are new since the page was loaded.
import type { AlertRow, AlertsList } from '@gatewarden/shared/wire/console/alerts.ts';
import { useResource } from '../api/tenant.ts';

/** Enough for "99+"; the page of alerts loads its own list. */
const COUNT_LIMIT = 100;

export function useOpenAlerts() {
  return useResource<AlertsList>('alerts', '/alerts', { state: 'open', limit: COUNT_LIMIT });
}

/** Returns the number beside "Alerts"; null without open alerts. */
export function openAlertsText(open: AlertsList | undefined): string | null {
  if (open === undefined || open.items.length === 0) return null;
  return open.next_cursor !== null || open.items.length >= COUNT_LIMIT
    ? `${COUNT_LIMIT - 1}+`
    : String(open.items.length);
}

/** Returns a unique key; alert ids are unique per device only. */
export const alertKey = (row: Pick<AlertRow, 'alert_id' | 'device_id'>): string =>
  `${row.device_id}/${row.alert_id}`;

/** Returns the name of an alert in the URL: `<alert_id>.<device_id>`. */
export const alertAddress = (row: Pick<AlertRow, 'alert_id' | 'device_id'>): string =>
  `${row.alert_id}.${row.device_id}`;

export interface SeenAlerts {
  ids: ReadonlySet<string>;
  /** The latest arrival so far; an older alert that moves up into the limited list is not new. */
  latest: string;
}

export function updateSeenAlerts(
  open: readonly AlertRow[],
  seen: SeenAlerts | null,
): { seen: SeenAlerts; fresh: AlertRow[] } {
  const fresh =
    seen === null
      ? []
      : open.filter((row) => !seen.ids.has(alertKey(row)) && row.received_at >= seen.latest);
  // RFC 3339 timestamps of the hub in UTC sort as text.
  const latest = [seen?.latest ?? '', ...open.map((row) => row.received_at)].sort().at(-1) ?? '';
  const ids = new Set([...(seen?.ids ?? []), ...open.map(alertKey)]);
  return { seen: { ids, latest }, fresh };
}
