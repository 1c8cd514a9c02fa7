// An alert as the console answers it.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { isoOrNull } from '../../../platform/http/console.ts';
import type { AlertRecord } from './store.ts';

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
