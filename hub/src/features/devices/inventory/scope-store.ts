// SQL of the decision about an app as a whole, and of the inventory that overrides select.

import { foldName } from '@gatewarden/shared/names.ts';
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { EntityKind, Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import { mayFoldTo } from '../../../platform/db/name-folding.ts';
import { inGroup } from '../groups/index.ts';
import { serverProductIds } from '../product-identity/index.ts';
import { entityConditions } from './match-qualifiers.ts';

/** Sets or, with null, takes away what is decided about the product. */
export async function recordDecision(
  tx: Tx,
  tenantId: string,
  entityId: string,
  decision: { override_id: string; approval_status: string; execution_policy: string } | null,
): Promise<void> {
  const id = Buffer.from(entityId, 'hex');
  if (decision === null) {
    await sql`
      DELETE FROM product_decisions
      WHERE tenant_id = ${tenantId} AND entity_id = ${id}`.execute(tx);
    return;
  }
  await sql`
    INSERT INTO product_decisions
      (tenant_id, entity_id, override_id, approval_status, execution_policy)
    VALUES (${tenantId}, ${id}, ${decision.override_id}, ${decision.approval_status},
      ${decision.execution_policy})
    ON CONFLICT (tenant_id, entity_id) DO UPDATE SET override_id = excluded.override_id,
      approval_status = excluded.approval_status,
      execution_policy = excluded.execution_policy`.execute(tx);
}

export interface ReachedDevice {
  device_id: string;
  hostname: string;
  subscriber_id: string;
  platform: Platform;
  last_seen_at: Date;
}

export type ScopeFilter =
  | { kind: 'tenant' }
  | { kind: 'group'; group_id: string }
  | { kind: 'subscriber'; subscriber_id: string }
  | { kind: 'device'; device_id: string };

function inScope(tenantId: string, scope: ScopeFilter) {
  if (scope.kind === 'subscriber') return sql`d.subscriber_id = ${scope.subscriber_id}`;
  if (scope.kind === 'device') return sql`d.device_id = ${scope.device_id}::uuid`;
  return scope.kind === 'group' ? inGroup(tenantId, scope.group_id, sql`d.device_id`) : ANY;
}

export function selectDevicesInScope(
  db: Db,
  tenantId: string,
  scope: ScopeFilter,
): Promise<ReachedDevice[]> {
  return rows(
    db,
    sql<ReachedDevice>`
      SELECT d.device_id, d.hostname, d.subscriber_id, d.platform, d.last_seen_at FROM devices d
      WHERE d.tenant_id = ${tenantId} AND d.retired_at IS NULL AND ${inScope(tenantId, scope)} ORDER BY d.hostname, d.device_id`,
  );
}

/** Entities that could satisfy a match, on the devices of a scope; what SQL cannot compare, the caller does. */
export function selectMatchingEntities(
  db: Db,
  tenantId: string,
  scope: ScopeFilter,
  match: OverrideMatch,
): Promise<(OwningEntity & { device_id: string })[]> {
  return rows(
    db,
    sql<OwningEntity & { device_id: string }>`
      SELECT e.device_id, encode(e.entity_id, 'hex') AS entity_id, e.kind, e.name, e.version,
        e.publisher
      FROM entities e JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      ${joinNamed(tenantId, match.name)}
      WHERE e.tenant_id = ${tenantId} AND e.removed_at IS NULL AND ${inScope(tenantId, scope)}
        AND ${entityConditions(match)}`,
  );
}

/** Returns these entities on the devices of the scope. */
export function selectEntitiesInScope(
  db: Db,
  tenantId: string,
  scope: ScopeFilter,
  entityIds: readonly string[],
): Promise<(OwningEntity & { device_id: string })[]> {
  return rows(
    db,
    sql<OwningEntity & { device_id: string }>`
      SELECT e.device_id, encode(e.entity_id, 'hex') AS entity_id, e.kind, e.name, e.version,
        e.publisher
      FROM entities e JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.removed_at IS NULL AND ${inScope(tenantId, scope)}
        AND e.entity_id = ANY (${entityIds.map((id) => Buffer.from(id, 'hex'))}::bytea[])`,
  );
}

/** Joins by the app's folded name, and by the names that devices report if they differ. */
function joinNamed(tenantId: string, name: string | undefined) {
  if (name === undefined) return sql``;
  const folded = foldName(name);
  return sql`JOIN products p ON p.tenant_id = ${tenantId} AND p.entity_id = e.entity_id
    AND (p.name_folded = ${folded} OR (p.names_differ AND ${mayFoldTo(sql`e.name`, [folded])}))`;
}

/** The given entities on the given devices, to judge processes that they own; those that are gone only where asked for. */
export function selectEntitiesOf(
  db: Db,
  tenantId: string,
  of: { deviceIds: readonly string[]; entityIds: readonly string[]; withGone?: boolean },
): Promise<(OwningEntity & { device_id: string; is_gone: boolean })[]> {
  return rows(
    db,
    sql<OwningEntity & { device_id: string; is_gone: boolean }>`
      SELECT device_id, encode(entity_id, 'hex') AS entity_id, kind, name, version, publisher,
        removed_at IS NOT NULL AS is_gone
      FROM entities
      WHERE tenant_id = ${tenantId} AND ${of.withGone === true ? ANY : sql`removed_at IS NULL`}
        AND device_id = ANY (${of.deviceIds}::uuid[])
        AND entity_id = ANY (${of.entityIds.map((id) => Buffer.from(id, 'hex'))})`,
  );
}

/** Products of that kind, whether or not a device has them now. */
export async function selectProductsOfKind(
  db: Db,
  tenantId: string,
  kind: EntityKind,
  most: number,
): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ entity_id: string }>`
      SELECT encode(entity_id, 'hex') AS entity_id FROM products
      WHERE tenant_id = ${tenantId} AND kind = ${kind} LIMIT ${most}`,
  );
  return records.map((record) => record.entity_id);
}

