// All SQL of products that is not ingest's: their names where devices do not agree, and their last sight.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface ProductNames {
  name: string;
  publisher: string | null;
}

/** Products whose name is to be counted again, of all tenants. */
export function selectNameConflicts(
  db: Db,
  limit: number,
): Promise<{ tenant_id: string; entity_id: Buffer }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; entity_id: Buffer }>`
      SELECT tenant_id, entity_id FROM products WHERE names_doubted LIMIT ${limit}`,
  );
}

export function lockNames(
  tx: Tx,
  tenantId: string,
  entityId: Buffer,
): Promise<ProductNames | null> {
  return row(
    tx,
    sql<ProductNames>`
      SELECT name, publisher FROM products
      WHERE tenant_id = ${tenantId} AND entity_id = ${entityId} FOR UPDATE`,
  );
}

/** How devices call it, and how many of them. */
export function selectNameCounts(
  tx: Tx,
  tenantId: string,
  entityId: Buffer,
): Promise<(ProductNames & { devices: number })[]> {
  return rows(
    tx,
    sql<ProductNames & { devices: number }>`
      SELECT name, publisher, count(*) AS devices FROM entities
      WHERE tenant_id = ${tenantId} AND entity_id = ${entityId} AND removed_at IS NULL
      GROUP BY name, publisher ORDER BY name, publisher`,
  );
}

export async function nameProduct(
  tx: Tx,
  tenantId: string,
  entityId: Buffer,
  names: ProductNames & { nameFolded: string; differ: boolean },
): Promise<void> {
  await sql`
    UPDATE products SET name = ${names.name}, name_folded = ${names.nameFolded},
      publisher = ${names.publisher}, names_differ = ${names.differ}, names_doubted = false,
      is_searchable = false, product_rules = 0, is_grouped = false
    WHERE tenant_id = ${tenantId} AND entity_id = ${entityId}`.execute(tx);
}

/** Tenants with products of which nobody has looked whether they may drift. */
export async function selectTenantsToClassify(db: Db): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM products WHERE may_drift IS NULL`,
  );
  return records.map((record) => record.tenant_id);
}

/**
 * The next of them, of which about so many devices are to be asked. Locked in the order that ingest locks them in: what a
 * device reports meanwhile is written after this.
 */
export async function lockUnclassified(
  tx: Tx,
  tenantId: string,
  most: { products: number; devices: number },
): Promise<Buffer[]> {
  const records = await rows(
    tx,
    sql<{ entity_id: Buffer }>`
      SELECT entity_id FROM products
      WHERE tenant_id = ${tenantId} AND may_drift IS NULL AND entity_id IN (
        SELECT n.entity_id FROM (
          SELECT u.entity_id, sum(u.device_count) OVER (ORDER BY u.entity_id) - u.device_count AS before
          FROM (SELECT entity_id, device_count FROM products
            WHERE tenant_id = ${tenantId} AND may_drift IS NULL
            ORDER BY entity_id LIMIT ${most.products}) u) n
        WHERE n.before < ${most.devices})
      ORDER BY entity_id FOR UPDATE SKIP LOCKED`,
  );
  return records.map((record) => record.entity_id);
}

/** Returns whether any device with the app reports a launch or a permission, by app. */
export async function storeDriftCapability(
  tx: Tx,
  tenantId: string,
  ids: readonly Buffer[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE products p SET may_drift = s.found
    FROM (
      SELECT q.entity_id, coalesce(d.found, false) AS found FROM products q
      -- LATERAL with a limit: else each page would read the entities of all products.
      LEFT JOIN LATERAL (
        SELECT true AS found FROM entities e
        WHERE e.tenant_id = ${tenantId} AND e.entity_id = q.entity_id AND e.removed_at IS NULL
          AND (e.launch_hash IS NOT NULL OR e.instances @? '$[*].launch_hash ? (@ != null)'
            OR e.instances @? '$[*].permissions[*] ? (@ != null)') LIMIT 1) d ON true
      WHERE q.tenant_id = ${tenantId} AND q.entity_id = ANY (${ids}::bytea[])) s
    WHERE p.tenant_id = ${tenantId} AND p.entity_id = s.entity_id`.execute(tx);
}

/** Tenants of which a device was scanned lately. */
export async function selectScanning(db: Db): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM devices
      WHERE last_scan_at > now() - interval '6 hours' AND retired_at IS NULL`,
  );
  return records.map((record) => record.tenant_id);
}

/** Products that devices have and that were not sighted for hours: locked in the order that ingest locks them in. */
export async function lockStale(
  tx: Tx,
  tenantId: string,
  after: Buffer,
  limit: number,
): Promise<Buffer[]> {
  const records = await rows(
    tx,
    sql<{ entity_id: Buffer }>`
      SELECT entity_id FROM products
      WHERE tenant_id = ${tenantId} AND entity_id > ${after} AND device_count > 0
        AND last_seen_at < now() - interval '6 hours'
      ORDER BY entity_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
  return records.map((record) => record.entity_id);
}

/** Gives each the last scan of some device that has it and was scanned lately. */
export async function updateLastSeen(
  tx: Tx,
  tenantId: string,
  ids: readonly Buffer[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE products p SET last_seen_at = s.at
    FROM (
      SELECT q.entity_id, d.last_scan_at AS at FROM products q
      CROSS JOIN LATERAL (
        SELECT d.last_scan_at FROM entities e
        JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
        WHERE e.tenant_id = ${tenantId} AND e.entity_id = q.entity_id AND e.removed_at IS NULL
          AND d.last_scan_at > now() - interval '6 hours' LIMIT 1) d
      WHERE q.tenant_id = ${tenantId} AND q.entity_id = ANY (${ids}::bytea[])) s
    WHERE p.tenant_id = ${tenantId} AND p.entity_id = s.entity_id`.execute(tx);
}
