// The spool of log rows on disk: append-only segments of NDJSON, from which the uploader takes batches.
// Invariants:
// - A row is written before the client gets the end of its answer, so that a killed node loses no answered request.
// - A segment is deleted only after the hub acknowledged its rows. Rows of a partly sent segment are sent again after a
//   restart; the hub stores a request id once.
// - Above `bytesMax` the oldest segment is dropped, and its rows are counted.
// Durability: `write` reaches the page cache, which survives the end of the process. `fsync` runs once a second while rows
// arrive, so that a power failure loses at most a second of rows.
import {
  closeSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlink,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export interface SpoolOptions {
  folder: string;
  bytesMax: number;
  /** Bytes after which a segment is closed. */
  segmentBytes?: number;
}

interface Segment {
  file: string;
  bytes: number;
  rows: number;
}

/** Rows of a closed segment, and the acknowledgment that deletes it. */
export interface SpoolBatch {
  lines: string[];
  acknowledge(): void;
}

const SEGMENT_BYTES = 1024 * 1024;
const SEGMENT_ROWS = 1_000;
const SYNC_INTERVAL_MS = 1_000;
const NAME = /^rows-(\d{15})\.ndjson$/;

export class Spool {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #segmentBytes: number;
  /** Closed segments, oldest first. */
  #closed: Segment[] = [];
  #open: (Segment & { handle: number }) | null = null;
  #sequence = 0;
  /** Bytes of all segments. */
  #bytes = 0;
  #dropped = 0;
  #isUnsynced = false;
  readonly #syncTimer: NodeJS.Timeout;
  #onRow: () => void = () => undefined;

  /** Opens the folder and takes over the segments that an earlier process left. */
  constructor({ folder, bytesMax, segmentBytes = SEGMENT_BYTES }: SpoolOptions) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#segmentBytes = segmentBytes;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    for (const name of names.sort()) {
      const file = join(folder, name);
      this.#sequence = Math.max(this.#sequence, Number(NAME.exec(name)?.[1]));
      const bytes = statSync(file).size;
      this.#closed.push({ file, bytes, rows: readLines(file).length });
      this.#bytes += bytes;
    }
    this.#syncTimer = setInterval(() => this.#sync(), SYNC_INTERVAL_MS).unref();
  }

  /** Rows on disk that the hub has not acknowledged. */
  get rows(): number {
    const closed = this.#closed.reduce((sum, { rows }) => sum + rows, 0);
    return closed + (this.#open?.rows ?? 0);
  }

  /** Rows that were dropped because the spool was full, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Sets the function that is called after each row. */
  onRow(listener: () => void): void {
    this.#onRow = listener;
  }

  /** Appends a row. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#dropOldest(bytes.length);
    const segment = this.#open ?? this.#openSegment();
    writeSync(segment.handle, bytes);
    segment.bytes += bytes.length;
    segment.rows++;
    this.#bytes += bytes.length;
    this.#isUnsynced = true;
    if (segment.bytes >= this.#segmentBytes || segment.rows >= SEGMENT_ROWS) this.#closeSegment();
    this.#onRow();
  }

  /** Returns the rows of the oldest segment, or null if there are none. */
  peek(): SpoolBatch | null {
    if (this.#closed.length === 0) this.#closeSegment();
    const segment = this.#closed[0];
    if (segment === undefined) return null;
    return {
      lines: readLines(segment.file),
      acknowledge: () => {
        if (this.#closed.includes(segment)) this.#delete(segment);
      },
    };
  }

  close(): void {
    clearInterval(this.#syncTimer);
    this.#closeSegment();
  }

  #openSegment(): Segment & { handle: number } {
    this.#sequence = Math.max(this.#sequence + 1, Date.now());
    const file = join(this.#folder, `rows-${String(this.#sequence).padStart(15, '0')}.ndjson`);
    this.#open = { file, bytes: 0, rows: 0, handle: openSync(file, 'a', 0o600) };
    return this.#open;
  }

  #closeSegment(): void {
    if (this.#open === null) return;
    const { handle, ...segment } = this.#open;
    this.#open = null;
    closeSync(handle);
    this.#closed.push(segment);
  }

  #delete(segment: Segment): void {
    this.#closed.splice(this.#closed.indexOf(segment), 1);
    this.#bytes -= segment.bytes;
    // A file that survives a crash is sent again, which the hub recognizes by the request ids.
    unlink(segment.file, () => undefined);
  }

  #dropOldest(incoming: number): void {
    while (this.#bytes + incoming > this.#bytesMax) {
      if (this.#closed.length === 0) this.#closeSegment();
      const oldest = this.#closed[0];
      if (oldest === undefined) return;
      this.#dropped += oldest.rows;
      this.#delete(oldest);
    }
  }

  #sync(): void {
    if (!this.#isUnsynced || this.#open === null) return;
    this.#isUnsynced = false;
    fdatasync(this.#open.handle, () => undefined);
  }
}

/** Returns the complete lines of a segment. A process that was killed while it wrote leaves a part of a line. */
function readLines(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
}
