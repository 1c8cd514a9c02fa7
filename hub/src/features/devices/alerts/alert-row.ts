// An alert as the console answers it.
import type { AlertGroup, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import type { AlertGroupRecord, AlertRecord } from './store.ts';

export function alertRow(record: AlertRecord): AlertRow {
  const { sort_key: _key, ...alert } = record;
  return {
    ...alert,
    occurred_at: alert.occurred_at.toISOString(),
    received_at: alert.received_at.toISOString(),
    acknowledged_at: isoOrNull(alert.acknowledged_at),
    assigned_at: isoOrNull(alert.assigned_at),
    state: alert.acknowledged_at === null ? 'open' : 'acknowledged',
  };
}

export function groupRow(record: AlertGroupRecord): AlertGroup {
  const { group, day, count, open, first_at, last_at, last_text: _text, ...alert } = record;
  return {
    ...{ group, day, count, open },
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
    alert: alertRow(alert),
  };
}
