// SQL of product policies and of the applications and overrides that they concern.
import type { OverrideScope } from '@gatewarden/shared/wire/console/overrides.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/db/list-conditions.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CoverableApplication, NewPolicy, PolicyRecord } from './policy-rules.ts';

const FIELDS = sql`
  policy_id, version, deleted, encode(product_id, 'hex') AS product_id, product_name, platform,
  scope_kind, scope_id, approval_status, execution_policy, severity, reason, effective_at,
  expires_at, created_at, created_by, updated_at, updated_by`;
/** With the place in a list that begins with the newest. */
const COLUMNS = sql`${FIELDS}, created_at::text AS sort_key`;
/** Sharded, RETURNING takes no text of a time. */
const WRITTEN = sql`${FIELDS}, '' AS sort_key`;

/** Rejects with `already_exists` where a policy has or had that id. */
export async function insertPolicy(
  tx: Tx,
  tenantId: string,
  policy: NewPolicy,
): Promise<PolicyRecord> {
  const stored = await row(
    tx,
    sql<PolicyRecord>`
      INSERT INTO product_policies
        (tenant_id, policy_id, version, product_id, product_name, platform, scope_kind, scope_id,
         approval_status, execution_policy, severity, reason, effective_at, expires_at, created_at,
         created_by, updated_at, updated_by)
      VALUES (${tenantId}, ${policy.policy_id}, 1, decode(${policy.product_id}, 'hex'),
        ${policy.product_name}, ${policy.platform}, ${policy.scope_kind}, ${policy.scope_id},
        ${policy.approval_status}, ${policy.execution_policy}, ${policy.severity},
        ${policy.reason}, ${policy.effective_at}, ${policy.expires_at}, ${policy.created_at},
        ${policy.created_by}, ${policy.updated_at}, ${policy.updated_by})
      ON CONFLICT (tenant_id, policy_id) DO NOTHING
      RETURNING ${WRITTEN}`,
  );
  if (stored === null) {
    throw new HubError('already_exists', 'A policy has this policy_id, or had it before.');
  }
  return stored;
}

/** Null where the version moved on meanwhile. */
export function updatePolicy(
  tx: Tx,
  tenantId: string,
  expectedVersion: number,
  after: PolicyRecord,
): Promise<PolicyRecord | null> {
  return row(
    tx,
    sql<PolicyRecord>`
      UPDATE product_policies SET version = version + 1, deleted = ${after.deleted},
        approval_status = ${after.approval_status}, execution_policy = ${after.execution_policy},
        severity = ${after.severity}, reason = ${after.reason},
        effective_at = ${after.effective_at}, expires_at = ${after.expires_at},
        updated_at = ${after.updated_at}, updated_by = ${after.updated_by}
      WHERE tenant_id = ${tenantId} AND policy_id = ${after.policy_id}
        AND version = ${expectedVersion} AND NOT deleted
      RETURNING ${WRITTEN}`,
  );
}

export function selectPolicy(
  db: Db,
  tenantId: string,
  policyId: string,
): Promise<PolicyRecord | null> {
  return row(
    db,
    sql<PolicyRecord>`
      SELECT ${COLUMNS} FROM product_policies
      WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND NOT deleted`,
  );
}

/** Returns a page of policies, newest first. */
export function selectPolicyPage(
  db: Db,
  tenantId: string,
  filter: { product_id?: string },
  after: readonly string[] | undefined,
  limit: number,
): Promise<PolicyRecord[]> {
  const { product_id: id } = filter;
  return rows(
    db,
    sql<PolicyRecord>`
      SELECT ${COLUMNS} FROM product_policies
      WHERE tenant_id = ${tenantId} AND NOT deleted
        AND ${id === undefined ? ANY : sql`product_id = decode(${id}, 'hex')`}
        AND ${newestFirst(after, 'created_at', 'policy_id')}
      ORDER BY created_at DESC, policy_id LIMIT ${limit}`,
  );
}

/** The policies in effect for these products; for all products where the ids are left out. */
export function selectPolicies(
  db: Db,
  tenantId: string,
  productIds?: readonly string[],
): Promise<PolicyRecord[]> {
  return rows(
    db,
    sql<PolicyRecord>`
      SELECT ${COLUMNS} FROM product_policies
      WHERE tenant_id = ${tenantId} AND NOT deleted
        AND ${productIds === undefined ? ANY : sql`product_id = ANY (${bytesOf(productIds)}::bytea[])`}
      ORDER BY policy_id`,
  );
}

