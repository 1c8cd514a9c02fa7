// All SQL of overrides. The feed number of a change is its revision; reading by it is reading in commit order.

import type { DiscoveryScopeInput } from '@gatewarden/shared/wire/console/discovery-scope.ts';
import type { Override, OverrideScope } from '@gatewarden/shared/wire/console/overrides.ts';
import type { TraySettingInput } from '@gatewarden/shared/wire/console/tray-setting.ts';
import type { EnforcementCeiling } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/db/list-conditions.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { ScopeExit, StoredOverride } from '../sync/snapshot.ts';

export interface OverrideRecord
  extends Omit<
    Override,
    'version' | 'scope' | 'rollout' | 'effective_at' | 'expires_at' | 'created_at' | 'updated_at'
  > {
  version: number;
  deleted: boolean;
  scope_kind: OverrideScope['kind'];
  scope_id: string;
  effective_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  sort_key: string;
}

export const FIELDS = sql`
  override_id, revision, version, deleted, match, approval_status, execution_policy, severity,
  reason, scope_kind, scope_id, effective_at, expires_at, rollout_percent, created_at, created_by,
  updated_at, updated_by, default_kind, drift_hold, product_policy_id`;

/** Columns with the position in a list that begins with the newest. */
export const COLUMNS = sql`${FIELDS}, created_at::text AS sort_key`;
/** Columns of a write. On Citus, RETURNING cannot format a time as text. */
const RETURNED_COLUMNS = sql`${FIELDS}, '' AS sort_key`;

export type NewOverride = Omit<OverrideRecord, 'version' | 'deleted' | 'sort_key' | 'revision'>;

/** Throws `already_exists` where an override has or had that id. */
export async function insertOverride(
  tx: Tx,
  tenantId: string,
  override: NewOverride,
  revision: number,
): Promise<OverrideRecord> {
  const stored = await row(
    tx,
    sql<OverrideRecord>`
      INSERT INTO overrides
        (tenant_id, override_id, revision, version, match, approval_status, execution_policy,
         severity, reason, scope_kind, scope_id, effective_at, expires_at, rollout_percent,
         created_at, created_by, updated_at, updated_by, default_kind, product_policy_id)
      VALUES (${tenantId}, ${override.override_id}, ${revision}, 1,
        ${JSON.stringify(override.match)}::jsonb, ${override.approval_status},
        ${override.execution_policy}, ${override.severity}, ${override.reason},
        ${override.scope_kind}, ${override.scope_id}, ${override.effective_at},
        ${override.expires_at}, ${override.rollout_percent}, ${override.created_at},
        ${override.created_by}, ${override.updated_at}, ${override.updated_by},
        ${override.default_kind}, ${override.product_policy_id})
      ON CONFLICT (tenant_id, override_id) DO NOTHING
      RETURNING ${RETURNED_COLUMNS}`,
  );
  if (stored === null) {
    throw new HubError('already_exists', 'A policy already has, or had, this override_id.');
  }
  return stored;
}

export function selectOverride(
  db: Db,
  tenantId: string,
  overrideId: string,
): Promise<OverrideRecord | null> {
  return row(
    db,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND override_id = ${overrideId} AND NOT deleted`,
  );
}

/** These, highest revision first; withdrawn ones only where they are asked for. */
export function selectOverridesByIds(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  options: { withWithdrawn?: boolean } = {},
): Promise<OverrideRecord[]> {
  return rows(
    db,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND override_id = ANY (${ids}::uuid[])
        AND ${options.withWithdrawn === true ? ANY : sql`NOT deleted`}
      ORDER BY revision DESC`,
  );
}

/** The overrides that these product policies own. */
export function selectOverridesOfPolicies(
  db: Db,
  tenantId: string,
  policyIds: readonly string[],
): Promise<OverrideRecord[]> {
  if (policyIds.length === 0) return Promise.resolve([]);
  return rows(
    db,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND product_policy_id = ANY (${[...policyIds]}::uuid[])
        AND NOT deleted
      ORDER BY revision`,
  );
}

/** Returns the overrides of default policies, in order of kind. */
export function selectDefaults(db: Db, tenantId: string): Promise<OverrideRecord[]> {
  return rows(
    db,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND default_kind IS NOT NULL AND NOT deleted
      ORDER BY default_kind`,
  );
}

/** Restores a deleted override under its id; null if there is none. */
export function reviveOverride(
  tx: Tx,
  tenantId: string,
  override: NewOverride,
  revision: number,
): Promise<OverrideRecord | null> {
  return row(
    tx,
    sql<OverrideRecord>`
      UPDATE overrides SET revision = ${revision}, version = version + 1, deleted = false,
        match = ${JSON.stringify(override.match)}::jsonb,
        approval_status = ${override.approval_status},
        execution_policy = ${override.execution_policy}, severity = ${override.severity},
        reason = ${override.reason}, created_at = ${override.created_at},
        created_by = ${override.created_by}, updated_at = ${override.updated_at},
        updated_by = ${override.updated_by}
      WHERE tenant_id = ${tenantId} AND override_id = ${override.override_id} AND deleted
      RETURNING ${RETURNED_COLUMNS}`,
  );
}

