// SQL of an operator's import.
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { row, rows } from '../../../platform/db/database.ts';

const TABLES = {
  categories: { table: sql.table('detection_categories'), id: sql.ref('category_id') },
  smart_groups: { table: sql.table('smart_groups'), id: sql.ref('group_name') },
  custom_definitions: { table: sql.table('custom_definitions'), id: sql.ref('definition_id') },
} as const;
export type Imported = keyof typeof TABLES;

/** Makes the catalog equal to the list. Returns the records that were added, changed or removed. */
export async function replaceCatalog(
  tx: Tx,
  tenantId: string,
  catalog: Imported,
  records: readonly { id: string; doc: object }[],
): Promise<{ id: string; deleted: boolean }[]> {
  const { table, id } = TABLES[catalog];
  const gone = await rows(
    tx,
    sql<{ id: string }>`
      DELETE FROM ${table} WHERE tenant_id = ${tenantId}
        AND ${id} <> ALL (${records.map((record) => record.id)}::text[]) RETURNING ${id} AS id`,
  );
  const stored = await rows(
    tx,
    sql<{ id: string }>`
      INSERT INTO ${table} AS t (tenant_id, ${id}, doc)
      SELECT ${tenantId}::uuid, id, doc
      FROM json_to_recordset(${JSON.stringify(records)}::json) AS given (id text, doc jsonb)
      ON CONFLICT (tenant_id, ${id}) DO UPDATE SET doc = excluded.doc
      WHERE t.doc IS DISTINCT FROM excluded.doc
      RETURNING t.${id} AS id`,
  );
  return [
    ...gone.map((removed) => ({ id: removed.id, deleted: true })),
    ...stored.map((record) => ({ id: record.id, deleted: false })),
  ];
}

/** Stores policy authority. Returns false if it is unchanged. */
export async function storePolicyAuthority(
  tx: Tx,
  tenantId: string,
  policy: { enabled: boolean; active_revision: string | null; active_checksum: string | null },
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      INSERT INTO policy_authority AS p (tenant_id, enabled, active_revision, active_checksum)
      VALUES (${tenantId}, ${policy.enabled}, ${policy.active_revision}, ${policy.active_checksum})
      ON CONFLICT (tenant_id) DO UPDATE SET enabled = excluded.enabled,
        active_revision = excluded.active_revision, active_checksum = excluded.active_checksum
      WHERE (p.enabled, p.active_revision, p.active_checksum)
        IS DISTINCT FROM (excluded.enabled, excluded.active_revision, excluded.active_checksum)
      RETURNING 1`,
  );
  return stored !== null;
}

export interface LegacyRow {
  app_id: string;
  import_id: string;
  name: string;
  name_folded: string;
  enabled: boolean;
  tags: readonly string[];
  config: object;
  sealed_urls: string | null;
  inline_providers: readonly object[];
  sealed_inline: string | null;
}

/**
 * Stores a legacy app. Returns false if it was imported before: it may have been changed or converted since, and stays.
 */
export async function insertLegacyApp(tx: Tx, tenantId: string, app: LegacyRow): Promise<boolean> {
  const made = await rows(
    tx,
    sql`
      INSERT INTO apps (tenant_id, app_id, import_id, name, name_folded, mode, enabled,
        provider_labels, tags, config, sealed_urls, inline_providers, sealed_inline)
      VALUES (${tenantId}, ${app.app_id}, ${app.import_id}, ${app.name}, ${app.name_folded},
        'gateway', ${app.enabled}, '[]'::jsonb, ${JSON.stringify(app.tags)}::jsonb,
        ${JSON.stringify(app.config)}::jsonb, ${app.sealed_urls},
        ${JSON.stringify(app.inline_providers)}::jsonb, ${app.sealed_inline})
      ON CONFLICT (tenant_id, import_id) WHERE import_id IS NOT NULL DO NOTHING
      RETURNING 1`,
  );
  return made.length > 0;
}
