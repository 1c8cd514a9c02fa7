// SQL that stores log events, erases those of a person, and maintains log settings.
import { createHash } from 'node:crypto';
import { LOG_RETENTION_DAYS_MAX } from '@gatewarden/shared/wire/console/logs.ts';
import { sql } from 'kysely';
import { type CopyTx, copyLine } from '../../../platform/db/copy-transactions.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { LlmRow } from './llm.ts';
import type { ToolCallRow } from './mcp.ts';
import { type Micros, microsText } from './times.ts';

const LLM_COLUMNS = [
  'tenant_id',
  'at',
  'request_id',
  'app_id',
  'app_name',
  'user_email',
  'extra_email',
  'conversation_id',
  'model',
  'provider',
  'status_code',
  'is_failed',
  'is_blocked',
  'is_anonymized',
  'findings',
  'categories',
  'tokens_request',
  'tokens_response',
  'tokens_cache_read',
  'cost_usd',
  'received_at',
  'redaction_version',
  'event_bytes',
  'event',
  'node_id',
] as const;

const TOOL_CALL_COLUMNS = [
  'tenant_id',
  'at',
  'log_id',
  'event_id',
  'backend_id',
  'backend_name',
  'user_email',
  'extra_email',
  'conversation_id',
  'rpc_id',
  'tool_name',
  'is_blocked',
  'is_completed',
  'success',
  'received_at',
  'redaction_version',
  'event_bytes',
  'event',
  'node_id',
  'decided',
  'method',
] as const;

