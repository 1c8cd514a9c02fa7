// All SQL of the export: short reads by key, never a held cursor. A read ends at so many rows or so many bytes,
// whichever comes first: rows may be 8 MiB each.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { type Micros, microsText } from '../rows/index.ts';

const CHUNK_BYTES = 2 * 1024 * 1024;

export interface EventRow {
  at: Micros;
  /** `request_id`, or `log_id` as text. */
  id: string;
  redaction_version: number;
  event: string;
}

/** What a scope holds and in which order it stands. */
export interface EventTable {
  table: 'llm_requests' | 'mcp_tool_calls';
  id: { column: 'request_id' | 'log_id'; type: 'text' | 'bigint' };
  scope: RawBuilder<unknown>;
}

export interface Range {
  tenantId: string;
  start: Micros;
  end: Micros;
  after: { at: Micros; id: string } | null;
}

export function selectEvents(
  db: Db,
  { table, id, scope }: EventTable,
  range: Range,
  limit: number,
): Promise<EventRow[]> {
  const key = sql.ref(id.column);
  return rows(
    db,
    sql<EventRow>`
      SELECT (extract(epoch FROM at) * 1000000)::bigint AS at, ${key}::text AS id,
        redaction_version, event
      FROM (
        SELECT at, ${key}, redaction_version, event,
          sum(event_bytes) OVER (ORDER BY at, ${key}) - event_bytes AS bytes_before
        FROM (
          SELECT at, ${key}, redaction_version, event_bytes, event FROM ${sql.table(table)}
          WHERE ${scope} AND ${within(id, range)}
          ORDER BY at, ${key} LIMIT ${limit}
        ) AS page
      ) AS counted
      WHERE bytes_before < ${CHUNK_BYTES} ORDER BY counted.at, ${key}`,
  );
}

export async function hasEvents(
  db: Db,
  { table, id, scope }: EventTable,
  range: Range,
): Promise<boolean> {
  const found = await row(
    db,
    sql`
      SELECT 1 FROM ${sql.table(table)} WHERE ${scope} AND ${within(id, range)}
      ORDER BY at, ${sql.ref(id.column)} LIMIT 1`,
  );
  return found !== null;
}

function within(id: EventTable['id'], { tenantId, start, end, after }: Range) {
  // The time alone, too: it is what leaves out whole days.
  const from = after === null ? start : after.at;
  const beyond =
    after === null
      ? sql`true`
      : sql`(at, ${sql.ref(id.column)}) >
          (${microsText(after.at)}::timestamptz, ${after.id}::${sql.raw(id.type)})`;
  return sql`tenant_id = ${tenantId} AND at >= ${microsText(from)}::timestamptz
    AND at < ${microsText(end)}::timestamptz AND ${beyond}`;
}
