// SQL of the list of overrides: what stands, and what was withdrawn, is over or was overtaken.
import type { OverrideState } from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/http/lists/console-lists.ts';
import { strictness } from './decided-store.ts';
import { COLUMNS, type OverrideRecord } from './store.ts';

/** Allows less, or as little and is newer: what `precedes` says of two with the same match and scope. */
const REPLACED_BY = sql`(
  SELECT n.override_id FROM overrides n
  WHERE n.tenant_id = o.tenant_id AND n.scope_kind = o.scope_kind AND n.scope_id = o.scope_id
    AND md5(n.match::text) = md5(o.match::text) AND n.match = o.match AND NOT n.deleted
    AND n.override_id <> o.override_id AND n.rollout_percent = 100
    AND (n.effective_at IS NULL OR n.effective_at <= now())
    AND (n.expires_at IS NULL OR n.expires_at > now())
    AND (${strictness(sql`n.execution_policy`)}, n.revision) > (${strictness(sql`o.execution_policy`)}, o.revision)
  ORDER BY ${strictness(sql`n.execution_policy`)} DESC, n.revision DESC LIMIT 1)`;

const EXPIRED = sql`(o.expires_at IS NOT NULL AND o.expires_at <= now())`;
const PLANNED = sql`(o.effective_at IS NOT NULL AND o.effective_at > now())`;

/** Each state without what goes before it. */
const STATES: Record<OverrideState, RawBuilder<unknown>> = {
  withdrawn: sql`o.deleted`,
  expired: sql`NOT o.deleted AND ${EXPIRED}`,
  replaced: sql`NOT o.deleted AND NOT ${EXPIRED} AND ${REPLACED_BY} IS NOT NULL`,
  planned: sql`NOT o.deleted AND NOT ${EXPIRED} AND ${PLANNED} AND ${REPLACED_BY} IS NULL`,
  in_force: sql`NOT o.deleted AND NOT ${EXPIRED} AND NOT ${PLANNED} AND ${REPLACED_BY} IS NULL`,
};

function stateOrAll(filter: { override_id?: string; state?: OverrideState }) {
  if (filter.state !== undefined) return STATES[filter.state];
  return filter.override_id === undefined ? sql`NOT o.deleted` : ANY;
}

const hasRollout = (state: Rollout['state']) => sql`EXISTS (
  SELECT 1 FROM override_rollouts r
  WHERE r.tenant_id = o.tenant_id AND r.override_id = o.override_id AND r.state = ${state})`;

export interface ListedRecord extends OverrideRecord {
  state: OverrideState;
  replaced_by: string | null;
}

/** Newest first; without a state all that were not withdrawn. */
export function selectOverrides(
  db: Db,
  tenantId: string,
  filter: {
    entity_id?: string;
    override_id?: string;
    state?: OverrideState;
    rollout?: Rollout['state'];
    among?: readonly string[] | undefined;
  },
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedRecord[]> {
  return rows(
    db,
    sql<ListedRecord>`
      SELECT ${COLUMNS}, replaced_by, CASE WHEN deleted THEN 'withdrawn'
        WHEN ${EXPIRED} THEN 'expired' WHEN replaced_by IS NOT NULL THEN 'replaced'
        WHEN ${PLANNED} THEN 'planned' ELSE 'in_force' END AS state
      FROM (SELECT o.*, CASE WHEN NOT o.deleted AND NOT ${EXPIRED} THEN ${REPLACED_BY} END
          AS replaced_by
        FROM overrides o
        WHERE o.tenant_id = ${tenantId}
          AND ${stateOrAll(filter)}
          AND ${filter.override_id === undefined ? ANY : sql`o.override_id = ${filter.override_id}`}
          AND ${filter.among === undefined ? ANY : sql`o.override_id = ANY (${filter.among}::uuid[])`}
          AND ${filter.entity_id === undefined ? ANY : sql`o.match ->> 'entity_id' = ${filter.entity_id}`}
          AND ${filter.rollout === undefined ? ANY : hasRollout(filter.rollout)}
          AND ${newestFirst(after, 'o.created_at', 'o.override_id')}
        ORDER BY o.created_at DESC, o.override_id LIMIT ${limit}) o
      ORDER BY created_at DESC, override_id`,
  );
}
