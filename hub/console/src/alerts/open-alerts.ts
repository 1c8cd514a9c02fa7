// The open alerts that the frame counts, and which of them came in while the page was open.
import type { AlertRow, AlertsList } from '@gatewarden/shared/wire/console/alerts.ts';
import { useResource } from '../api/tenant.ts';

/** Enough to count to "99+"; the list itself is read by its page. */
const COUNTED = 100;

export function useOpenAlerts() {
  return useResource<AlertsList>('alerts', '/alerts', { state: 'open', limit: COUNTED });
}

/** The number beside "Alerts"; null where there is none to show. */
export function openAlertsText(open: AlertsList | undefined): string | null {
  if (open === undefined || open.items.length === 0) return null;
  return open.next_cursor !== null || open.items.length >= COUNTED
    ? `${COUNTED - 1}+`
    : String(open.items.length);
}

/** Each device makes its own ids, so an id alone does not name an alert. */
export const alertKey = (row: Pick<AlertRow, 'alert_id' | 'device_id'>): string =>
  `${row.device_id}/${row.alert_id}`;

/** What the URL of an alert names it by. */
export const addressOf = (row: Pick<AlertRow, 'alert_id' | 'device_id'>): string =>
  `${row.alert_id}.${row.device_id}`;

export interface SeenAlerts {
  ids: ReadonlySet<string>;
  /** The latest arrival so far: an older alert that moves up into the counted ones is not new. */
  latest: string;
}

export function lookAt(
  open: readonly AlertRow[],
  seen: SeenAlerts | null,
): { seen: SeenAlerts; fresh: AlertRow[] } {
  const fresh =
    seen === null
      ? []
      : open.filter((row) => !seen.ids.has(alertKey(row)) && row.received_at >= seen.latest);
  // RFC 3339 in UTC from the same program: text order is time order.
  const latest = [seen?.latest ?? '', ...open.map((row) => row.received_at)].sort().at(-1) ?? '';
  const ids = new Set([...(seen?.ids ?? []), ...open.map(alertKey)]);
  return { seen: { ids, latest }, fresh };
}