/** Returns a hash of 16 bytes: an id has up to 500 characters, and the index contains the ids of all retained days. */
export function requestIdHash(requestId: string): string {
  const hex = createHash('sha256').update(requestId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Stores the rows with new ids, and returns them. A row with a known id, on whatever day, stays as it is. */
export async function insertLlmRows(tx: CopyTx, sent: readonly LlmRow[]): Promise<LlmRow[]> {
  const byId = new Map<string, LlmRow>();
  for (const row of sent) {
    const key = `${row.tenant_id} ${requestIdHash(row.request_id)}`;
    if (!byId.has(key)) byId.set(key, row);
  }
  const fresh = await insertNewIds(tx, 'llm_request_ids', 'id_hash', byId);
  const receivedAt = new Date().toISOString();
  await tx.copy(
    'llm_requests',
    LLM_COLUMNS,
    fresh.map((row) =>
      copyLine([
        row.tenant_id,
        microsText(row.at),
        row.request_id,
        row.app_id,
        row.app_name,
        row.user_email,
        row.extra_email,
        row.conversation_id,
        row.model,
        row.provider,
        row.status_code,
        row.is_failed,
        row.is_blocked,
        row.is_anonymized,
        row.findings,
        row.categories,
        row.tokens_request,
        row.tokens_response,
        row.tokens_cache_read,
        row.cost_usd,
        receivedAt,
        row.redaction_version,
        Buffer.byteLength(row.event),
        row.event,
        row.node_id,
      ]),
    ),
  );
  return fresh;
}

/** Stores tool calls alike. A call that was stored while it ran is completed by a later row. */
export async function insertToolCalls(
  tx: CopyTx,
  sent: readonly ToolCallRow[],
): Promise<{ fresh: ToolCallRow[]; completed: number }> {
  const byId = new Map<string, ToolCallRow>();
  for (const call of sent) {
    const key = `${call.tenant_id} ${call.event_id}`;
    const previous = byId.get(key);
    if (previous === undefined || (!previous.is_completed && call.is_completed))
      byId.set(key, call);
  }
  const fresh = await insertNewIds(tx, 'mcp_tool_call_ids', 'event_id', byId);
  const logIds = await tx.rows(
    sql<{ id: number }>`
      SELECT nextval('mcp_tool_call_log_ids') AS id FROM generate_series(1, ${fresh.length})`,
  );
  const receivedAt = new Date().toISOString();
  await tx.copy(
    'mcp_tool_calls',
    TOOL_CALL_COLUMNS,
    fresh.map((call, i) =>
      copyLine([
        call.tenant_id,
        microsText(call.at),
        logIds[i]?.id ?? null,
        call.event_id,
        call.backend_id,
        call.backend_name,
        call.user_email,
        call.extra_email,
        call.conversation_id,
        call.rpc_id,
        call.tool_name,
        call.is_blocked,
        call.is_completed,
        call.success,
        receivedAt,
        call.redaction_version,
        Buffer.byteLength(call.event),
        call.event,
        call.node_id,
        call.decided,
        call.method,
      ]),
    ),
  );
  const stored = new Set(fresh);
  const repeated = [...byId].filter(([, call]) => !stored.has(call) && call.is_completed);
  const startTimes = await selectStartTimes(
    tx,
    repeated.map(([, call]) => call),
  );
  let completed = 0;
  for (const [key, call] of repeated) {
    const at = startTimes.get(key) ?? call.at;
    completed += await completeToolCall(tx, at === call.at ? call : call.withStartTime(at));
  }
  return { fresh, completed };
}

/** Returns the stored start times of calls: a later row does not move a call. */
async function selectStartTimes(
  tx: CopyTx,
  calls: readonly ToolCallRow[],
): Promise<Map<string, Micros>> {
  if (calls.length === 0) return new Map();
  const stored = await tx.rows(
    sql<{ key: string; at: Micros }>`
      SELECT tenant_id || ' ' || event_id AS key, (extract(epoch FROM at) * 1000000)::bigint AS at
      FROM mcp_tool_call_ids JOIN unnest(${calls.map((call) => call.tenant_id)}::uuid[],
        ${calls.map((call) => call.event_id)}::uuid[]) AS sent (tenant_id, event_id)
        USING (tenant_id, event_id)`,
  );
  return new Map(stored.map(({ key, at }) => [key, at]));
}

/** Completes a call that was stored as running; its position in the order stays. Returns the number of updated rows. */
async function completeToolCall(tx: CopyTx, call: ToolCallRow): Promise<number> {
  const updated = await tx.rows(
    sql`
      UPDATE mcp_tool_calls SET is_completed = true, success = ${call.success},
        is_blocked = ${call.is_blocked}, redaction_version = ${call.redaction_version},
        event = ${call.event}, event_bytes = ${Buffer.byteLength(call.event)},
        decided = coalesce(${call.decided}::jsonb, decided)
      WHERE tenant_id = ${call.tenant_id} AND at = ${microsText(call.at)}::timestamptz
        AND event_id = ${call.event_id} AND NOT is_completed
      RETURNING 1`,
  );
  return updated.length;
}

/**
 * Inserts the ids that are new, and returns their rows. Sorted keys make two batches with the same ids wait for each
 * other without a deadlock.
 */
async function insertNewIds<Row extends { tenant_id: string; at: Micros }>(
  tx: CopyTx,
  table: 'llm_request_ids' | 'mcp_tool_call_ids',
  column: 'id_hash' | 'event_id',
  byId: ReadonlyMap<string, Row>,
): Promise<Row[]> {
  const keys = [...byId.keys()].sort();
  const inserted = await tx.rows(
    sql<{ key: string }>`
      INSERT INTO ${sql.table(table)} (tenant_id, ${sql.ref(column)}, at)
      SELECT * FROM unnest(${keys.map((key) => key.slice(0, 36))}::uuid[],
        ${keys.map((key) => key.slice(37))}::uuid[],
        ${keys.map((key) => microsText(byId.get(key)?.at ?? 0))}::timestamptz[])
      ON CONFLICT (tenant_id, ${sql.ref(column)}) DO NOTHING
      RETURNING tenant_id || ' ' || ${sql.ref(column)} AS key`,
  );
  const fresh = new Set(inserted.map(({ key }) => key));
  return [...byId].filter(([key]) => fresh.has(key)).map(([, row]) => row);
}

export interface LogSettings {
  store_payloads: boolean;
  retention_days: number;
}

export const LOG_DEFAULTS: LogSettings = {
  store_payloads: true,
  retention_days: LOG_RETENTION_DAYS_MAX,
};

export interface StoredLogSettings extends LogSettings {
  tenant_id: string;
  version: number;
}

/** Returns the settings of those tenants that changed them. */
export function selectLogSettings(
  db: Db,
  tenantIds: readonly string[],
): Promise<StoredLogSettings[]> {
  return rows(
    db,
    sql<StoredLogSettings>`
      SELECT tenant_id, store_payloads, retention_days, version FROM log_settings
      WHERE tenant_id = ANY (${tenantIds}::uuid[])`,
  );
}

/** Stores the settings. Returns null if another writer was faster. */
export function storeLogSettings(
  tx: Tx,
  tenantId: string,
  before: number,
  settings: LogSettings,
): Promise<StoredLogSettings | null> {
  return row(
    tx,
    sql<StoredLogSettings>`
      INSERT INTO log_settings AS s (tenant_id, store_payloads, retention_days, version)
      VALUES (${tenantId}, ${settings.store_payloads}, ${settings.retention_days}, ${before + 1})
      ON CONFLICT (tenant_id) DO UPDATE SET store_payloads = EXCLUDED.store_payloads,
        retention_days = EXCLUDED.retention_days, version = s.version + 1
        WHERE s.version = ${before}
      RETURNING tenant_id, store_payloads, retention_days, version`,
  );
}

/** Returns the tenants with a shorter retention than the partitions. */
export function selectShortRetentions(
  db: Db,
): Promise<{ tenant_id: string; retention_days: number }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; retention_days: number }>`
      SELECT tenant_id, retention_days FROM log_settings
      WHERE retention_days < ${LOG_RETENTION_DAYS_MAX}`,
  );
}

