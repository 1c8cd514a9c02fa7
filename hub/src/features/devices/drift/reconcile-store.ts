// SQL of what approvals reach that nobody has looked at: what came while they were given, and who came under them later.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';

/**
 * What is dated later than this is new, whoever committed it when. A decision, a joining or a move carries a time from
 * before it was stored, and what ingest stores beside it may end later still: it waits for up to four locks of 20 s each,
 * and some times are those of a hub's clock, which may be behind the database's. To look again costs no lock.
 */
const COMMIT_DELAY_MAX = sql`interval '10 minutes'`;
/** So long no hub may have run without missing anything. */
const DOWNTIME_MAX = sql`interval '30 days'`;
/** The release before looked each minute at ten, and an upgrade takes no day. */
const INITIAL_WINDOW = sql`interval '1 day'`;
/** No transaction of ours takes so long; a dump of the database does, and writes nothing. */
const TRANSACTION_MAX = sql`interval '10 minutes'`;

export interface ReconcileWindow {
  /** What came from then on was not looked at for sure. */
  since: Date;
  /** What carries a time before that is stored by now, or never. */
  until: Date;
}

/**
 * What is to be looked at now. The times that a transaction gives by the database's clock are never before it began: so
 * what is open now is found the next time, however late it ends.
 */
export async function selectReconcileWindow(db: Db): Promise<ReconcileWindow> {
  const record = await row(
    db,
    sql<ReconcileWindow>`
      SELECT greatest(least(coalesce(reconciled_until, now() - ${INITIAL_WINDOW}), now()) - ${COMMIT_DELAY_MAX},
          now() - ${DOWNTIME_MAX}) AS since,
        greatest(least(now(), (SELECT min(xact_start) FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend')),
          now() - ${TRANSACTION_MAX}) AS until
      FROM installation`,
  );
  if (record === null) throw new Error('the database has no installation');
  return record;
}

/** All was looked at that is dated before it. What a clock that was ahead once left there is not kept. */
export async function storeReconcileWatermark(db: Db, until: Date): Promise<void> {
  await sql`
    UPDATE installation
    SET reconciled_until = greatest(least(reconciled_until, now()), ${until}::timestamptz)`.execute(
    db,
  );
}

export interface ApprovedProduct {
  tenant_id: string;
  entity_id: string;
}

const IS_APPROVAL = sql`o.approval_status = 'approved' AND NOT o.deleted
  AND o.match ->> 'entity_id' IS NOT NULL`;

const hasBegun = (since: Date): RawBuilder<unknown> =>
  sql`(o.effective_at > ${since}::timestamptz AND o.effective_at <= now())`;

/**
 * What people approved by its id since then, of all tenants, and when; null where an approval for everybody began by itself:
 * `selectUnsettled` does not tell one that is bound to more than the application, nor one over a rollout.
 */
export function selectRecentlyApproved(
  db: Db,
  since: Date,
): Promise<(ApprovedProduct & { since: Date | null })[]> {
  return rows(
    db,
    sql<ApprovedProduct & { since: Date | null }>`
      SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id, min(o.updated_at) AS since
      FROM overrides o
      WHERE ${IS_APPROVAL} AND o.updated_at > ${since}::timestamptz
      GROUP BY 1, 2
      UNION ALL
      SELECT DISTINCT o.tenant_id, o.match ->> 'entity_id', NULL::timestamptz FROM overrides o
      WHERE ${IS_APPROVAL} AND ${hasBegun(since)} AND o.scope_kind = 'tenant'`,
  );
}

/** As an id, so that it is looked up by key: a person's is any text. */
const aimOf = (kind: 'group' | 'device') =>
  sql`CASE WHEN o.scope_kind = ${sql.lit(kind)} THEN o.scope_id::uuid END`;

/**
 * Which devices with an application since then came under an approval of it that is not for everybody: they joined its
 * group, were moved to its person, named that person themselves, or it began. Each part begins with the few rows that are
 * new.
 */
export function selectRecentlyInScope(
  db: Db,
  since: Date,
): Promise<(ApprovedProduct & { only: string[] })[]> {
  const of = sql`SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id`;
  const from = sql`${since}::timestamptz`;
  return rows(
    db,
    sql<ApprovedProduct & { only: string[] }>`
      SELECT r.tenant_id, r.entity_id, array_agg(DISTINCT r.device_id)::text[] AS only FROM (
        ${of}, m.device_id FROM device_group_members m
        JOIN overrides o ON o.tenant_id = m.tenant_id AND o.scope_kind = 'group'
          AND o.scope_id = m.group_id::text
        WHERE m.added_at > ${from} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM device_tenures t
        JOIN devices d ON d.tenant_id = t.tenant_id AND d.device_id = t.device_id
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE t.until > ${from} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM devices d
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE d.subscriber_changed_at > ${from} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, m.device_id FROM overrides o
        JOIN device_group_members m ON m.tenant_id = o.tenant_id AND m.group_id = ${aimOf('group')}
        WHERE o.scope_kind = 'group' AND ${hasBegun(since)} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM overrides o
        JOIN devices d ON d.tenant_id = o.tenant_id AND d.subscriber_id = o.scope_id
        WHERE o.scope_kind = 'subscriber' AND ${hasBegun(since)} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM overrides o
        JOIN devices d ON d.tenant_id = o.tenant_id AND d.device_id = ${aimOf('device')}
        WHERE o.scope_kind = 'device' AND ${hasBegun(since)} AND ${IS_APPROVAL}
      ) r
      JOIN entities e ON e.tenant_id = r.tenant_id AND e.device_id = r.device_id
        AND e.entity_id = decode(r.entity_id, 'hex') AND e.removed_at IS NULL
      GROUP BY 1, 2`,
  );
}
