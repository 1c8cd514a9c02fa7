// SQL of the export: short reads by key, never an open cursor. A read ends at a number of rows or of bytes, whichever
// comes first, because a row may have 8 MiB.
import { type RawBuilder, sql } from 'kysely';
import type { CopiedRow, ReadByCopy } from '../../../platform/db/copy-reader.ts';
import { type Micros, microsText } from '../events/index.ts';

const CHUNK_BYTES = 3 * 1024 * 1024;

/** A row as the database sends it, valid until the next row. */
export interface CopiedEvent {
  at: Micros;
  /** `request_id`, or `log_id` as text. */
  id: string;
  redactionVersion: number;
  /** The event's JSON in UTF-8. */
  bytes: Buffer;
  start: number;
  end: number;
}

/** The table of a scope and its order. */
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

/** Reads at most `limit` rows in order; fewer if they are large, but at least a single row if there is any. */
export function readEvents(
  read: ReadByCopy,
  { table, id, scope }: EventTable,
  range: Range,
  limit: number,
  onEvent: (event: CopiedEvent) => void,
): Promise<void> {
  const key = sql.ref(id.column);
  // The known limit is inside, or the planner would expect a tenth of all rows.
  const inOrder = (columns: RawBuilder<unknown>) => sql`
    SELECT ${columns} FROM ${sql.table(table)} WHERE ${scope} AND ${within(id, range)}
    ORDER BY at, ${key} LIMIT ${limit}`;
  // The sum runs over sizes alone: a window over complete rows would copy each event once more.
  const fitting = sql`
    SELECT count(*) FROM (
      SELECT sum(event_bytes) OVER (ORDER BY at, ${key} ROWS UNBOUNDED PRECEDING) - event_bytes
        AS bytes_before
      FROM (${inOrder(sql`at, ${key}, event_bytes`)}) AS sizes
    ) AS counted
    WHERE bytes_before < ${CHUNK_BYTES}`;
  const page = inOrder(sql`at, ${key}, redaction_version, event`);
  const events = sql`
    SELECT at, ${key}::text, redaction_version, event FROM (${page}) AS page
    ORDER BY page.at, page.${key} LIMIT (${fitting})`;
  const event = { at: 0, id: '', redactionVersion: 0, bytes: Buffer.alloc(0), start: 0, end: 0 };
  return read(events, (row) => onEvent(fillEvent(event, row)));
}

const MICROS_TO_2000 = 946_684_800_000_000;

function fillEvent(event: CopiedEvent, row: CopiedRow): CopiedEvent {
  const { bytes } = row;
  const at = row.start(0);
  event.at = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4) + MICROS_TO_2000;
  event.id = bytes.toString('utf8', row.start(1), row.end(1));
  event.redactionVersion = bytes.readInt16BE(row.start(2));
  event.bytes = bytes;
  event.start = row.start(3);
  event.end = row.end(3);
  return event;
}

function within(id: EventTable['id'], { tenantId, start, end, after }: Range) {
  // The condition on the time alone excludes partitions.
  const from = after === null ? start : after.at;
  const beyond =
    after === null
      ? sql`true`
      : sql`(at, ${sql.ref(id.column)}) >
          (${microsText(after.at)}::timestamptz, ${after.id}::${sql.raw(id.type)})`;
  return sql`tenant_id = ${tenantId} AND at >= ${microsText(from)}::timestamptz
    AND at < ${microsText(end)}::timestamptz AND ${beyond}`;
}
