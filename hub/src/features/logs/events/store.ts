// All SQL that stores log rows, erases a person's, and reads them in the order of the export.
import { createHash } from 'node:crypto';
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

/** By 16 bytes of it: an id may be 500 characters long, and there is one for each request of 15 days. */
export function requestIdHash(requestId: string): string {
  const hex = createHash('sha256').update(requestId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Stores what is new, gives it back; what was stored before, on whatever day, stays as it is. */
export async function insertLlmRows(tx: CopyTx, sent: readonly LlmRow[]): Promise<LlmRow[]> {
  const byId = new Map<string, LlmRow>();
  for (const one of sent) {
    const key = `${one.tenant_id} ${requestIdHash(one.request_id)}`;
    if (!byId.has(key)) byId.set(key, one);
  }
  const fresh = await freshOf(tx, 'llm_request_ids', 'id_hash', byId);
  const receivedAt = new Date().toISOString();
  await tx.copy(
    'llm_requests',
    LLM_COLUMNS,
    fresh.map((one) =>
      copyLine([
        one.tenant_id,
        microsText(one.at),
        one.request_id,
        one.app_id,
        one.app_name,
        one.user_email,
        one.extra_email,
        one.conversation_id,
        one.model,
        one.provider,
        one.status_code,
        one.is_failed,
        one.is_blocked,
        one.is_anonymized,
        one.findings,
        one.categories,
        one.tokens_request,
        one.tokens_response,
        one.tokens_cache_read,
        one.cost_usd,
        receivedAt,
        one.redaction_version,
        Buffer.byteLength(one.event),
        one.event,
        one.node_id,
      ]),
    ),
  );
  return fresh;
}

/** The same for tool calls. What was stored while it still ran is completed by what comes later. */
export async function insertToolCalls(
  tx: CopyTx,
  sent: readonly ToolCallRow[],
): Promise<{ fresh: ToolCallRow[]; completed: number }> {
  const byId = new Map<string, ToolCallRow>();
  for (const one of sent) {
    const key = `${one.tenant_id} ${one.event_id}`;
    const known = byId.get(key);
    if (known === undefined || (!known.is_completed && one.is_completed)) byId.set(key, one);
  }
  const fresh = await freshOf(tx, 'mcp_tool_call_ids', 'event_id', byId);
  const logIds = await tx.rows(
    sql<{ id: number }>`
      SELECT nextval('mcp_tool_call_log_ids') AS id FROM generate_series(1, ${fresh.length})`,
  );
  const receivedAt = new Date().toISOString();
  await tx.copy(
    'mcp_tool_calls',
    TOOL_CALL_COLUMNS,
    fresh.map((one, i) =>
      copyLine([
        one.tenant_id,
        microsText(one.at),
        logIds[i]?.id ?? null,
        one.event_id,
        one.backend_id,
        one.backend_name,
        one.user_email,
        one.extra_email,
        one.conversation_id,
        one.rpc_id,
        one.tool_name,
        one.is_blocked,
        one.is_completed,
        one.success,
        receivedAt,
        one.redaction_version,
        Buffer.byteLength(one.event),
        one.event,
        one.node_id,
        one.decided,
        one.method,
      ]),
    ),
  );
  const stored = new Set(fresh);
  const repeated = [...byId].filter(([, one]) => !stored.has(one) && one.is_completed);
  const places = await placesOf(
    tx,
    repeated.map(([, one]) => one),
  );
  let completed = 0;
  for (const [key, one] of repeated) {
    const at = places.get(key) ?? one.at;
    completed += await completeToolCall(tx, at === one.at ? one : one.placedAt(at));
  }
  return { fresh, completed };
}

/** When calls were stored to have started: what is said of that later does not move them. */
async function placesOf(tx: CopyTx, calls: readonly ToolCallRow[]): Promise<Map<string, Micros>> {
  if (calls.length === 0) return new Map();
  const found = await tx.rows(
    sql<{ key: string; at: Micros }>`
      SELECT tenant_id || ' ' || event_id AS key, (extract(epoch FROM at) * 1000000)::bigint AS at
      FROM mcp_tool_call_ids JOIN unnest(${calls.map((one) => one.tenant_id)}::uuid[],
        ${calls.map((one) => one.event_id)}::uuid[]) AS sent (tenant_id, event_id)
        USING (tenant_id, event_id)`,
  );
  return new Map(found.map(({ key, at }) => [key, at]));
}

/** Gives 1 where the call was stored as still running; its place in the order stays. */
async function completeToolCall(tx: CopyTx, one: ToolCallRow): Promise<number> {
  const done = await tx.rows(
    sql`
      UPDATE mcp_tool_calls SET is_completed = true, success = ${one.success},
        is_blocked = ${one.is_blocked}, redaction_version = ${one.redaction_version},
        event = ${one.event}, event_bytes = ${Buffer.byteLength(one.event)},
        decided = coalesce(${one.decided}::jsonb, decided)
      WHERE tenant_id = ${one.tenant_id} AND at = ${microsText(one.at)}::timestamptz
        AND event_id = ${one.event_id} AND NOT is_completed
      RETURNING 1`,
  );
  return done.length;
}

/** Takes the ids that are new; two batches that hold the same wait for each other in one order. */
async function freshOf<Row extends { tenant_id: string; at: Micros }>(
  tx: CopyTx,
  table: 'llm_request_ids' | 'mcp_tool_call_ids',
  column: 'id_hash' | 'event_id',
  byId: ReadonlyMap<string, Row>,
): Promise<Row[]> {
  const keys = [...byId.keys()].sort();
  const taken = await tx.rows(
    sql<{ key: string }>`
      INSERT INTO ${sql.table(table)} (tenant_id, ${sql.ref(column)}, at)
      SELECT * FROM unnest(${keys.map((key) => key.slice(0, 36))}::uuid[],
        ${keys.map((key) => key.slice(37))}::uuid[],
        ${keys.map((key) => microsText(byId.get(key)?.at ?? 0))}::timestamptz[])
      ON CONFLICT (tenant_id, ${sql.ref(column)}) DO NOTHING
      RETURNING tenant_id || ' ' || ${sql.ref(column)} AS key`,
  );
  const fresh = new Set(taken.map(({ key }) => key));
  return [...byId].filter(([key]) => fresh.has(key)).map(([, one]) => one);
}

export interface LogSettings {
  store_payloads: boolean;
  retention_days: number;
}

export const RETENTION_DAYS = 15;
export const LOG_DEFAULTS: LogSettings = { store_payloads: true, retention_days: RETENTION_DAYS };

export interface StoredLogSettings extends LogSettings {
  tenant_id: string;
  version: number;
}

/** Of those tenants that have set something. */
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

/** Null where another writer was faster. */
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

/** Tenants that keep less than the partitions do. */
export function selectShortened(db: Db): Promise<{ tenant_id: string; retention_days: number }[]> {
  return rows(
    db,
    sql<{ tenant_id: string; retention_days: number }>`
      SELECT tenant_id, retention_days FROM log_settings
      WHERE retention_days < ${RETENTION_DAYS}`,
  );
}

export async function deleteBefore(db: Db, tenantId: string, before: Micros): Promise<void> {
  const at = sql`${microsText(before)}::timestamptz`;
  await sql`DELETE FROM llm_requests WHERE tenant_id = ${tenantId} AND at < ${at}`.execute(db);
  await sql`DELETE FROM mcp_tool_calls WHERE tenant_id = ${tenantId} AND at < ${at}`.execute(db);
}

/** Rows that name the e-mail address, gateway's or request's own; gives how many went. Their ids stay: a repeat is no new row. */
export async function deletePersonsRows(tx: Tx, tenantId: string, email: string): Promise<number> {
  let count = 0;
  for (const table of ['llm_requests', 'mcp_tool_calls']) {
    const gone = await sql`
      DELETE FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}
        AND (user_email = ${email} OR extra_email = ${email})`.execute(tx);
    count += Number(gone.numAffectedRows ?? 0);
  }
  return count;
}

export interface RecentLogs {
  llm_requests: number;
  tool_calls: number;
  latest_llm_request_at: Date | null;
  latest_tool_call_at: Date | null;
}

/** The tenant's rows of the last hour, counted up to `most`, and its newest of the last day. */
export async function countRecentLogs(db: Db, tenantId: string, most: number): Promise<RecentLogs> {
  const of = async (table: 'llm_requests' | 'mcp_tool_calls') => {
    const [found] = await rows(
      db,
      sql<{ count: number; latest: Date | null }>`
        SELECT (SELECT count(*) FROM (
            SELECT 1 FROM ${sql.table(table)}
            WHERE tenant_id = ${tenantId} AND at > now() - interval '1 hour' LIMIT ${most}) newest) AS count,
          (SELECT at FROM ${sql.table(table)}
            WHERE tenant_id = ${tenantId} AND at > now() - interval '1 day'
            ORDER BY at DESC LIMIT 1) AS latest`,
    );
    return { count: found?.count ?? 0, latest: found?.latest ?? null };
  };
  const [requests, calls] = await Promise.all([of('llm_requests'), of('mcp_tool_calls')]);
  return {
    llm_requests: requests.count,
    tool_calls: calls.count,
    latest_llm_request_at: requests.latest,
    latest_tool_call_at: calls.latest,
  };
}
