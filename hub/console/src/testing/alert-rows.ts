// Alerts as the hub answers them; a test names the fields that it is about.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { SELF } from './render.tsx';

const AT = '2026-03-01T10:00:00.000Z';
const DEVICE_ID = '01900000-0000-7000-8000-0000000000d1';

/** Returns an open alert about `curl`, blocked by a policy on `laptop-7`. */
export function anAlert(fields: Partial<AlertRow> = {}): AlertRow {
  return {
    alert_id: 'a1',
    device_id: DEVICE_ID,
    hostname: 'laptop-7',
    subscriber_id: 'grace',
    occurred_at: AT,
    received_at: AT,
    severity: 'high',
    action: 'block',
    code: null,
    application_name: 'curl',
    process: null,
    override_id: 'o1',
    outcome: 'ended',
    message: 'curl was ended',
    queued: false,
    state: 'open',
    acknowledged_at: null,
    acknowledged_by: null,
    assigned_to: null,
    assigned_at: null,
    resolution: null,
    resolution_comment: null,
    ...fields,
  };
}

/** Returns the fields of an alert that the signed-in user acknowledged. */
export const ACKNOWLEDGED = {
  state: 'acknowledged',
  acknowledged_at: AT,
  acknowledged_by: SELF,
} as const satisfies Partial<AlertRow>;
