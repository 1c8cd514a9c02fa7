// SQL of prompts.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';

export interface PromptRow {
  prompt_id: string;
  content: string;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = sql`prompt_id, content, created_at, updated_at`;

export function selectPrompt(
  db: Db,
  tenantId: string,
  appId: string,
  promptId: string,
): Promise<PromptRow | null> {
  return row(
    db,
    sql<PromptRow>`
      SELECT ${COLUMNS} FROM prompts
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND prompt_id = ${promptId}`,
  );
}

export function selectPrompts(
  db: Db,
  tenantId: string,
  appId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(PromptRow & PageRow)[]> {
  const beyond = after === undefined ? sql`true` : sql`prompt_id > ${after[0]}`;
  const found = sql`
    SELECT ${COLUMNS}, octet_length(content) AS own_bytes FROM prompts
    WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND ${beyond}
    ORDER BY prompt_id LIMIT ${limit}`;
  return rows(db, sql<PromptRow & PageRow>`${limitPageBytes(found, sql`prompt_id`)}`);
}

export async function storePrompt(
  tx: Tx,
  tenantId: string,
  appId: string,
  promptId: string,
  content: string,
): Promise<PromptRow> {
  const stored = await row(
    tx,
    sql<PromptRow>`
      INSERT INTO prompts (tenant_id, app_id, prompt_id, content)
      VALUES (${tenantId}, ${appId}, ${promptId}, ${content})
      ON CONFLICT (tenant_id, app_id, prompt_id)
      DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at
      RETURNING ${COLUMNS}`,
  );
  return stored as PromptRow;
}

export async function deletePrompt(
  tx: Tx,
  tenantId: string,
  appId: string,
  promptId: string,
): Promise<void> {
  await sql`
    DELETE FROM prompts
    WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND prompt_id = ${promptId}`.execute(tx);
}

/** Returns prompts by `app_id/prompt_id`. */
export function selectPromptDocs(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<(PromptRow & { app_id: string; id: string })[]> {
  const pairs = ids.map((id) => ({ app_id: id.slice(0, 36), prompt_id: id.slice(37) }));
  return rows(
    db,
    sql<PromptRow & { app_id: string; id: string }>`
      SELECT ${COLUMNS}, app_id, app_id || '/' || prompt_id AS id FROM prompts
      WHERE tenant_id = ${tenantId} AND (app_id, prompt_id) IN (
        SELECT app_id, prompt_id FROM json_to_recordset(${JSON.stringify(pairs)}::json)
          AS wanted (app_id uuid, prompt_id text))`,
  );
}