/** The version of the tenant's default policies, locked until the transaction ends. */
export async function lockDefaults(tx: Tx, tenantId: string, by: string): Promise<number> {
  await sql`
    INSERT INTO default_policies (tenant_id, version, updated_at, updated_by)
    VALUES (${tenantId}, 1, now(), ${by}) ON CONFLICT (tenant_id) DO NOTHING`.execute(tx);
  const record = await row(
    tx,
    sql<{ version: number }>`
      SELECT version FROM default_policies WHERE tenant_id = ${tenantId} FOR UPDATE`,
  );
  return record?.version ?? 1;
}

/** 1 where none were ever set. */
export async function selectDefaultsVersion(db: Db, tenantId: string): Promise<number> {
  const record = await row(
    db,
    sql<{ version: number }>`
      SELECT version FROM default_policies WHERE tenant_id = ${tenantId}`,
  );
  return record?.version ?? 1;
}

export async function bumpDefaultsVersion(tx: Tx, tenantId: string, by: string): Promise<void> {
  await sql`
    UPDATE default_policies SET version = version + 1, updated_at = now(), updated_by = ${by}
    WHERE tenant_id = ${tenantId}`.execute(tx);
}

/** Null where the version moved on meanwhile. */
export function updateOverride(
  tx: Tx,
  tenantId: string,
  expectedVersion: number,
  after: Omit<OverrideRecord, 'sort_key'>,
): Promise<OverrideRecord | null> {
  return row(
    tx,
    sql<OverrideRecord>`
      UPDATE overrides SET revision = ${after.revision}, version = version + 1,
        deleted = ${after.deleted}, match = ${JSON.stringify(after.match)}::jsonb,
        approval_status = ${after.approval_status}, execution_policy = ${after.execution_policy},
        severity = ${after.severity}, reason = ${after.reason}, scope_kind = ${after.scope_kind},
        scope_id = ${after.scope_id}, effective_at = ${after.effective_at},
        expires_at = ${after.expires_at}, rollout_percent = ${after.rollout_percent},
        updated_at = ${after.updated_at}, updated_by = ${after.updated_by}
      WHERE tenant_id = ${tenantId} AND override_id = ${after.override_id}
        AND version = ${expectedVersion} AND NOT deleted
      RETURNING ${RETURNED_COLUMNS}`,
  );
}

export async function insertDeparture(
  tx: Tx,
  tenantId: string,
  departure: ScopeExit,
): Promise<void> {
  await sql`
    INSERT INTO override_departures
      (tenant_id, revision, override_id, scope_kind, scope_id, rollout_percent)
    VALUES (${tenantId}, ${departure.revision}, ${departure.override_id}, ${departure.scope_kind},
      ${departure.scope_id}, ${departure.rollout_percent})`.execute(tx);
}

/** Deletes scope exits up to this number. Devices with older cursors resync. */
export async function deleteDepartures(tx: Tx, tenantId: string, upTo: number): Promise<void> {
  await sql`
    DELETE FROM override_departures
    WHERE tenant_id = ${tenantId} AND revision <= ${upTo}`.execute(tx);
}

