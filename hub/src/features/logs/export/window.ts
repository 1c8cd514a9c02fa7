// The window of rows of a request: half-open, within lag and retention. Pure.

import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { MICROS, type Micros, microsText, millisText, parseMicros } from '../events/index.ts';

export const LAG: Micros = 15 * MICROS.minute;
const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 5_000;

/** A value is text, or a list for a repeated parameter. */
export type ExportQuery = Partial<
  Record<'start_time' | 'end_time' | 'cursor' | 'limit' | 'view', unknown>
>;

/** The row that was sent last, and the end of its window if the window has more rows. */
export interface RowPosition {
  at: Micros;
  id: string;
  end: Micros | null;
}

export interface Window {
  start: Micros;
  end: Micros;
  maxExportable: Micros;
  isClamped: boolean;
  limit: number;
  /** Rows after this position; null for rows from `start` on. */
  after: RowPosition | null;
  /** Whether `end` comes from the cursor's window, which may have no rows any more. */
  isEndOfCursor: boolean;
  /** The cursor as sent. */
  cursor: string | null;
}

export interface WindowRules {
  now: Micros;
  retentionDays: number;
  cursors: CursorSealer;
  binding: readonly unknown[];
  /** The resolution of the endpoint's times: rows of LLM requests have no microseconds. */
  step: Micros;
}

/**
 * Returns the window of a request; a cursor takes precedence over a valid `start_time`. Throws 400: `invalid_request`,
 * `invalid_cursor`, `cursor_expired` or `before_retention`.
 */
export function windowOf(query: ExportQuery, rules: WindowRules): Window {
  const { now } = rules;
  const limit = limitOf(textOf(query, 'limit'));
  const start = timeOf(query, 'start_time');
  const sentEnd = timeOf(query, 'end_time');
  const cursor = textOf(query, 'cursor') ?? null;
  const oldest = now - rules.retentionDays * MICROS.day;
  const maxExportable = now - LAG;
  if (sentEnd !== null && sentEnd < oldest) throw beforeRetention('end_time');
  const after = cursor === null ? null : openCursor(rules, cursor);
  requireStart({ after, start, sentEnd, oldest, maxExportable }, rules);
  const cut = (at: Micros) => Math.floor(at / rules.step) * rules.step;
  const end = cut(Math.min(sentEnd ?? after?.end ?? maxExportable, maxExportable));
  const from = after?.at ?? (start === null ? end - MICROS.day : cut(start));
  if (from < oldest && sentEnd !== null) throw beforeRetention('start_time');
  // A default start is cut to the retention of the tenant.
  const clampedStart = Math.max(from, oldest);
  return {
    // A cursor from a clock ahead of this hub opens an empty window: no window ends after `max_exportable_time`.
    start: Math.min(clampedStart, cut(maxExportable)),
    end: Math.min(Math.max(end, clampedStart), cut(maxExportable)),
    maxExportable,
    isClamped: sentEnd !== null && sentEnd > maxExportable,
    limit,
    after,
    isEndOfCursor: sentEnd === null && after !== null && after.end !== null,
    cursor,
  };
}

/** Throws if the cursor or the start time is outside of retention and lag, or is not before the end time. */
function requireStart(
  bounds: {
    after: RowPosition | null;
    start: Micros | null;
    sentEnd: Micros | null;
    oldest: Micros;
    maxExportable: Micros;
  },
  rules: WindowRules,
): void {
  const { after, start, sentEnd, oldest, maxExportable } = bounds;
  if (after !== null) {
    if (after.at < oldest) throw new HubError('cursor_expired');
    return;
  }
  if (start === null) return;
  if (sentEnd !== null && sentEnd <= start) {
    throw new HubError('invalid_request', '/query/end_time must be after start_time');
  }
  if (start < oldest) throw beforeRetention('start_time');
  if (start > maxExportable) throw notExportable(maxExportable, rules);
}

/** Returns `logs` or `metrics`. Throws `invalid_view`. */
export function viewOf(query: ExportQuery): 'logs' | 'metrics' {
  const view = query.view ?? 'logs';
  if (view !== 'logs' && view !== 'metrics') throw new HubError('invalid_view');
  return view;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return LIMIT_DEFAULT;
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text)) {
    throw new HubError('invalid_request', '/query/limit must be a whole number of at least 1');
  }
  return Math.min(Number(text), LIMIT_MAX);
}

function timeOf(query: ExportQuery, name: 'start_time' | 'end_time'): Micros | null {
  const text = textOf(query, name);
  if (text === undefined) return null;
  const at = parseMicros(text);
  if (at === null) {
    throw new HubError(
      'invalid_request',
      `/query/${name} must be an ISO 8601 time (a + is written %2B)`,
    );
  }
  return at;
}

function textOf(query: ExportQuery, name: keyof ExportQuery): string | undefined {
  const value = query[name];
  if (value !== undefined && typeof value !== 'string') {
    throw new HubError('invalid_request', `/query/${name} must occur only once`);
  }
  return value;
}

const notExportable = (maxExportable: Micros, { step }: WindowRules) => {
  const text = step === MICROS.ms ? millisText(maxExportable) : microsText(maxExportable);
  return new HubError(
    'invalid_request',
    `/query/start_time must not be after max_exportable_time, which is ${text}`,
  );
};

const beforeRetention = (name: string) =>
  new HubError('before_retention', `/query/${name} is before the retention period.`);

/** Returns the function that seals the cursors of a response. */
export function cursorMaker({
  cursors,
  binding,
}: Pick<WindowRules, 'cursors' | 'binding'>): (position: RowPosition) => string {
  const seal = cursors.createSealer(binding);
  return ({ at, id, end }) => seal(end === null ? [at, id] : [at, id, end]);
}

function openCursor({ cursors, binding }: WindowRules, cursor: string): RowPosition {
  const opened = cursors.open(binding, cursor) as [Micros, string, Micros?] | null;
  if (opened === null) throw new HubError('invalid_cursor');
  const [at, id, end = null] = opened;
  return { at, id, end };
}
