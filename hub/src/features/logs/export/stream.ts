// The lines of one response: export_started, events, checkpoint; or, where something fails on the way, an error and no
// checkpoint. The next rows are read while these are taken, and no connection is held while nobody takes them.
import type { ReadByCopy } from '../../../platform/db/copy-reader.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { toHubError } from '../../../platform/http/errors/errors.ts';
import type { Micros } from '../events/index.ts';
import { createLines, type LineForm, type PieceSource } from './lines.ts';
import { type EventTable, readEvents } from './store.ts';
import type { Position, Window } from './window.ts';

/** A quarter of the largest page. */
const CHUNK_ROWS = 1_250;

/** What tells the two endpoints apart. */
export interface Export {
  tenantId: string;
  table: EventTable;
  window: Window;
  /** Fields of export_started that are the endpoint's own. */
  started: Record<string, unknown>;
  timeText(at: Micros): string;
  form: LineForm;
  memory: PieceSource;
  seal(position: Position): string;
  /** Throws where the key opens nothing any more: a collector may take its time over a page. */
  stillOpen(): Promise<unknown>;
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
export async function openExport(read: ReadByCopy, one: Export, told: (what: Told) => void) {
  const { window } = one;
  const first = await readChunk(read, one, window.after, window.limit);
  if (first.last === null && window.isEndOfCursor) {
    // What it was to go on with was erased. It comes back unchanged: held to its window it would see nothing for ever.
    const end = Math.max(window.start, window.maxExportable);
    const onwards = { ...one, window: { ...window, end, isEndOfCursor: false } };
    return linesOf(read, onwards, await readChunk(read, onwards, window.after, window.limit), told);
  }
  return linesOf(read, one, first, told);
}

async function* linesOf(
  read: ReadByCopy,
  one: Export,
  first: Chunk,
  told: (what: Told) => void,
): AsyncGenerator<string | Buffer> {
  const { limit } = one.window;
  yield startedLine(one);
  try {
    let count = 0;
    let chunk = first;
    let last: Place | null = null;
    while (chunk.last !== null) {
      count += chunk.rows;
      last = chunk.last;
      const next = chunk.hasMore ? NOTHING : readChunk(read, one, last, limit - count);
      // Looked at when these are taken; until then it must not count as unhandled.
      if (next instanceof Promise) next.catch(() => undefined);
      yield* chunk.pieces;
      if (chunk.hasMore) break;
      chunk = await next;
      if (chunk.last !== null) await one.stillOpen();
    }
    const what = outcome(one, { count, last, hasMore: chunk.hasMore });
    yield checkpointLine(one, what);
    told(what);
  } catch (error) {
    yield errorLine(error);
  }
}

type Place = { at: Micros; id: string };

/** Some of the lines, as they go out. */
interface Chunk {
  pieces: readonly Buffer[];
  rows: number;
  /** Null without rows: there are no more. */
  last: Place | null;
  /** The page is full, and a row behind it was seen. */
  hasMore: boolean;
}

const NOTHING: Chunk = { pieces: [], rows: 0, last: null, hasMore: false };

/** `limit`: how many rows the page may still have. With the last of them one more is read, to know whether there is one. */
async function readChunk(
  read: ReadByCopy,
  one: Export,
  after: Place | null,
  limit: number,
): Promise<Chunk> {
  const { tenantId, window, table, form, seal } = one;
  if (window.start >= window.end) return NOTHING;
  const isLast = limit <= CHUNK_ROWS;
  const range = { tenantId, start: window.start, end: window.end, after };
  const lines = createLines(form, one.memory);
  const chunk = { rows: 0, last: null as Place | null, hasMore: false };
  await readEvents(read, table, range, isLast ? limit + 1 : CHUNK_ROWS, (event) => {
    if (isLast && chunk.rows === limit) {
      chunk.hasMore = true;
      return;
    }
    const { at, id } = event;
    lines.add(event, seal({ at, id, end: null }));
    chunk.rows++;
    chunk.last = { at, id };
  });
  return { ...chunk, pieces: lines.pieces() };
}

function outcome(
  { window, seal, noId }: Export,
  of: { count: number; last: Place | null; hasMore: boolean },
): Told {
  const { last, hasMore, count } = of;
  const nextCursor =
    last === null
      ? (window.cursor ?? seal({ at: window.end, id: noId, end: null }))
      : seal({ at: last.at, id: last.id, end: hasMore ? window.end : null });
  // A window of times to come was read to no further than today.
  const readUpTo = hasMore && last !== null ? last.at : Math.min(window.end, window.maxExportable);
  return { rows: count, hasMore, nextCursor, readUpTo };
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
  const { code, message } = toHubError(error);
  // A stored cursor that is too old is a 400 here; elsewhere it is a 410.
  const status = code === 'cursor_expired' ? 400 : ERRORS[code].status;
  const words = status >= 500 ? ERRORS[code].message : message;
  return { status, body: { type: 'error', error: { message: words, code } } };
}

export function errorLine(error: unknown): string {
  return line(errorOf(error).body);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