/** Deletes the tenant's events before a time. */
export async function deleteBefore(db: Db, tenantId: string, before: Micros): Promise<void> {
  const at = sql`${microsText(before)}::timestamptz`;
  await sql`DELETE FROM llm_requests WHERE tenant_id = ${tenantId} AND at < ${at}`.execute(db);
  await sql`DELETE FROM mcp_tool_calls WHERE tenant_id = ${tenantId} AND at < ${at}`.execute(db);
}

/**
 * Deletes the rows that name the e-mail address, as gateway user or in the request's extra data. Returns their number.
 * The ids stay, so a repeated row is not stored again.
 */
export async function deletePersonsRows(tx: Tx, tenantId: string, email: string): Promise<number> {
  let count = 0;
  for (const table of ['llm_requests', 'mcp_tool_calls']) {
    const deleted = await sql`
      DELETE FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}
        AND (user_email = ${email} OR extra_email = ${email})`.execute(tx);
    count += Number(deleted.numAffectedRows ?? 0);
  }
  return count;
}

export interface RecentLogs {
  llm_requests: number;
  tool_calls: number;
  latest_llm_request_at: Date | null;
  latest_tool_call_at: Date | null;
}

/** Returns the number of the tenant's events of the last hour, counted up to `most`, and the newest of the last day. */
export async function countRecentLogs(db: Db, tenantId: string, most: number): Promise<RecentLogs> {
  const count = async (table: 'llm_requests' | 'mcp_tool_calls') => {
    const [result] = await rows(
      db,
      sql<{ count: number; latest: Date | null }>`
        SELECT (SELECT count(*) FROM (
            SELECT 1 FROM ${sql.table(table)}
            WHERE tenant_id = ${tenantId} AND at > now() - interval '1 hour' LIMIT ${most}) newest) AS count,
          (SELECT at FROM ${sql.table(table)}
            WHERE tenant_id = ${tenantId} AND at > now() - interval '1 day'
            ORDER BY at DESC LIMIT 1) AS latest`,
    );
    return { count: result?.count ?? 0, latest: result?.latest ?? null };
  };
  const [requests, calls] = await Promise.all([count('llm_requests'), count('mcp_tool_calls')]);
  return {
    llm_requests: requests.count,
    tool_calls: calls.count,
    latest_llm_request_at: requests.latest,
    latest_tool_call_at: calls.latest,
  };
}
