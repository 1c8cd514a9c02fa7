// SQL of what is done with a device as such. What other features keep of it, they take away themselves.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { NEW_EPOCH } from '../enrollment/index.ts';

export interface LifecycleDevice {
  device_id: string;
  subscriber_id: string;
  retired_at: Date | null;
  version: number;
}

/** The device, locked; null where there is none. */
export function lockDevice(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<LifecycleDevice | null> {
  return row(
    tx,
    sql<LifecycleDevice>`
      SELECT device_id, subscriber_id, retired_at, version FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} FOR UPDATE`,
  );
}

export async function raiseEpoch(tx: Tx, tenantId: string, deviceId: string): Promise<number> {
  const raised = await row(
    tx,
    sql<{ inventory_epoch: number }>`
      UPDATE devices SET ${NEW_EPOCH}
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} RETURNING inventory_epoch`,
  );
  if (raised === null) throw new Error('a locked device is gone');
  return raised.inventory_epoch;
}

/**
 * The locked device and its own tokens belong to another person from now on; whose it was until now is remembered.
 * Gives the tokens' hashes.
 */
export async function moveDevice(
  tx: Tx,
  tenantId: string,
  device: LifecycleDevice,
  subscriberId: string,
): Promise<Buffer[]> {
  const { device_id: deviceId } = device;
  const last = await row(
    tx,
    sql<{ until: Date | null }>`
      SELECT max(until) AS until FROM device_tenures
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
  await sql`
    INSERT INTO device_tenures (tenant_id, device_id, since, until, subscriber_id)
    VALUES (${tenantId}, ${deviceId}, ${last?.until ?? null},
      date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond',
      ${device.subscriber_id})`.execute(tx);
  await sql`
    UPDATE devices SET subscriber_id = ${subscriberId}, version = version + 1
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  const moved = await rows(
    tx,
    sql<{ token_hash: Buffer }>`
      UPDATE agent_tokens SET subscriber_id = ${subscriberId}
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} RETURNING token_hash`,
  );
  return moved.map((record) => record.token_hash);
}

/** Since when the device is its present person's; null where it never was anybody else's. */
export async function selectOwnedSince(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<Date | null> {
  const record = await row(
    db,
    sql<{ until: Date | null }>`
      SELECT max(until) AS until FROM device_tenures
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
  return record?.until ?? null;
}

/** SQL assignments after which nothing speaks of two machines with the device's id. */
const FORGETS_TWO = sql`
  duplicate_since = NULL, other_hostname = NULL, lower_scan = NULL, claim = NULL, claimed_at = NULL`;

/** Leaves the device's id and nothing that it may do; `shown` replaces what is still shown of it, null leaves that. */
export async function retireDevice(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  shown: { hostname: string; subscriberId: string } | null,
): Promise<Buffer[]> {
  await sql`
    UPDATE devices SET retired_at = coalesce(retired_at, ${new Date()}::timestamptz), token_bound = false,
      version = version + 1,
      hostname = coalesce(${shown?.hostname ?? null}, hostname),
      subscriber_id = coalesce(${shown?.subscriberId ?? null}, subscriber_id),
      inventory_hash = ${Buffer.alloc(32)}, inventory_version = inventory_version + 1,
      entity_count = 0, ${FORGETS_TWO}
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  const revoked = await rows(
    tx,
    sql<{ token_hash: Buffer }>`
      UPDATE agent_tokens SET revoked_at = coalesce(revoked_at, ${new Date()}::timestamptz),
        name = coalesce(${shown?.hostname ?? null}, name),
        subscriber_id = coalesce(${shown?.subscriberId ?? null}, subscriber_id)
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} RETURNING token_hash`,
  );
  return revoked.map((record) => record.token_hash);
}

/**
 * Overwrites a person's name where they have no device any more: in tokens, and in reports of refused machines. Only of
 * devices that are `locked`: one that came in since is taken by nobody out of order.
 */
export async function eraseNames(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  shown: { hostname: string; subscriberId: string; locked: readonly string[] },
): Promise<number> {
  const tokens = await rows(
    tx,
    sql`
      UPDATE agent_tokens SET name = ${shown.hostname}, subscriber_id = ${shown.subscriberId},
        revoked_at = coalesce(revoked_at, ${new Date()}::timestamptz)
      WHERE tenant_id = ${tenantId} AND subscriber_id = ${subscriberId}
        AND (device_id IS NULL OR device_id = ANY (${shown.locked}::uuid[])) RETURNING token_id`,
  );
  const claims = await rows(
    tx,
    sql`
      UPDATE devices SET claim = NULL, claimed_at = NULL
      WHERE tenant_id = ${tenantId} AND claim ->> 'subscriber_id' = ${subscriberId}
        AND device_id = ANY (${shown.locked}::uuid[]) RETURNING device_id`,
  );
  return tokens.length + claims.length;
}

export interface Tenure {
  device_id: string;
  /** Null: from the beginning. */
  since: Date | null;
  until: Date;
}

/** Forgets which devices were a person's before they were moved, and gives them. */
export function takeTenures(tx: Tx, tenantId: string, subscriberId: string): Promise<Tenure[]> {
  return rows(
    tx,
    sql<Tenure>`
      DELETE FROM device_tenures
      WHERE tenant_id = ${tenantId} AND subscriber_id = ${subscriberId}
      RETURNING device_id, since, until`,
  );
}

/** Forgets that two machines used the id. Gives since when they had; null where none was noticed. */
export async function settleDuplicate(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<Date | null> {
  const before = await row(
    tx,
    sql<{ duplicate_since: Date | null }>`
      SELECT duplicate_since FROM devices
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} FOR UPDATE`,
  );
  if (before === null || before.duplicate_since === null) return null;
  await sql`
    UPDATE devices SET version = version + 1, ${NEW_EPOCH}, ${FORGETS_TWO}
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  return before.duplicate_since;
}

export async function admitAgain(tx: Tx, tenantId: string, deviceId: string): Promise<void> {
  await sql`
    UPDATE devices SET retired_at = NULL, version = version + 1, ${NEW_EPOCH}
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}

/**
 * All devices that name a person, locked in order: their own, those for which a refused machine claimed it, and those with a
 * token of before that does. `own` are theirs.
 */
export async function lockDevicesOf(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
): Promise<{ own: string[]; locked: string[] }> {
  const named = await rows(
    tx,
    sql<{ device_id: string }>`
      SELECT device_id FROM agent_tokens
      WHERE tenant_id = ${tenantId} AND subscriber_id = ${subscriberId} AND device_id IS NOT NULL`,
  );
  const records = await rows(
    tx,
    sql<{ device_id: string; subscriber_id: string }>`
      SELECT device_id, subscriber_id FROM devices
      WHERE tenant_id = ${tenantId}
        AND (subscriber_id = ${subscriberId} OR claim ->> 'subscriber_id' = ${subscriberId}
          OR device_id = ANY (${named.map((record) => record.device_id)}::uuid[]))
      ORDER BY device_id FOR UPDATE`,
  );
  const own = records.filter((record) => record.subscriber_id === subscriberId);
  // A token may be for a device that never came.
  const locked = new Set([...records, ...named].map((record) => record.device_id));
  return { own: own.map((record) => record.device_id), locked: [...locked] };
}

export async function selectSettings(
  db: Db,
  tenantId: string,
): Promise<{ stale_after_hours: number } | null> {
  return row(
    db,
    sql<{ stale_after_hours: number }>`
      SELECT stale_after_hours FROM tenants WHERE tenant_id = ${tenantId}`,
  );
}

export async function updateSettings(
  tx: Tx,
  tenantId: string,
  settings: { stale_after_hours: number },
): Promise<void> {
  await sql`
    UPDATE tenants SET stale_after_hours = ${settings.stale_after_hours}
    WHERE tenant_id = ${tenantId}`.execute(tx);
}

/**
 * True if the device exists and this person's view of it is not in the audit trail since then. A request for the
 * same look meanwhile waits until this transaction ends: a page reads several lists at once.
 */
export async function isFirstView(
  tx: Tx,
  tenantId: string,
  view: { actorId: string; deviceId: string; since: Date },
): Promise<boolean> {
  if (await wasViewed(tx, tenantId, view)) return false;
  const look = `${tenantId}/${view.deviceId}/${view.actorId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${look}, 0))`.execute(tx);
  if (await wasViewed(tx, tenantId, view)) return false;
  const device = await row(
    tx,
    sql`SELECT 1 FROM devices WHERE tenant_id = ${tenantId} AND device_id = ${view.deviceId}`,
  );
  return device !== null;
}

async function wasViewed(
  tx: Tx,
  tenantId: string,
  view: { actorId: string; deviceId: string; since: Date },
): Promise<boolean> {
  const record = await row(
    tx,
    sql`
      SELECT 1 FROM audit_events
      WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ${view.deviceId}
        AND at > ${view.since} AND operation = 'device.view' AND actor ->> 'id' = ${view.actorId}
      LIMIT 1`,
  );
  return record !== null;
}