/** Tenants that have a policy for a product. */
export async function selectPolicyTenants(db: Db): Promise<string[]> {
  const tenants = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM product_policies WHERE NOT deleted`,
  );
  return tenants.map((tenant) => tenant.tenant_id);
}

/** Returns the names of those of these products that the tenant has, by id. */
export async function selectProductNames(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const products = await rows(
    db,
    sql<{ product_id: string; name: string }>`
      SELECT encode(product_id, 'hex') AS product_id, name FROM inventory_products
      WHERE tenant_id = ${tenantId} AND product_id = ANY (${bytesOf(productIds)}::bytea[])`,
  );
  return new Map(products.map((product) => [product.product_id, product.name]));
}

export interface ProductMember extends CoverableApplication {
  product_id: string;
}

const MEMBER = sql`encode(entity_id, 'hex') AS entity_id, encode(product_id, 'hex') AS product_id, platform`;

/** All applications of these products, whether or not a device has them now. */
export function selectMembers(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<ProductMember[]> {
  return rows(
    db,
    sql<ProductMember>`
      SELECT ${MEMBER} FROM products
      WHERE tenant_id = ${tenantId} AND product_id = ANY (${bytesOf(productIds)}::bytea[])
      ORDER BY products.entity_id`,
  );
}

/** Those of these applications that are stored already, with the product that they were grouped into. */
export function selectStoredMembers(
  db: Db,
  tenantId: string,
  entityIds: readonly string[],
): Promise<{ entity_id: string; product_id: string | null; platform: Platform }[]> {
  return rows(
    db,
    sql<{ entity_id: string; product_id: string | null; platform: Platform }>`
      SELECT ${MEMBER} FROM products
      WHERE tenant_id = ${tenantId} AND entity_id = ANY (${bytesOf(entityIds)}::bytea[])`,
  );
}

/** The applications for which each policy owns an override, by policy. */
export async function selectCoveredIds(
  db: Db,
  tenantId: string,
  policyIds?: readonly string[],
): Promise<Map<string, string[]>> {
  const covered = await rows(
    db,
    sql<{ policy_id: string; entity_id: string }>`
      SELECT product_policy_id AS policy_id, match ->> 'entity_id' AS entity_id FROM overrides
      WHERE tenant_id = ${tenantId} AND product_policy_id IS NOT NULL AND NOT deleted
        AND ${policyIds === undefined ? ANY : sql`product_policy_id = ANY (${[...policyIds]}::uuid[])`}
      ORDER BY 2`,
  );
  const byPolicy = Map.groupBy(covered, (override) => override.policy_id);
  return new Map(
    [...byPolicy].map(([id, overrides]) => [id, overrides.map(({ entity_id }) => entity_id)]),
  );
}

/** The products of the policies for a device group, by name: the group cannot be deleted while there are any. */
export async function selectPolicyProductsForGroup(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<string[]> {
  const policies = await rows(
    db,
    sql<{ product_name: string }>`
      SELECT product_name FROM product_policies
      WHERE tenant_id = ${tenantId} AND scope_kind = ${GROUP} AND scope_id = ${groupId}
        AND NOT deleted`,
  );
  return policies.map((policy) => `product ${policy.product_name}`);
}

const GROUP: OverrideScope['kind'] = 'group';
const SUBSCRIBER: OverrideScope['kind'] = 'subscriber';

/**
 * Removes the policies for a user who is erased, and overwrites whom former policies were for, and why. The overrides that
 * they own are erased with the user's other overrides.
 */
export async function erasePoliciesFor(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  by: { email: string; now: Date; erased: string },
): Promise<void> {
  await sql`
    UPDATE product_policies SET deleted = true, scope_id = ${by.erased}, reason = NULL,
      version = version + 1, updated_at = ${by.now}, updated_by = ${by.email}
    WHERE tenant_id = ${tenantId} AND scope_kind = ${SUBSCRIBER}
      AND scope_id = ${subscriberId}`.execute(tx);
}

const bytesOf = (ids: readonly string[]): Buffer[] => ids.map((id) => Buffer.from(id, 'hex'));
