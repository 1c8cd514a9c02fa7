// SQL of the job that compares what approvals reached.
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import type { InstallationFilter } from './baseline-store.ts';

/**
 * Each run reads this much again. Longer than any transaction of the hub may take to commit a time that it wrote before, and
 * than clocks of hub and database may differ.
 */
const OVERLAP = sql`interval '10 minutes'`;

/** An approved app, and the devices on which it is to be compared. */
export interface ReachedApp {
  tenant_id: string;
  entity_id: string;
  filter: InstallationFilter;
}

/** Returns the time since which a run reads, and the time of the database. */
export async function selectWindow(db: Db): Promise<{ since: Date; now: Date }> {
  const record = await row(
    db,
    sql<{ since: Date; now: Date }>`
      SELECT least(coalesce(reconciled_until, now()), now()) - ${OVERLAP} AS since, now() AS now
      FROM installation`,
  );
  if (record === null) throw new Error('the database has no installation');
  return record;
}

const IS_APPROVAL = sql`o.approval_status = 'approved' AND NOT o.deleted
  AND o.match ->> 'entity_id' IS NOT NULL`;

/**
 * Returns apps with an approval that was stored since then, for devices that reported a change about that time, and apps with
 * an approval that began by time since then, for all devices.
 */
export async function selectApprovedSince(db: Db, since: Date): Promise<ReachedApp[]> {
  const records = await rows(
    db,
    sql<Omit<ReachedApp, 'filter'> & { changed_since: Date | null }>`
      SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id,
        min(o.updated_at) - ${OVERLAP} AS changed_since
      FROM overrides o WHERE ${IS_APPROVAL} AND o.updated_at > ${since}::timestamptz
      GROUP BY 1, 2
      UNION ALL
      SELECT DISTINCT o.tenant_id, o.match ->> 'entity_id', NULL::timestamptz
      FROM overrides o WHERE ${IS_APPROVAL} AND o.effective_at > ${since}::timestamptz
        AND o.effective_at <= now()`,
  );
  return records.map(({ changed_since, ...app }) => ({ ...app, filter: { since: changed_since } }));
}

/** Returns apps of devices that since then joined a group or changed their user, with approvals for that group or user. */
export async function selectMoved(db: Db, since: Date): Promise<ReachedApp[]> {
  const records = await rows(
    db,
    sql<Omit<ReachedApp, 'filter'> & { only: string[] }>`
      SELECT r.tenant_id, r.match ->> 'entity_id' AS entity_id,
        array_agg(DISTINCT r.device_id)::text[] AS only
      FROM (
        SELECT o.tenant_id, o.match, m.device_id FROM device_group_members m
        JOIN overrides o ON o.tenant_id = m.tenant_id AND o.scope_kind = 'group'
          AND o.scope_id = m.group_id::text
        WHERE m.added_at > ${since}::timestamptz AND ${IS_APPROVAL}
        UNION ALL
        SELECT o.tenant_id, o.match, d.device_id FROM devices d
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE d.subscriber_changed_at > ${since}::timestamptz AND ${IS_APPROVAL}
        UNION ALL
        SELECT o.tenant_id, o.match, d.device_id FROM device_tenures t
        JOIN devices d ON d.tenant_id = t.tenant_id AND d.device_id = t.device_id
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE t.until > ${since}::timestamptz AND ${IS_APPROVAL}
      ) r
      JOIN entities e ON e.tenant_id = r.tenant_id AND e.device_id = r.device_id
        AND e.entity_id = decode(r.match ->> 'entity_id', 'hex') AND e.removed_at IS NULL
      GROUP BY 1, 2`,
  );
  return records.map(({ only, ...app }) => ({ ...app, filter: { only } }));
}

/** Stores the end of a successful run. Repairs a time ahead of the database's. */
export async function updateReconciledUntil(db: Db, now: Date): Promise<void> {
  await sql`
    UPDATE installation
    SET reconciled_until = greatest(least(reconciled_until, now()), ${now}::timestamptz)`.execute(
    db,
  );
}