/** Returns the overrides for this user. */
export function selectOverridesFor(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
): Promise<OverrideRecord[]> {
  return rows(
    tx,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND scope_kind = 'subscriber' AND scope_id = ${subscriberId}
        AND NOT deleted
      ORDER BY revision`,
  );
}

/**
 * Overwrites scope and reason of withdrawn overrides for a user, and their scope exits. Returns the highest revision; 0
 * without any.
 */
export async function eraseScope(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
  erased: string,
): Promise<number> {
  const overrides = await rows(
    tx,
    sql<{ revision: number }>`
    UPDATE overrides SET scope_id = ${erased}, reason = NULL
    WHERE tenant_id = ${tenantId} AND scope_kind = 'subscriber' AND scope_id = ${subscriberId}
      AND deleted RETURNING revision`,
  );
  const departures = await rows(
    tx,
    sql<{ revision: number }>`
    UPDATE override_departures SET scope_id = ${erased}
    WHERE tenant_id = ${tenantId} AND scope_kind = 'subscriber'
      AND scope_id = ${subscriberId} RETURNING revision`,
  );
  let last = 0;
  for (const { revision } of [...overrides, ...departures]) last = Math.max(last, revision);
  return last;
}

/**
 * Records the feed number up to which overrides for an erased user lost their scope. The feed must be locked. Devices with
 * cursors below the floor resync anyway.
 */
export async function recordErasedSubscriber(
  tx: Tx,
  tenantId: string,
  person: string,
  revision: number,
): Promise<void> {
  const state = await selectGovernanceState(tx, tenantId);
  if (state === null) return;
  const kept = Object.entries(state.erased).filter(([, last]) => last > state.floor);
  const erased = { ...Object.fromEntries(kept), [person]: revision };
  await sql`
    UPDATE feeds SET erased = ${JSON.stringify(erased)}::jsonb
    WHERE tenant_id = ${tenantId} AND topic = 'governance'`.execute(tx);
}

/** Returns the matches of overrides for this group, newest first: they prevent its deletion. */
export async function selectMatchesForGroup(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<OverrideRecord['match'][]> {
  const records = await rows(
    db,
    sql<{ match: OverrideRecord['match'] }>`
      SELECT match FROM overrides
      WHERE tenant_id = ${tenantId} AND scope_kind = 'group' AND scope_id = ${groupId}
        AND NOT deleted
      ORDER BY revision DESC`,
  );
  return records.map((item) => item.match);
}

/** People's decisions for this scope that were made, changed or withdrawn after a feed number, newest first: what may be meant. */
export function selectDecidedSince(
  tx: Tx,
  tenantId: string,
  target: Pick<OverrideRecord, 'scope_kind' | 'scope_id'> & { entityIds: readonly string[] },
  after: number,
): Promise<OverrideRecord[]> {
  return rows(
    tx,
    sql<OverrideRecord>`
      SELECT ${COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND revision > ${after} AND scope_kind = ${target.scope_kind}
        AND scope_id = ${target.scope_id}
        AND (match ->> 'entity_id' = ANY (${target.entityIds}) OR match ->> 'entity_id' IS NULL)
        AND default_kind IS NULL AND NOT drift_hold
      ORDER BY revision DESC`,
  );
}

interface ChangedOverride extends Omit<StoredOverride, 'effective_at' | 'expires_at'> {
  effective_at: Date | null;
  expires_at: Date | null;
}

const STORED_COLUMNS = sql`
  override_id, revision, deleted, scope_kind, scope_id, match, approval_status, execution_policy,
  severity, reason, effective_at, expires_at, rollout_percent`;

const toStoredOverride = (override: ChangedOverride): StoredOverride => ({
  ...override,
  effective_at: override.effective_at?.toISOString() ?? null,
  expires_at: override.expires_at?.toISOString() ?? null,
});

/** Returns the overrides of users that name any of these entities, in any scope. */
export const selectOverridesOfEntities = (
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
): Promise<StoredOverride[]> => selectNaming(tx, tenantId, entityIds, sql`NOT drift_hold`);

/** Returns the approvals that name any of these entities, in any scope. */
export const selectApprovals = (
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
): Promise<StoredOverride[]> =>
  selectNaming(tx, tenantId, entityIds, sql`approval_status = 'approved'`);

async function selectNaming(
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<StoredOverride[]> {
  const records = await rows(
    tx,
    sql<ChangedOverride>`
      SELECT ${STORED_COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND match ->> 'entity_id' = ANY (${entityIds}::text[])
        AND NOT deleted AND ${condition}`,
  );
  return records.map(toStoredOverride);
}

/** Returns the changes after a feed number, with deleted overrides, to update a snapshot. */
export async function selectChanges(
  db: Db,
  tenantId: string,
  after: number,
): Promise<{ overrides: StoredOverride[]; scopeExits: ScopeExit[] }> {
  const overrides = await rows(
    db,
    sql<ChangedOverride>`
      SELECT ${STORED_COLUMNS} FROM overrides
      WHERE tenant_id = ${tenantId} AND revision > ${after} ORDER BY revision`,
  );
  const scopeExits = await rows(
    db,
    sql<ScopeExit>`
      SELECT revision, override_id, scope_kind, scope_id, rollout_percent FROM override_departures
      WHERE tenant_id = ${tenantId} AND revision > ${after} ORDER BY revision`,
  );
  return {
    scopeExits,
    overrides: overrides.map(toStoredOverride),
  };
}

export interface GovernanceState {
  n: number;
  floor: number;
  erased: Record<string, number>;
  ceiling: EnforcementCeiling;
  discovery: DiscoveryScopeInput;
  tray: TraySettingInput;
}

/** Returns feed number, floor and settings of a tenant in a single read; null for an unknown tenant. */
export function selectGovernanceState(db: Db, tenantId: string): Promise<GovernanceState | null> {
  return row(
    db,
    sql<GovernanceState>`
      SELECT f.n, f.floor, f.erased, t.enforcement_ceiling AS ceiling, json_build_object(
        'personal_homes', t.personal_homes, 'browser_profiles', t.browser_profiles) AS discovery,
        json_build_object(
          'pause_minutes', t.tray_pause_minutes, 'contact', t.tray_contact) AS tray
      FROM feeds f
      JOIN tenants t ON t.tenant_id = f.tenant_id
      WHERE f.tenant_id = ${tenantId} AND f.topic = 'governance'`,
  );
}

export async function updateMaxEnforcement(
  tx: Tx,
  tenantId: string,
  ceiling: EnforcementCeiling,
): Promise<void> {
  await sql`
    UPDATE tenants SET enforcement_ceiling = ${ceiling} WHERE tenant_id = ${tenantId}`.execute(tx);
}
