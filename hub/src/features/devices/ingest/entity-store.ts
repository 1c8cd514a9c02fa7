// SQL of ingest: entities and products, for all devices of one tenant's group at once, in the caller's transaction.
// Strategies tried, 50 entities a batch: one INSERT an entity 157 batches/s, json_to_recordset for one batch 556, for a
// group of batches 860. Locks are taken in one order everywhere: devices, entities, products, versions, each by id.

import { foldName } from '@gatewarden/shared/names.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import { jsonArray, textArray } from '../../../platform/db/array-literals.ts';
import { rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';
import { canDrift } from '../drift/fingerprint.ts';
import { PRODUCT_RULES_VERSION, productIdOf, productKey } from '../product-identity/index.ts';
import {
  type EntityWrite,
  mergeRemovals,
  type PresentEntity,
  type ProductDelta,
  type ProductDeltas,
  type StoredEntity,
} from './merge.ts';
import type { Candidate } from './scan-coverage.ts';

/** Returns the stored rows of these entities, by device. */
export async function selectEntities(
  tx: Tx,
  tenantId: string,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, Map<string, StoredEntity>>> {
  const result = new Map<string, Map<string, StoredEntity>>();
  const asked = [...wanted].filter(([, ids]) => ids.size > 0);
  if (asked.length === 0) return result;
  const stored = await rows(
    tx,
    sql<StoredEntity & { device_id: string }>`
      ${PREPARED} SELECT e.device_id, encode(e.entity_id, 'hex') AS entity_id,
        encode(e.content_hash, 'hex') AS content_hash, e.scan_seq, e.kind, e.name, e.publisher, e.version,
        e.removed_at IS NOT NULL AS removed, e.launch_hash, e.instances
      FROM unnest(${asked.map(([deviceId]) => deviceId)}::uuid[],
          ${asked.map(([, ids]) => Buffer.from([...ids].join(''), 'hex'))}::bytea[])
          AS w(device_id, ids)
      CROSS JOIN LATERAL generate_series(1, length(w.ids), 32) AS at
      -- LATERAL with a limit: always a look-up by key, whatever the statistics make of the table.
      CROSS JOIN LATERAL (
        SELECT * FROM entities WHERE tenant_id = ${tenantId} AND device_id = w.device_id
          AND entity_id = substring(w.ids FROM at FOR 32) LIMIT 1) e`,
  );
  for (const { device_id, ...entity } of stored) {
    const ofDevice = result.get(device_id) ?? new Map<string, StoredEntity>();
    result.set(device_id, ofDevice.set(entity.entity_id, entity));
  }
  return result;
}

/** Everything of the device that is not removed, for the end of a full scan. */
export function selectPresent(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<(PresentEntity & Candidate)[]> {
  return rows(
    tx,
    sql<PresentEntity & Candidate>`
      SELECT encode(entity_id, 'hex') AS entity_id, encode(content_hash, 'hex') AS content_hash,
        scan_seq, version, false AS removed, source,
        coalesce((SELECT json_agg(DISTINCT i ->> 'owner') FROM jsonb_array_elements(instances) i),
          '[]'::json) AS owners
      FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND removed_at IS NULL
      ORDER BY entity_id`,
  );
}

/** The new row of a device. */
export interface EntityRow {
  deviceId: string;
  seq: number;
  write: EntityWrite;
}

const keyOf = ({ deviceId, write }: EntityRow): string => `${deviceId}/${write.entity.entity_id}`;

/** Returns the final rows, in the order of the key, if several batches of the group name the same entity. */
function lastWritePerEntity(rows: readonly EntityRow[]): {
  stored: EntityRow[];
  removed: EntityRow[];
} {
  const stored = new Map<string, EntityRow>();
  const removed = new Map<string, EntityRow>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = stored.get(key);
    if (!row.write.removed) {
      const isNew = before?.write.isNew ?? row.write.isNew;
      stored.set(key, { ...row, write: { ...row.write, isNew } });
      removed.delete(key);
    } else if (before === undefined) removed.set(key, row);
    else stored.set(key, { ...before, seq: row.seq, write: { ...before.write, removed: true } });
  }
  return { stored: sortByKey(stored), removed: sortByKey(removed) };
}

function sortByKey(rows: ReadonlyMap<string, EntityRow>): EntityRow[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/**
 * Writes entities. A removed entity keeps its last reported content, because a returning entity is compared with it. New
 * entities are inserted without a conflict clause, which saves the database a fifth of the work and fails if a row exists
 * (see `isIdTaken`). `isCautious` inserts with the clause.
 */
export async function writeEntities(
  tx: Tx,
  tenantId: string,
  rows: readonly EntityRow[],
  isCautious: boolean,
): Promise<void> {
  const { stored, removed } = lastWritePerEntity(rows);
  const { fresh = [], existing = [] } = Object.groupBy(stored, ({ write }) =>
    write.isNew && !isCautious ? 'fresh' : 'existing',
  );
  await Promise.all([
    insertEntities(tx, tenantId, fresh, sql``),
    insertEntities(tx, tenantId, existing, ON_CONFLICT_UPDATE),
    markEntitiesRemoved(tx, tenantId, removed),
  ]);
}

async function markEntitiesRemoved(
  tx: Tx,
  tenantId: string,
  gone: readonly EntityRow[],
): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    UPDATE entities e SET removed_at = now(), scan_seq = r.seq
    FROM unnest(${gone.map((row) => row.deviceId)}::uuid[],
      ${bytes(gone.map((row) => row.write.entity.entity_id))}::bytea[],
      ${gone.map((row) => row.seq)}::bigint[]) AS r(device_id, entity_id, seq)
    WHERE e.tenant_id = ${tenantId} AND e.device_id = r.device_id
      AND e.entity_id = r.entity_id`.execute(tx);
}

// now() is the start of a transaction, and an earlier transaction can have waited for a later transaction.
const ON_CONFLICT_UPDATE = sql`
  ON CONFLICT (tenant_id, device_id, entity_id) DO UPDATE SET
      kind = excluded.kind, source = excluded.source, name = excluded.name,
      version = excluded.version, publisher = excluded.publisher,
      install_path = excluded.install_path, executables = excluded.executables,
      instances = excluded.instances, installed_at = excluded.installed_at,
      launch_hash = excluded.launch_hash, details = excluded.details,
      content_hash = excluded.content_hash, scan_seq = excluded.scan_seq,
      first_seen_at = least(e.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(e.last_seen_at, excluded.last_seen_at),
      removed_at = excluded.removed_at`;

async function insertEntities(
  tx: Tx,
  tenantId: string,
  sorted: readonly EntityRow[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  if (sorted.length === 0) return;
  const entities = sorted.map((row) => row.write.entity);
  const texts = (of: (row: WireEntity) => string | null) => textArray(entities.map(of));
  const json = (of: (row: WireEntity) => object | null) => jsonArray(entities.map(of));
  const hex = (of: (row: EntityRow) => string) => Buffer.from(sorted.map(of).join(''), 'hex');
  await sql`
    ${PREPARED} INSERT INTO entities AS e
      (tenant_id, device_id, entity_id, kind, source, name, version, publisher, install_path,
       executables, instances, installed_at, launch_hash, details, content_hash, scan_seq,
       first_seen_at, last_seen_at, removed_at)
    SELECT ${tenantId}::uuid, r.device_id,
      substring(${hex((row) => row.write.entity.entity_id)}::bytea FROM (r.n * 32 - 31)::integer FOR 32),
      r.kind, r.source, r.name, r.version, r.publisher, r.install_path, r.executables::jsonb,
      r.instances::jsonb, r.installed_at, r.launch_hash, r.details::jsonb,
      substring(${hex((row) => row.write.contentHash)}::bytea FROM (r.n * 32 - 31)::integer FOR 32),
      r.seq, now(), now(), CASE WHEN r.removed THEN now() END
    FROM unnest(${textArray(sorted.map((row) => row.deviceId))}::uuid[],
      ${texts((e) => e.kind)}::text[], ${texts((e) => e.source)}::text[],
      ${texts((e) => e.name)}::text[], ${texts((e) => e.version ?? null)}::text[],
      ${texts((e) => e.publisher ?? null)}::text[], ${texts((e) => e.install_path ?? null)}::text[],
      ${json((e) => e.executables ?? [])}::text[], ${json((e) => e.instances ?? [])}::text[],
      ${texts((e) => e.installed_at ?? null)}::timestamptz[],
      ${texts((e) => e.launch_hash ?? null)}::text[], ${json((e) => e.details ?? null)}::text[],
      ${sorted.map((row) => row.seq)}::bigint[], ${sorted.map((row) => row.write.removed)}::boolean[])
      WITH ORDINALITY AS r(device_id, kind, source, name, version, publisher, install_path,
        executables, instances, installed_at, launch_hash, details, seq, removed, n)
      ${onConflict}`.execute(tx);
}

/** These entities were not scanned, so their last scan stays: a scan in between can have found them elsewhere. */
export async function markRemoved(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE entities SET removed_at = now()
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}
      AND entity_id = ANY (${bytes(ids)})`.execute(tx);
}

/** The identity of a product, from its newest report in the group. */
export interface ProductDescription {
  entity: WireEntity;
  platform: Platform;
  /** Devices of the group do not agree in it. */
  hasNameConflict: boolean;
}

/**
 * Updates the counts of products and their versions. The first report names a product; a different name makes
 * its name doubtful (see product-names.ts), so that no single device renames it for all.
 */
export async function applyProductDeltas(
  tx: Tx,
  tenantId: string,
  products: ProductDeltas,
  described: ReadonlyMap<string, ProductDescription>,
): Promise<void> {
  const moved = [...products]
    .filter(
      ([, productDelta]) =>
        productDelta.devices !== 0 ||
        productDelta.isRenamed ||
        productDelta.mayDrift ||
        [...productDelta.versions.values()].some((by) => by !== 0),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (moved.length === 0) return;
  const absent = moved.filter(([id]) => !described.has(id));
  // The statements below lock products in different orders, so all are locked first.
  const statements: Promise<unknown>[] = [];
  if (absent.length > 0 && moved.length > 1) {
    const locked = sql`
      SELECT 1 FROM products WHERE tenant_id = ${tenantId}
        AND entity_id = ANY (${bytes(moved.map(([id]) => id))})
      ORDER BY entity_id FOR UPDATE`;
    statements.push(locked.execute(tx));
  }
  const present = moved.flatMap(([id, productDelta]) => {
    const description = described.get(id);
    return description === undefined ? [] : productRecord(id, productDelta, description);
  });
  if (present.length > 0) {
    const counted = sql`
      ${PREPARED} INSERT INTO products AS p
        (tenant_id, entity_id, kind, source, platform, name, name_folded, publisher, device_count,
         first_seen_at, last_seen_at, names_differ, names_doubted, may_drift, product_id,
         product_key, product_rules)
      SELECT ${tenantId}::uuid, decode(r.entity_id, 'hex'), r.kind, r.source, r.platform,
        r.name, r.name_folded, r.publisher, r.devices, now(), now(), r.doubted, r.doubted,
        r.may_drift, decode(r.product_id, 'hex'), r.product_key, ${PRODUCT_RULES_VERSION}
      FROM json_to_recordset(${JSON.stringify(present)}::json) AS r(entity_id text, devices integer,
        kind text, source text, platform text, name text, name_folded text, publisher text,
        doubted boolean, may_drift boolean, product_id text, product_key text)
      ORDER BY r.entity_id
      ON CONFLICT (tenant_id, entity_id) DO UPDATE SET
        names_differ = p.names_differ OR ${nameDiffers}, names_doubted = p.names_doubted OR ${nameDiffers},
        device_count = p.device_count + excluded.device_count,
        first_seen_at = least(p.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at),
        may_drift = p.may_drift OR excluded.may_drift,
        is_grouped = p.is_grouped AND excluded.device_count = 0`;
    statements.push(counted.execute(tx));
  }
  if (absent.length > 0) {
    const records = absent.map(([id, productDelta]) => ({
      entity_id: id,
      devices: productDelta.devices,
    }));
    const moving = sql`
      ${PREPARED} UPDATE products p SET device_count = p.device_count + r.devices,
        is_grouped = p.is_grouped AND r.devices = 0, names_doubted = p.names_doubted OR p.names_differ
      FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(entity_id text, devices integer)
      WHERE p.tenant_id = ${tenantId} AND p.entity_id = decode(r.entity_id, 'hex')`;
    statements.push(moving.execute(tx));
  }
  await Promise.all([...statements, applyVersions(tx, tenantId, moved)]);
}

/** Returns the columns of a product that a batch reports. */
function productRecord(
  entityId: string,
  delta: ProductDelta,
  { entity, platform, hasNameConflict }: ProductDescription,
) {
  return {
    entity_id: entityId,
    devices: delta.devices,
    kind: entity.kind,
    source: entity.source,
    platform,
    name: entity.name,
    name_folded: foldName(entity.name),
    publisher: entity.publisher ?? null,
    doubted: hasNameConflict || delta.isRenamed,
    ...productColumns(entity),
    may_drift: delta.mayDrift || canDrift(entity),
  };
}

/** The product that the application belongs to. */
function productColumns(entity: WireEntity): { product_id: string; product_key: string } {
  const key = productKey(entity);
  return { product_id: productIdOf(key), product_key: key };
}

const nameDiffers = sql`excluded.names_doubted OR p.name <> excluded.name
          OR p.publisher IS DISTINCT FROM excluded.publisher`;

async function applyVersions(
  tx: Tx,
  tenantId: string,
  moved: readonly (readonly [string, { versions: ReadonlyMap<string, number> }])[],
): Promise<void> {
  const records = moved.flatMap(([id, item]) =>
    [...item.versions]
      .filter(([, by]) => by !== 0)
      .map(([version, by]) => ({ entity_id: id, version, by })),
  );
  if (records.length === 0) return;
  const counted = sql`
    ${PREPARED} INSERT INTO product_versions AS v (tenant_id, entity_id, version, device_count)
    SELECT ${tenantId}::uuid, decode(r.entity_id, 'hex'), r.version, r.by
    FROM json_to_recordset(${JSON.stringify(records)}::json)
      AS r(entity_id text, version text, by integer)
    ORDER BY r.entity_id, r.version
    ON CONFLICT (tenant_id, entity_id, version) DO UPDATE SET
      device_count = v.device_count + excluded.device_count`.execute(tx);
  const fallen = records.filter(({ by }) => by < 0);
  if (fallen.length === 0) {
    await counted;
    return;
  }
  const emptied = sql`
    DELETE FROM product_versions
    WHERE tenant_id = ${tenantId} AND device_count <= 0
      AND entity_id = ANY (${bytes(fallen.map((row) => row.entity_id))})`.execute(tx);
  await Promise.all([counted, emptied]);
}

function bytes(ids: readonly string[]): Buffer[] {
  return ids.map((id) => Buffer.from(id, 'hex'));
}

/**
 * Before the inventories of locked devices are taken away: what others count and change of the same products, drift and
 * then the products themselves, is locked in the order in which ingest and reviews lock it.
 */
export async function lockInventories(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<void> {
  await sql`
    SELECT 1 FROM product_drifts
    WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
    ORDER BY entity_id, device_id FOR UPDATE`.execute(tx);
  await sql`
    SELECT 1 FROM products WHERE tenant_id = ${tenantId} AND entity_id IN (
      SELECT entity_id FROM entities
      WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
        AND removed_at IS NULL)
    ORDER BY entity_id FOR UPDATE`.execute(tx);
}

/** Takes a device's whole inventory away, and it out of the counts of products and versions. */
export async function deleteInventory(tx: Tx, tenantId: string, deviceId: string): Promise<void> {
  await lockInventories(tx, tenantId, [deviceId]);
  const present = await selectPresent(tx, tenantId, deviceId);
  await applyProductDeltas(tx, tenantId, mergeRemovals(present).products, new Map());
  await sql`
    DELETE FROM entities WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  await sql`
    DELETE FROM product_drifts
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  await sql`
    DELETE FROM coverage WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
  // The ids of its batches stay known; the accounts that they looked at do not.
  await sql`
    UPDATE batches SET coverage = '[]'::jsonb
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND coverage IS NOT NULL`.execute(tx);
}