/** Returns MCP servers that a device has at present, by their ids or by their products. */
export function selectProductsWith(
  db: Db,
  tenantId: string,
  servers: { entityIds: readonly string[]; keys: readonly string[] },
): Promise<{ entity_id: string; name: string; platform: Platform; device_count: number }[]> {
  return rows(
    db,
    sql<{ entity_id: string; name: string; platform: Platform; device_count: number }>`
      SELECT encode(entity_id, 'hex') AS entity_id, name, platform, device_count FROM products
      WHERE tenant_id = ${tenantId} AND device_count > 0
        AND (entity_id = ANY (${bytesOf(servers.entityIds)}::bytea[])
          OR product_id = ANY (${bytesOf(serverProductIds(servers.keys))}::bytea[]))
      ORDER BY device_count DESC, entity_id`,
  );
}

/** Returns the names of apps by id; unknown apps are left out. */
export async function selectProductNames(
  db: Db,
  tenantId: string,
  entityIds: readonly string[],
): Promise<Map<string, string>> {
  if (entityIds.length === 0) return new Map();
  const records = await rows(
    db,
    sql<{ entity_id: string; name: string }>`
      SELECT encode(entity_id, 'hex') AS entity_id, name FROM products
      WHERE tenant_id = ${tenantId}
        AND entity_id = ANY (${entityIds.map((id) => Buffer.from(id, 'hex'))})`,
  );
  return new Map(records.map((record) => [record.entity_id, record.name]));
}

const bytesOf = (ids: readonly string[]): Buffer[] => ids.map((id) => Buffer.from(id, 'hex'));

interface NamedProduct {
  entity_id: string;
  name_folded: string;
  kind: EntityKind;
  platform: Platform;
}

/** The products that these matches name, by id or by name. */
export async function selectProductsOfMatches(
  db: Db,
  tenantId: string,
  matches: readonly Pick<OverrideMatch, 'entity_id' | 'name'>[],
): Promise<NamedProduct[]> {
  const ids = matches.flatMap((match) => match.entity_id ?? []);
  const names = matches.flatMap((match) => (match.name === undefined ? [] : foldName(match.name)));
  if (ids.length + names.length === 0) return [];
  return rows(
    db,
    sql<NamedProduct>`
      SELECT encode(entity_id, 'hex') AS entity_id, name_folded, kind, platform FROM products
      WHERE tenant_id = ${tenantId} AND (name_folded = ANY (${names})
        OR entity_id = ANY (${ids.map((id) => Buffer.from(id, 'hex'))}))`,
  );
}

/** Returns the platforms of the apps with these ids that the inventory knows. */
export async function selectPlatformsOfApps(
  db: Db,
  tenantId: string,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, Platform>> {
  const apps = await selectProductsOfMatches(
    db,
    tenantId,
    entityIds.map((entity_id) => ({ entity_id })),
  );
  return new Map(apps.map(({ entity_id: id, platform }) => [id, platform]));
}

export interface NamedAppProduct {
  entity_id: string;
  name: string;
  kind: EntityKind;
  platform: Platform;
  publisher: string | null;
  /** True if a device reports a launch or a permission, or if the app is not classified yet. */
  may_drift: boolean;
}

/** Returns the apps with any of these folded names that a device has now. */
export function selectProductsNamed(
  db: Db,
  tenantId: string,
  namesFolded: readonly string[],
): Promise<NamedAppProduct[]> {
  return rows(
    db,
    sql<NamedAppProduct>`
      SELECT encode(entity_id, 'hex') AS entity_id, name, kind, platform, publisher,
        coalesce(may_drift, true) AS may_drift
      FROM products
      WHERE tenant_id = ${tenantId} AND name_folded = ANY (${[...namesFolded]})
        AND device_count > 0 AND NOT names_differ`,
  );
}

/** Returns the id of the app with this name on the device; null without any. */
export async function selectEntityNamed(
  db: Db,
  tenantId: string,
  deviceId: string,
  name: string,
): Promise<string | null> {
  const folded = foldName(name);
  const records = await rows(
    db,
    sql<{ entity_id: string; name: string }>`
      SELECT encode(entity_id, 'hex') AS entity_id, name FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
        AND ${mayFoldTo(sql`name`, [folded])} AND removed_at IS NULL
      ORDER BY entities.entity_id`,
  );
  return records.find((record) => foldName(record.name) === folded)?.entity_id ?? null;
}
