// SQL of the products' counts: which applications await grouping, and what their products count.
import type { ProductCategory, RiskHint } from '@gatewarden/shared/wire/console/products.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, rows, type Tx } from '../../../platform/db/database.ts';
import { deleteSearchGrams } from '../../../platform/db/search-index.ts';
import type { ReportedEntity } from './risk-hints.ts';

/** Devices of an application whose reports are read for risk hints: most devices report the same. */
const SAMPLED_DEVICES = 5;

/** Tenants with applications that await grouping, or that older rules identified. */
export async function selectUngroupedTenants(db: Db, rules: number): Promise<string[]> {
  const queries = [
    sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM products WHERE NOT is_grouped`,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM products WHERE product_rules < ${rules}`,
    sql<{ tenant_id: string }>`
      SELECT DISTINCT tenant_id FROM inventory_products WHERE NOT is_counted`,
  ];
  const tenants = await Promise.all(queries.map((query) => rows(db, query)));
  return [...new Set(tenants.flat().map((tenant) => tenant.tenant_id))];
}

/** Serializes the recounts of a tenant, so that an older count never overwrites a newer count. */
export async function lockRecount(tx: Tx, tenantId: string): Promise<void> {
  const key = `products ${tenantId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

export interface UngroupedApplication {
  entity_id: string;
  product_key: string | null;
  product_rules: number;
  kind: EntityKind;
  source: string;
  name: string;
  publisher: string | null;
}

/**
 * The next applications that await grouping, locked in the order in which ingest locks them: what a device reports
 * meanwhile is committed after this and awaits the next recount.
 */
export function lockUngrouped(
  tx: Tx,
  tenantId: string,
  rules: number,
  limit: number,
): Promise<UngroupedApplication[]> {
  return rows(
    tx,
    sql<UngroupedApplication>`
      SELECT encode(entity_id, 'hex') AS entity_id, product_key, product_rules, kind, source, name,
        publisher
      FROM products WHERE tenant_id = ${tenantId} AND entity_id IN (
        (SELECT entity_id FROM products
          WHERE tenant_id = ${tenantId} AND NOT is_grouped ORDER BY entity_id LIMIT ${limit})
        UNION
        (SELECT entity_id FROM products
          WHERE tenant_id = ${tenantId} AND product_rules < ${rules}
          ORDER BY product_rules, entity_id LIMIT ${limit}))
      ORDER BY products.entity_id FOR UPDATE`,
  );
}

export interface SampledEntity extends ReportedEntity {
  entity_id: string;
  install_path: string | null;
}

/** Reports of some devices that have these applications now. */
export function selectSamples(
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
): Promise<SampledEntity[]> {
  if (entityIds.length === 0) return Promise.resolve([]);
  return rows(
    tx,
    sql<SampledEntity>`
      SELECT r.entity_id, e.details, e.instances, e.install_path
      FROM unnest(${entityIds}::text[]) AS r(entity_id)
      CROSS JOIN LATERAL (
        SELECT details, instances, install_path FROM entities
        WHERE tenant_id = ${tenantId} AND entity_id = decode(r.entity_id, 'hex')
          AND removed_at IS NULL
        ORDER BY device_id LIMIT ${SAMPLED_DEVICES}) e`,
  );
}

export interface GroupedApplication {
  entity_id: string;
  product_id: string;
  product_key: string;
  risk_hints: readonly RiskHint[];
}

/** Stores which product these locked applications belong to. */
export async function groupApplications(
  tx: Tx,
  tenantId: string,
  rules: number,
  grouped: readonly GroupedApplication[],
): Promise<void> {
  await sql`
    UPDATE products p SET product_id = decode(r.product_id, 'hex'), product_key = r.product_key,
      product_rules = greatest(p.product_rules, ${rules}), is_grouped = true, risk_hints = ARRAY(SELECT json_array_elements_text(r.risk_hints))
    FROM json_to_recordset(${JSON.stringify(grouped)}::json)
      AS r(entity_id text, product_id text, product_key text, risk_hints json)
    WHERE p.tenant_id = ${tenantId} AND p.entity_id = decode(r.entity_id, 'hex')`.execute(tx);
}

export interface DescribedProduct {
  product_id: string;
  product_key: string;
  category: ProductCategory;
  /** Name of a product with an alias; null where its most common application gives the name. */
  curated_name: string | null;
  curated_folded: string | null;
  vendor: string | null;
}

/** Has these products recounted. A new product is listed after its first count. */
export async function markUncounted(
  tx: Tx,
  tenantId: string,
  products: readonly DescribedProduct[],
): Promise<void> {
  await sql`
    INSERT INTO inventory_products
      (tenant_id, product_id, product_key, category, name, name_folded, vendor, sources, risk_hints,
       application_count, device_count, user_count, linux_devices, darwin_devices, win32_devices,
       first_seen_at, last_seen_at)
    SELECT ${tenantId}::uuid, decode(r.product_id, 'hex'), r.product_key, r.category,
      coalesce(r.curated_name, r.product_key), coalesce(r.curated_folded, r.product_key), r.vendor,
      '{}', '{}', 0, 0, 0, 0, 0, 0, now(), now()
    FROM json_to_recordset(${JSON.stringify(products)}::json) AS r(product_id text,
      product_key text, category text, curated_name text, curated_folded text, vendor text)
    ORDER BY decode(r.product_id, 'hex')
    ON CONFLICT (tenant_id, product_id) DO UPDATE SET is_counted = false`.execute(tx);
}

/** The keys of products that await a recount. */
export async function selectUncounted(tx: Tx, tenantId: string, limit: number): Promise<string[]> {
  const products = await rows(
    tx,
    sql<{ product_key: string }>`
      SELECT product_key FROM inventory_products
      WHERE tenant_id = ${tenantId} AND NOT is_counted ORDER BY product_id LIMIT ${limit}`,
  );
  return products.map((product) => product.product_key);
}

/**
 * Recounts these products. Name and vendor of a product without an alias are those of its most common application. No row
 * that ingest writes is locked meanwhile: a scan that moves a count marks it again.
 */
export async function recountProducts(
  tx: Tx,
  tenantId: string,
  products: readonly DescribedProduct[],
): Promise<void> {
  if (products.length === 0) return;
  // Ids of applications are an array and no join: a table without statistics would be read whole for each product.
  await sql`
    INSERT INTO inventory_products AS i
      (tenant_id, product_id, product_key, category, name, name_folded, vendor, sources, risk_hints,
       application_count, device_count, user_count, linux_devices, darwin_devices, win32_devices,
       first_seen_at, last_seen_at, is_counted)
    SELECT ${tenantId}::uuid, a.product_id, r.product_key, r.category,
      coalesce(r.curated_name, a.name), coalesce(r.curated_folded, a.name_folded),
      coalesce(r.vendor, a.publisher), a.sources, a.risk_hints, a.application_count,
      coalesce(c.devices, 0), coalesce(c.users, 0), coalesce(c.linux, 0), coalesce(c.darwin, 0),
      coalesce(c.win32, 0), a.first_seen_at, a.last_seen_at, true
    FROM json_to_recordset(${JSON.stringify(products)}::json) AS r(product_id text,
      product_key text, category text, curated_name text, curated_folded text, vendor text)
    JOIN LATERAL (
      SELECT p.product_id, (array_agg(p.name ORDER BY p.device_count DESC, p.entity_id))[1] AS name,
        (array_agg(p.name_folded ORDER BY p.device_count DESC, p.entity_id))[1] AS name_folded,
        (array_agg(p.publisher ORDER BY p.device_count DESC, p.entity_id))[1] AS publisher,
        coalesce(array_agg(DISTINCT p.source) FILTER (WHERE p.device_count > 0), '{}') AS sources,
        ARRAY(SELECT DISTINCT unnest(q.risk_hints) FROM products q
          WHERE q.tenant_id = ${tenantId} AND q.product_id = p.product_id AND q.device_count > 0
          ORDER BY 1) AS risk_hints,
        count(*) FILTER (WHERE p.device_count > 0) AS application_count,
        min(p.first_seen_at) AS first_seen_at, max(p.last_seen_at) AS last_seen_at
      FROM products p
      WHERE p.tenant_id = ${tenantId} AND p.product_id = decode(r.product_id, 'hex')
      GROUP BY p.product_id) a ON true
    LEFT JOIN LATERAL (
      SELECT count(DISTINCT e.device_id) AS devices, count(DISTINCT d.subscriber_id) AS users,
        count(DISTINCT e.device_id) FILTER (WHERE d.platform = 'linux') AS linux,
        count(DISTINCT e.device_id) FILTER (WHERE d.platform = 'darwin') AS darwin,
        count(DISTINCT e.device_id) FILTER (WHERE d.platform = 'win32') AS win32
      FROM entities e
      JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.removed_at IS NULL
        AND e.entity_id = ANY (ARRAY(SELECT p.entity_id FROM products p
          WHERE p.tenant_id = ${tenantId} AND p.product_id = decode(r.product_id, 'hex')))) c
      ON true
    ORDER BY a.product_id
    ON CONFLICT (tenant_id, product_id) DO UPDATE SET
      product_key = excluded.product_key, category = excluded.category, name = excluded.name, name_folded = excluded.name_folded, vendor = excluded.vendor,
      sources = excluded.sources, risk_hints = excluded.risk_hints,
      application_count = excluded.application_count, device_count = excluded.device_count,
      user_count = excluded.user_count, linux_devices = excluded.linux_devices,
      darwin_devices = excluded.darwin_devices, win32_devices = excluded.win32_devices,
      first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, is_counted = true,
      is_searchable = i.is_searchable AND i.name_folded = excluded.name_folded
        AND i.vendor IS NOT DISTINCT FROM excluded.vendor`.execute(tx);
}

/** Removes products whose last application belongs to another product now. */
export async function deleteEmptyProducts(
  tx: Tx,
  tenantId: string,
  productIds: readonly string[],
): Promise<void> {
  if (productIds.length === 0) return;
  const removed = await rows(
    tx,
    sql<{ product_id: Buffer }>`
      DELETE FROM inventory_products i
      WHERE tenant_id = ${tenantId} AND product_id = ANY (${bytesOf(productIds)}::bytea[])
        AND NOT EXISTS (SELECT FROM products p
          WHERE p.tenant_id = ${tenantId} AND p.product_id = i.product_id)
      RETURNING product_id`,
  );
  const ids = removed.map((product) => product.product_id);
  await deleteSearchGrams(
    'inventory_products',
    tenantId,
    sql`SELECT unnest(${ids}::bytea[])`,
  ).execute(tx);
}

/** Moves the last sight of a tenant's products on to that of their applications. */
export async function refreshLastSeen(tx: Tx, tenantId: string): Promise<void> {
  await sql`
    UPDATE inventory_products i SET last_seen_at = s.last_seen_at
    FROM (SELECT product_id, max(last_seen_at) AS last_seen_at FROM products
      WHERE tenant_id = ${tenantId} AND product_id IS NOT NULL GROUP BY product_id) s
    WHERE i.tenant_id = ${tenantId} AND i.product_id = s.product_id
      AND i.last_seen_at < s.last_seen_at`.execute(tx);
}

/** Tenants that have products. */
export async function selectGroupedTenants(db: Db): Promise<string[]> {
  const tenants = await rows(
    db,
    sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM inventory_products`,
  );
  return tenants.map((tenant) => tenant.tenant_id);
}

/** Marks all applications of all tenants for a recount; the nightly job corrects what no ingest moved. */
export async function ungroupAll(db: Db): Promise<void> {
  await sql`UPDATE products SET is_grouped = false WHERE is_grouped`.execute(db);
}

const bytesOf = (ids: readonly string[]): Buffer[] => ids.map((id) => Buffer.from(id, 'hex'));
