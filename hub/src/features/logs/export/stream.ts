// The lines of one response: export_started, events, checkpoint; or, where something fails on the way, an error and no
// checkpoint. The next rows are read while these are taken, and no connection is held while nobody takes them.
import type { Db } from '../../../platform/db/database.ts';
import { asHubError, ERRORS } from '../../../platform/http/errors.ts';
import { currentEvent, type Micros } from '../rows/index.ts';
import { type EventRow, type EventTable, hasEvents, type Range, selectEvents } from './store.ts';
import type { Position, Window } from './window.ts';

const CHUNK_ROWS = 1_000;

/** What tells the two endpoints apart. */
export interface Export {
  tenantId: string;
  table: EventTable;
  window: Window;
  /** Fields of export_started that are the endpoint's own. */
  started: Record<string, unknown>;
  timeText(at: Micros): string;
  /** The line of an event, its cursor given. */
  line(row: EventRow, cursor: string): string;
  seal(position: Position): string;
  /** Smaller than every id: where a cursor is pinned to a time. */
  noId: string;
}

export interface Told {
  rows: number;
  hasMore: boolean;
  nextCursor: string;
  /** Everything before this time was told. */
  readUpTo: Micros;
}

/** Reads the first rows before anything is sent, so that what fails now still has a status of its own. */
export async function openExport(db: Db, one: Export, told: (what: Told) => void) {
  const first = await nextRows(db, one, one.window.after, one.window.limit);
  return linesOf(db, one, first, told);
}

async function* linesOf(
  db: Db,
  one: Export,
  first: EventRow[],
  told: (what: Told) => void,
): AsyncGenerator<string> {
  const { window } = one;
  yield startedLine(one);
  try {
    let count = 0;
    let last: EventRow | null = null;
    let chunk = first;
    while (chunk.length > 0) {
      count += chunk.length;
      last = chunk.at(-1) as EventRow;
      const next = nextRows(db, one, last, window.limit - count);
      // Looked at when these are taken; until then it must not count as unhandled.
      next.catch(() => undefined);
      yield chunk
        .map((row) =>
          one.line({ ...row, event: currentEvent(row) }, one.seal({ ...row, end: null })),
        )
        .join('');
      chunk = await next;
    }
    const hasMore =
      last !== null &&
      count >= window.limit &&
      (await hasEvents(db, one.table, rangeOf(one, last)));
    const what = outcome(one, { count, last, hasMore });
    yield checkpointLine(one, what);
    told(what);
  } catch (error) {
    yield errorLine(error);
  }
}

function outcome(
  { window, seal, noId }: Export,
  of: { count: number; last: EventRow | null; hasMore: boolean },
): Told {
  const { last, hasMore, count } = of;
  const nextCursor =
    last === null
      ? (window.cursor ?? seal({ at: window.end, id: noId, end: null }))
      : seal({ at: last.at, id: last.id, end: hasMore ? window.end : null });
  const readUpTo = hasMore && last !== null ? last.at : window.end;
  return { rows: count, hasMore, nextCursor, readUpTo };
}

async function nextRows(
  db: Db,
  one: Export,
  after: { at: Micros; id: string } | null,
  limit: number,
): Promise<EventRow[]> {
  if (limit <= 0 || one.window.start >= one.window.end) return [];
  return selectEvents(db, one.table, rangeOf(one, after), Math.min(limit, CHUNK_ROWS));
}

function rangeOf({ tenantId, window }: Export, after: { at: Micros; id: string } | null): Range {
  return { tenantId, start: window.start, end: window.end, after };
}

function startedLine({ window, started, timeText }: Export): string {
  return line({
    type: 'export_started',
    schema_version: 'v1',
    ...started,
    effective_start_time: timeText(window.start),
    effective_end_time: timeText(window.end),
    max_exportable_time: timeText(window.maxExportable),
    end_time_clamped: window.isClamped,
    limit: window.limit,
  });
}

function checkpointLine({ window, timeText }: Export, told: Told): string {
  return line({
    type: 'checkpoint',
    schema_version: 'v1',
    next_cursor: told.nextCursor,
    rows: told.rows,
    has_more: told.hasMore,
    effective_end_time: timeText(window.end),
    max_exportable_time: timeText(window.maxExportable),
  });
}

/** The error of either view, before or after the stream began. */
export function errorOf(error: unknown): { status: number; body: object } {
  const { code, message } = asHubError(error);
  // A stored cursor that is too old is a 400 here; elsewhere it is a 410.
  const status = code === 'cursor_expired' ? 400 : ERRORS[code].status;
  const words = status >= 500 ? ERRORS[code].message : message;
  return { status, body: { type: 'error', error: { message: words, code } } };
}

export function errorLine(error: unknown): string {
  return line(errorOf(error).body);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
