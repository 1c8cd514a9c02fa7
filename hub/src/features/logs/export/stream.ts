// The lines of a response: export_started, events, checkpoint; after a failure an error and no checkpoint. The next
// rows are read while the current rows are sent, and no connection is reserved while the client is slow.
import type { ReadByCopy } from '../../../platform/db/copy-reader.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { toHubError } from '../../../platform/http/errors/errors.ts';
import type { Micros } from '../events/index.ts';
import { createLines, type LineMemory, type LineTemplate } from './lines.ts';
import { type EventTable, readEvents } from './store.ts';
import type { RowPosition, Window } from './window.ts';

/** A quarter of the largest page. */
const CHUNK_ROWS = 1_250;

/** The parts in which the two endpoints differ. */
export interface ExportStream {
  tenantId: string;
  table: EventTable;
  window: Window;
  /** Fields of export_started of this endpoint. */
  started: Record<string, unknown>;
  timeText(at: Micros): string;
  form: LineTemplate;
  memory: LineMemory;
  seal(position: RowPosition): string;
  /** Revalidates the key; throws if it has no access any more, because a collector may take long for a page. */
  revalidate(): Promise<unknown>;
  /** An id smaller than every other: for a cursor that points to a time. */
  noId: string;
}

export interface Checkpoint {
  rows: number;
  hasMore: boolean;
  nextCursor: string;
  /** Everything before this time was sent. */
  readUpTo: Micros;
}

/**
 * Reads the first rows before anything is sent, so that a failure still has a status of its own. `onEnd` is called with
 * the checkpoint after the last line.
 */
export async function openExport(
  read: ReadByCopy,
  stream: ExportStream,
  onEnd: (checkpoint: Checkpoint) => void,
) {
  const { window } = stream;
  const first = await readChunk(read, stream, window.after, window.limit);
  if (first.last === null && window.isEndOfCursor) {
    // The rows of the cursor's window were erased. The cursor comes back unchanged, so the window is extended;
    // otherwise the collector would never see a row again.
    const end = Math.max(window.start, window.maxExportable);
    const extended = { ...stream, window: { ...window, end, isEndOfCursor: false } };
    return generateLines(
      read,
      extended,
      await readChunk(read, extended, window.after, window.limit),
      onEnd,
    );
  }
  return generateLines(read, stream, first, onEnd);
}

async function* generateLines(
  read: ReadByCopy,
  stream: ExportStream,
  first: Chunk,
  onEnd: (checkpoint: Checkpoint) => void,
): AsyncGenerator<string | Buffer> {
  const { limit } = stream.window;
  yield startedLine(stream);
  try {
    let count = 0;
    let chunk = first;
    let last: RowKey | null = null;
    while (chunk.last !== null) {
      count += chunk.rows;
      last = chunk.last;
      const next = chunk.hasMore ? NOTHING : readChunk(read, stream, last, limit - count);
      // The promise is awaited after these rows; until then its rejection must not count as unhandled.
      if (next instanceof Promise) next.catch(() => undefined);
      yield* chunk.buffers;
      if (chunk.hasMore) break;
      chunk = await next;
      if (chunk.last !== null) await stream.revalidate();
    }
    const checkpoint = toCheckpoint(stream, { count, last, hasMore: chunk.hasMore });
    yield checkpointLine(stream, checkpoint);
    onEnd(checkpoint);
  } catch (error) {
    yield errorLine(error);
  }
}

type RowKey = { at: Micros; id: string };

/** A part of the lines, as sent. */
interface Chunk {
  buffers: readonly Buffer[];
  rows: number;
  /** Null without rows: there are no more. */
  last: RowKey | null;
  /** Whether the page is full, and a row after it exists. */
  hasMore: boolean;
}

const NOTHING: Chunk = { buffers: [], rows: 0, last: null, hasMore: false };

/**
 * Reads the next rows. `limit`: the remaining rows of the page. With its last rows another row is read, to know whether
 * there is a next page.
 */
async function readChunk(
  read: ReadByCopy,
  stream: ExportStream,
  after: RowKey | null,
  limit: number,
): Promise<Chunk> {
  const { tenantId, window, table, form, seal } = stream;
  if (window.start >= window.end) return NOTHING;
  const isLast = limit <= CHUNK_ROWS;
  const range = { tenantId, start: window.start, end: window.end, after };
  const lines = createLines(form, stream.memory);
  const chunk = { rows: 0, last: null as RowKey | null, hasMore: false };
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
  return { ...chunk, buffers: lines.finish() };
}

function toCheckpoint(
  { window, seal, noId }: ExportStream,
  progress: { count: number; last: RowKey | null; hasMore: boolean },
): Checkpoint {
  const { last, hasMore, count } = progress;
  const nextCursor =
    last === null
      ? (window.cursor ?? seal({ at: window.end, id: noId, end: null }))
      : seal({ at: last.at, id: last.id, end: hasMore ? window.end : null });
  // A window with future times was read to no further than the newest exportable time.
  const readUpTo = hasMore && last !== null ? last.at : Math.min(window.end, window.maxExportable);
  return { rows: count, hasMore, nextCursor, readUpTo };
}

function startedLine({ window, started, timeText }: ExportStream): string {
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

function checkpointLine({ window, timeText }: ExportStream, checkpoint: Checkpoint): string {
  return line({
    type: 'checkpoint',
    schema_version: 'v1',
    next_cursor: checkpoint.nextCursor,
    rows: checkpoint.rows,
    has_more: checkpoint.hasMore,
    effective_end_time: timeText(window.end),
    max_exportable_time: timeText(window.maxExportable),
  });
}

/** Returns status and body of an error, for either view, before or after the stream began. */
export function errorOf(error: unknown): { status: number; body: object } {
  const { code, message } = toHubError(error);
  // A stored cursor that is too old is a 400 here; elsewhere it is a 410.
  const status = code === 'cursor_expired' ? 400 : ERRORS[code].status;
  const text = status >= 500 ? ERRORS[code].message : message;
  return { status, body: { type: 'error', error: { message: text, code } } };
}

/** Returns the error as a line of NDJSON. */
export function errorLine(error: unknown): string {
  return line(errorOf(error).body);
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
