// SQL of what approvals reach that nobody has looked at: what came while they were given, and who came under them later.
import { sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { LOOKED_AT, NOBODY_YET } from '../inventory/index.ts';

export interface ApprovedProduct {
  tenant_id: string;
  entity_id: string;
}

/** So long a job may stand still without missing one. */
const LATELY = sql`now() - interval '10 minutes'`;
const IS_APPROVAL = sql`o.approval_status = 'approved' AND NOT o.deleted
  AND o.match ->> 'entity_id' IS NOT NULL`;
const HAS_BEGUN = sql`(o.effective_at > ${LATELY} AND o.effective_at <= now())`;

/**
 * What people approved by its id lately, of all tenants, and since when; null where an approval for everybody began by itself:
 * `selectUnsettled` does not tell one that is bound to more than the application, nor one over a rollout.
 */
export function selectApprovedLately(
  db: Db,
): Promise<(ApprovedProduct & { since: Date | null })[]> {
  return rows(
    db,
    sql<ApprovedProduct & { since: Date | null }>`
      SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id, min(o.updated_at) AS since
      FROM overrides o
      WHERE ${IS_APPROVAL} AND o.updated_at > ${LATELY}
      GROUP BY 1, 2
      UNION ALL
      SELECT DISTINCT o.tenant_id, o.match ->> 'entity_id', NULL::timestamptz FROM overrides o
      WHERE ${IS_APPROVAL} AND ${HAS_BEGUN} AND o.scope_kind = 'tenant'`,
  );
}

/**
 * Which devices with an application lately came under an approval of it that is not for everybody: they joined its group,
 * were moved to its person, named that person themselves, or it began. Each part begins with the few rows that are new.
 */
export function selectReachedLately(db: Db): Promise<(ApprovedProduct & { only: string[] })[]> {
  const of = sql`SELECT o.tenant_id, o.match ->> 'entity_id' AS entity_id`;
  return rows(
    db,
    sql<ApprovedProduct & { only: string[] }>`
      SELECT r.tenant_id, r.entity_id, array_agg(DISTINCT r.device_id)::text[] AS only FROM (
        ${of}, m.device_id FROM device_group_members m
        JOIN overrides o ON o.tenant_id = m.tenant_id AND o.scope_kind = 'group'
          AND o.scope_id = m.group_id::text
        WHERE m.added_at > ${LATELY} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM device_tenures t
        JOIN devices d ON d.tenant_id = t.tenant_id AND d.device_id = t.device_id
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE t.until > ${LATELY} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM devices d
        JOIN overrides o ON o.tenant_id = d.tenant_id AND o.scope_kind = 'subscriber'
          AND o.scope_id = d.subscriber_id
        WHERE d.subscriber_changed_at > ${LATELY} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, m.device_id FROM overrides o
        JOIN device_group_members m ON m.tenant_id = o.tenant_id AND m.group_id::text = o.scope_id
        WHERE o.scope_kind = 'group' AND ${HAS_BEGUN} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM overrides o
        JOIN devices d ON d.tenant_id = o.tenant_id AND d.subscriber_id = o.scope_id
        WHERE o.scope_kind = 'subscriber' AND ${HAS_BEGUN} AND ${IS_APPROVAL}
        UNION ALL
        ${of}, d.device_id FROM overrides o
        JOIN devices d ON d.tenant_id = o.tenant_id AND d.device_id::text = o.scope_id
        WHERE o.scope_kind = 'device' AND ${HAS_BEGUN} AND ${IS_APPROVAL}
      ) r
      JOIN entities e ON e.tenant_id = r.tenant_id AND e.device_id = r.device_id
        AND e.entity_id = decode(r.entity_id, 'hex') AND e.removed_at IS NULL
      GROUP BY 1, 2`,
  );
}

/** What is approved by its id and on devices, of all tenants, but of which nothing says what was seen. */
export function selectNeverLooked(db: Db, limit: number): Promise<ApprovedProduct[]> {
  return rows(
    db,
    sql<ApprovedProduct>`
      SELECT DISTINCT o.tenant_id, o.match ->> 'entity_id' AS entity_id FROM overrides o
      JOIN products p ON p.tenant_id = o.tenant_id
        AND p.entity_id = decode(o.match ->> 'entity_id', 'hex') AND p.device_count > 0
      LEFT JOIN seen_launches s ON s.tenant_id = o.tenant_id AND s.entity_id = p.entity_id
        AND s.form IN (decode(${LOOKED_AT}, 'hex'), decode(${NOBODY_YET}, 'hex'))
      WHERE ${IS_APPROVAL} AND s.form IS NULL
      LIMIT ${limit}`,
  );
}
