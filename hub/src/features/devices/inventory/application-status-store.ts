// The status of an app, as every list, page and export shows it:
//   pending   drift is open on a device, or no override covers the whole app
//   approved, denied, ...   the status of the override that covers the whole app
// An app can be pending on a single device: that device drifted (drift/detect.ts), and its hold is a stricter override
// for this device only (drift/hold-store.ts). The override that decides on a device is found by overrides/in-force.ts.
import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the SQL expression of the status, or NULL if no override covers the app (callers show `pending`).
 * `driftedAt` is null without open drift; `decided` is the status of the override that covers the whole app.
 */
export const applicationStatus = (driftedAt: RawBuilder<unknown>, decided: RawBuilder<unknown>) =>
  sql`CASE WHEN ${driftedAt} IS NULL THEN ${decided} ELSE 'pending' END`;

/** Returns the lateral join `f` with `at`, the time since which an app `p` has open drift on a device. */
export const OPEN_DRIFT = sql`LATERAL (SELECT min(o.since) AS at FROM product_drifts o
  WHERE o.tenant_id = p.tenant_id AND o.entity_id = p.entity_id) f`;
