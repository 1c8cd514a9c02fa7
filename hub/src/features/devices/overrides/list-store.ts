// SQL of the list of overrides: those in force, and those withdrawn, expired or superseded.
import type {
  OverrideSort,
  OverrideState,
  PolicyProduct,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, rows } from '../../../platform/db/database.ts';
import { ANY, countRows } from '../../../platform/db/list-conditions.ts';
import { strictness } from './product-decision-store.ts';
import { FIELDS, type OverrideRecord } from './store.ts';

/** The order of `precedes` for equal match and scope: the stricter policy, then the newer. */
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

export interface OverrideFilter {
  entity_id?: string;
  override_id?: string;
  state?: OverrideState;
  rollout?: Rollout['state'];
  among?: readonly string[] | undefined;
  sort?: OverrideSort;
  product_policies?: 'once';
}

const fieldConditions = (tenantId: string, filter: OverrideFilter) => sql`o.tenant_id = ${tenantId}
  AND ${stateOrAll(filter)}
  AND ${filter.override_id === undefined ? ANY : sql`o.override_id = ${filter.override_id}`}
  AND ${filter.among === undefined ? ANY : sql`o.override_id = ANY (${filter.among}::uuid[])`}
  AND ${filter.entity_id === undefined ? ANY : sql`o.match ->> 'entity_id' = ${filter.entity_id}`}
  AND ${filter.rollout === undefined ? ANY : hasRollout(filter.rollout)}`;

/** Selects the first override of each product policy in the list, independent of the surrounding query. */
const firstsOfPolicies = (tenantId: string, filter: OverrideFilter) => sql`
  SELECT DISTINCT ON (o.product_policy_id) o.override_id FROM overrides o
  WHERE ${fieldConditions(tenantId, filter)} AND o.product_policy_id IS NOT NULL
  ORDER BY o.product_policy_id, o.override_id`;

function listConditions(tenantId: string, filter: OverrideFilter) {
  const fields = fieldConditions(tenantId, filter);
  if (filter.product_policies === undefined) return fields;
  return sql`${fields} AND (o.product_policy_id IS NULL
    OR o.override_id IN (${firstsOfPolicies(tenantId, filter)}))`;
}

/** A key in descending order, with what comes after a position. */
const descending = (key: RawBuilder<unknown>, type: RawBuilder<unknown>) => ({
  key: sql`(${key})::text`,
  order: sql`${key} DESC, o.override_id`,
  after: (at: readonly string[]) => sql<boolean>`(${key} < ${at[0]}::${type}
    OR (${key} = ${at[0]}::${type} AND o.override_id > ${at[1]}::uuid))`,
});

/** A policy without an end comes last. */
const END = sql`coalesce(o.expires_at, 'infinity')`;

/** Each order of the list: its key as text, its order, and what comes after a position. */
const ORDERS = {
  '-created_at': descending(sql`o.created_at`, sql`timestamptz`),
  '-updated_at': descending(sql`o.updated_at`, sql`timestamptz`),
  '-execution_policy': descending(strictness(sql`o.execution_policy`), sql`integer`),
  expires_at: {
    key: sql`(${END})::text`,
    order: sql`${END}, o.override_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(${END}, o.override_id) > (${at[0]}::timestamptz, ${at[1]}::uuid)`,
  },
} satisfies Record<OverrideSort, unknown>;

/** Newest first where no order is chosen; without a state all that were not withdrawn. */
export function selectOverrides(
  db: Db,
  tenantId: string,
  filter: OverrideFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedRecord[]> {
  const { key, order, after: isAfter } = ORDERS[filter.sort ?? '-created_at'];
  return rows(
    db,
    sql<ListedRecord>`
      SELECT ${FIELDS}, list_key AS sort_key, replaced_by, CASE WHEN deleted THEN 'withdrawn'
        WHEN ${EXPIRED} THEN 'expired' WHEN replaced_by IS NOT NULL THEN 'replaced'
        WHEN ${PLANNED} THEN 'planned' ELSE 'in_force' END AS state
      FROM (SELECT o.*, ${key} AS list_key, CASE WHEN NOT o.deleted AND NOT ${EXPIRED} THEN ${REPLACED_BY} END
          AS replaced_by
        FROM overrides o
        WHERE ${listConditions(tenantId, filter)}
          AND ${after === undefined ? ANY : isAfter(after)}
        ORDER BY ${order} LIMIT ${limit}) o
      ORDER BY ${order}`,
  );
}

/** Returns how many policies the list has with this filter; null where they are too many to count. */
export const countOverrides = (
  db: Db,
  tenantId: string,
  filter: OverrideFilter,
): Promise<number | null> =>
  countRows(db, sql`SELECT 1 FROM overrides o WHERE ${listConditions(tenantId, filter)}`);

/** Returns the products of these product policies, by policy. */
export async function selectPolicyProducts(
  db: Db,
  tenantId: string,
  policyIds: readonly string[],
): Promise<ReadonlyMap<string, PolicyProduct>> {
  if (policyIds.length === 0) return new Map();
  const products = await rows(
    db,
    sql<PolicyProduct & { policy_id: string }>`
      SELECT p.policy_id, encode(p.product_id, 'hex') AS product_id, p.platform,
        coalesce(i.name, p.product_name) AS name,
        (SELECT count(*) FROM overrides o WHERE o.tenant_id = ${tenantId}
          AND o.product_policy_id = p.policy_id AND NOT o.deleted) AS app_count
      FROM product_policies p
      LEFT JOIN inventory_products i ON i.tenant_id = p.tenant_id AND i.product_id = p.product_id
      WHERE p.tenant_id = ${tenantId} AND p.policy_id = ANY (${[...policyIds]}::uuid[])`,
  );
  return new Map(products.map(({ policy_id, ...product }) => [policy_id, product]));
}

/** A product policy, and the platform that it is limited to; null for all platforms. */
interface OwningPolicy {
  policy_id: string;
  platform: PolicyProduct['platform'];
}

/** Returns the product policies that own any of these overrides, by override. */
export async function selectOwningPolicies(
  db: Db,
  tenantId: string,
  overrideIds: readonly string[],
): Promise<ReadonlyMap<string, OwningPolicy>> {
  const owned = await rows(
    db,
    sql<OwningPolicy & { override_id: string }>`
      SELECT o.override_id, p.policy_id, p.platform
      FROM overrides o
      JOIN product_policies p ON p.tenant_id = o.tenant_id AND p.policy_id = o.product_policy_id
      WHERE o.tenant_id = ${tenantId} AND NOT o.deleted
        AND o.override_id = ANY (${[...overrideIds]}::uuid[])`,
  );
  return new Map(owned.map(({ override_id, ...policy }) => [override_id, policy]));
}
