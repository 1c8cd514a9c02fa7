// SQL of smart groups, custom definitions, imported detection categories and policy authority.
import type { Category } from '@gatewarden/shared/detection-categories.ts';
import type { PolicyAuthority } from '@gatewarden/shared/wire/management/apps.ts';
import { sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

export interface CatalogRow {
  id: string;
  doc: Record<string, unknown>;
}

const TABLES = {
  'smart-groups': { table: sql.table('smart_groups'), id: sql.ref('group_name') },
  'custom-definitions': { table: sql.table('custom_definitions'), id: sql.ref('definition_id') },
} as const;
export type Catalog = keyof typeof TABLES;
const ALL_TABLES = {
  ...TABLES,
  categories: { table: sql.table('detection_categories'), id: sql.ref('category_id') },
} as const;

/** The document without exact values, which are data of customers: their number takes their place. */
const SHOWN_DOC = sql`CASE WHEN jsonb_typeof(doc->'values') = 'array'
  THEN (doc - 'values') || jsonb_build_object('values_count', jsonb_array_length(doc->'values'))
  ELSE doc END`;

export function selectRecords(
  db: Db,
  catalog: Catalog,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(CatalogRow & PageRow)[]> {
  const { table, id } = TABLES[catalog];
  const beyond = after === undefined ? sql`true` : sql`${id} > ${after[0]}`;
  const found = sql`
    SELECT ${id} AS id, ${SHOWN_DOC} AS doc, octet_length(doc::text) AS own_bytes FROM ${table}
    WHERE tenant_id = ${tenantId} AND ${beyond}
    ORDER BY ${id} LIMIT ${limit}`;
  return rows(db, sql<CatalogRow & PageRow>`${limitPageBytes(found, sql`id`)}`);
}

export function selectRecord(
  db: Db,
  catalog: Catalog,
  tenantId: string,
  recordId: string,
): Promise<CatalogRow | null> {
  const { table, id } = TABLES[catalog];
  return row(
    db,
    sql<CatalogRow>`
      SELECT ${id} AS id, ${SHOWN_DOC} AS doc FROM ${table}
      WHERE tenant_id = ${tenantId} AND ${id} = ${recordId}`,
  );
}

/** Returns documents by id, as imported; removed documents are left out. */
export async function catalogDocs(
  db: Db,
  catalog: Catalog | 'categories',
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, object>> {
  const { table, id } = ALL_TABLES[catalog];
  const found = await rows(
    db,
    sql<CatalogRow>`
      SELECT ${id} AS id, doc FROM ${table}
      WHERE tenant_id = ${tenantId} AND ${id} = ANY (${ids}::text[])`,
  );
  return new Map(found.map((entry) => [entry.id, entry.doc]));
}

/** Returns those of these ids that exist. */
export async function selectIds(db: Db, catalog: Catalog, tenantId: string): Promise<Set<string>> {
  const { table, id } = TABLES[catalog];
  const found = await rows(
    db,
    sql<{ id: string }>`SELECT ${id} AS id FROM ${table} WHERE tenant_id = ${tenantId}`,
  );
  return new Set(found.map((entry) => entry.id));
}

export async function selectCategories(db: Db, tenantId: string): Promise<Category[]> {
  const found = await rows(
    db,
    sql<{ doc: Category }>`SELECT doc FROM detection_categories WHERE tenant_id = ${tenantId}`,
  );
  return found.map(({ doc }) => doc);
}

export async function selectPolicyAuthority(db: Db, tenantId: string): Promise<PolicyAuthority> {
  const found = await row(
    db,
    sql<PolicyAuthority>`
      ${PREPARED} SELECT enabled, active_revision, active_checksum FROM policy_authority
      WHERE tenant_id = ${tenantId}`,
  );
  return found ?? { enabled: false, active_revision: null, active_checksum: null };
}
