// All SQL of rollouts.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { StoredRollout } from './rollout.ts';

const COLUMNS = sql`
  state, rings, limits, ring, ring_started_at, watched_since, checked_at, reachable_since,
  stopped_reason, started_at, started_by, updated_at, updated_by`;

/** The rollouts of these overrides. */
export async function selectRollouts(
  db: Db,
  tenantId: string,
  overrideIds: readonly string[],
): Promise<Map<string, StoredRollout>> {
  if (overrideIds.length === 0) return new Map();
  const records = await rows(
    db,
    sql<StoredRollout & { override_id: string }>`
      SELECT override_id, ${COLUMNS} FROM override_rollouts
      WHERE tenant_id = ${tenantId} AND override_id = ANY (${overrideIds}::uuid[])`,
  );
  return new Map(records.map(({ override_id, ...rollout }) => [override_id, rollout]));
}

/** Locked until the transaction ends. Before the feed, always: then nobody waits in a circle. */
export function lockRollout(
  tx: Tx,
  tenantId: string,
  overrideId: string,
): Promise<StoredRollout | null> {
  return row(
    tx,
    sql<StoredRollout>`
      SELECT ${COLUMNS} FROM override_rollouts
      WHERE tenant_id = ${tenantId} AND override_id = ${overrideId} FOR UPDATE`,
  );
}

/** Null where it does not run, or another hub process is at it. */
export function lockRunningRollout(
  tx: Tx,
  tenantId: string,
  overrideId: string,
): Promise<StoredRollout | null> {
  return row(
    tx,
    sql<StoredRollout>`
      SELECT ${COLUMNS} FROM override_rollouts
      WHERE tenant_id = ${tenantId} AND override_id = ${overrideId} AND state = 'running'
      FOR UPDATE SKIP LOCKED`,
  );
}

/** Returns the active rollouts of every tenant. */
export function selectRunning(db: Db): Promise<{ tenant_id: string; override_id: string }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; override_id: string }>`
      SELECT tenant_id, override_id FROM override_rollouts WHERE state = 'running'
      ORDER BY tenant_id, override_id`,
  );
}

/** Rollouts that stopped by themselves and that nobody has looked after; counted up to `most`. */
export async function countStoppedRollouts(
  db: Db,
  tenantId: string,
  most: number,
): Promise<number> {
  const record = await row(
    db,
    sql<{ count: number }>`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM override_rollouts r
        JOIN overrides o ON o.tenant_id = r.tenant_id AND o.override_id = r.override_id
        WHERE r.tenant_id = ${tenantId} AND r.state = 'stopped' AND NOT o.deleted
        LIMIT ${most}) stopped`,
  );
  return record?.count ?? 0;
}

export async function writeRollout(
  tx: Tx,
  tenantId: string,
  overrideId: string,
  rollout: StoredRollout,
): Promise<void> {
  await sql`
    INSERT INTO override_rollouts
      (tenant_id, override_id, state, rings, limits, ring, ring_started_at, watched_since,
       checked_at, reachable_since, stopped_reason, started_at, started_by, updated_at, updated_by)
    VALUES (${tenantId}, ${overrideId}, ${rollout.state}, ${JSON.stringify(rollout.rings)}::jsonb,
      ${JSON.stringify(rollout.limits)}::jsonb, ${rollout.ring}, ${rollout.ring_started_at},
      ${rollout.watched_since}, ${rollout.checked_at}, ${rollout.reachable_since},
      ${rollout.stopped_reason}, ${rollout.started_at}, ${rollout.started_by},
      ${rollout.updated_at}, ${rollout.updated_by})
    ON CONFLICT (tenant_id, override_id) DO UPDATE SET state = excluded.state,
      rings = excluded.rings, limits = excluded.limits, ring = excluded.ring,
      ring_started_at = excluded.ring_started_at, watched_since = excluded.watched_since,
      checked_at = excluded.checked_at, reachable_since = excluded.reachable_since,
      stopped_reason = excluded.stopped_reason, started_at = excluded.started_at,
      started_by = excluded.started_by, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`.execute(tx);
}

/** Records that a hub evaluated the rollout, and the start of the evaluations without a gap. */
export async function updateChecked(
  tx: Tx,
  tenantId: string,
  overrideId: string,
  looked: { at: Date; reachableSince: Date },
): Promise<void> {
  await sql`
    UPDATE override_rollouts SET checked_at = ${looked.at}, reachable_since = ${looked.reachableSince}
    WHERE tenant_id = ${tenantId} AND override_id = ${overrideId}`.execute(tx);
}

/** The override is gone: nobody can act on its rollout any more. */
export async function deleteRollout(tx: Tx, tenantId: string, overrideId: string): Promise<void> {
  await sql`
    DELETE FROM override_rollouts
    WHERE tenant_id = ${tenantId} AND override_id = ${overrideId}`.execute(tx);
}
