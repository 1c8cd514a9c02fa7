// Destinations of rows. A sink buffers the lines of a page, and either commits them together with the cursor or
// discards them.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';

export interface Sink {
  /** The cursor of the last committed page; null before the first commit. */
  readonly cursor: string | null;
  write(line: Buffer): Promise<void>;
  /** Stores the lines of the page and the cursor after them. */
  commit(cursor: string): Promise<void>;
  /** Discards the lines since the last commit. */
  rollback(): Promise<void>;
  close(): void;
}

interface State {
  /** Null until the first page is committed. */
  cursor: string | null;
  /** The number of the current file, and its committed length in bytes. */
  file: number;
  bytes: number;
}

const FILE_BYTES = 256 * 1024 * 1024;
const BUFFER_BYTES = 1024 * 1024;
const STATE = 'state.json';
const NAME = /^logs-(\d{8})\.ndjson$/;
const nameOf = (file: number) => `logs-${String(file).padStart(8, '0')}.ndjson`;

/**
 * Opens a sink of NDJSON files in a folder of its own. Rows are synced to disk before the state refers to them, the
 * state is replaced atomically, and a start truncates everything beyond the state. A kill or a power failure therefore
 * causes neither a gap nor a repetition.
 */
export function openFileSink(folder: string, fileBytes = FILE_BYTES): Sink {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = lock(folder);
  let state = startState(folder);
  for (const name of readdirSync(folder)) {
    const number = Number(NAME.exec(name)?.[1] ?? 0);
    if (number > state.file) rmSync(join(folder, name));
  }
  let fd = openSync(join(folder, nameOf(state.file)), 'a', 0o600);
  ftruncateSync(fd, state.bytes);
  let written = state.bytes;
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  const flush = () => {
    if (bufferedBytes === 0) return;
    const all = Buffer.concat(buffered);
    for (let done = 0; done < all.length; ) done += writeSync(fd, all, done);
    written += all.length;
    buffered = [];
    bufferedBytes = 0;
  };
  return {
    get cursor() {
      return state.cursor;
    },
    async write(line) {
      buffered.push(line);
      bufferedBytes += line.length;
      if (bufferedBytes >= BUFFER_BYTES) flush();
    },
    async commit(cursor) {
      flush();
      fsyncSync(fd);
      const isFull = written >= fileBytes;
      const next = { cursor, file: state.file + (isFull ? 1 : 0), bytes: isFull ? 0 : written };
      if (isFull) {
        closeSync(fd);
        fd = openSync(join(folder, nameOf(next.file)), 'a', 0o600);
        written = 0;
      }
      syncFolder(folder);
      writeState(folder, next);
      state = next;
    },
    async rollback() {
      buffered = [];
      bufferedBytes = 0;
      ftruncateSync(fd, state.bytes);
      written = state.bytes;
    },
    close() {
      closeSync(fd);
      release();
    },
  };
}

/**
 * Opens a sink on standard output, a page at a time: the lines are written when their page is complete, and the cursor
 * is stored after the write. A kill between the two repeats the page: its reader deduplicates by `request.id` or
 * `request.log_id`.
 */
export function openStreamSink(out: Writable, stateFile: string | null): Sink {
  const folder = stateFile === null ? null : dirname(stateFile);
  let cursor = stateFile === null || !existsSync(stateFile) ? null : readCursor(stateFile);
  let buffered: Buffer[] = [];
  // A closed reader causes a failed write and an error event; the write reports it.
  out.on('error', () => undefined);
  return {
    get cursor() {
      return cursor;
    },
    async write(line) {
      buffered.push(line);
    },
    async commit(next) {
      const page = Buffer.concat(buffered);
      buffered = [];
      if (page.length > 0) {
        await new Promise<void>((resolve, reject) => {
          out.write(page, (error) => (error ? reject(error) : resolve()));
        });
      }
      if (stateFile !== null && folder !== null) replace(stateFile, folder, { cursor: next });
      cursor = next;
    },
    async rollback() {
      buffered = [];
    },
    close: () => undefined,
  };
}

/**
 * Returns the state to continue from. A removed file is not started again, because whoever removed it has its rows.
 * Without a state, existing files are complete and remain.
 */
function startState(folder: string): State {
  const stored = readState(folder);
  if (stored === null) {
    const last = Math.max(
      0,
      ...readdirSync(folder).map((name) => Number(NAME.exec(name)?.[1] ?? 0)),
    );
    const first = { cursor: null, file: last + 1, bytes: 0 };
    // The state is written before any row, so that rows beyond a state are uncommitted.
    writeState(folder, first);
    return first;
  }
  const size = statSync(join(folder, nameOf(stored.file)), { throwIfNoEntry: false })?.size ?? 0;
  return size < stored.bytes ? { ...stored, file: stored.file + 1, bytes: 0 } : stored;
}

function readState(folder: string): State | null {
  const file = join(folder, STATE);
  if (!existsSync(file)) return null;
  return JSON.parse(readFileSync(file, 'utf8')) as State;
}

function readCursor(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { cursor: string }).cursor;
}

const writeState = (folder: string, state: State) => replace(join(folder, STATE), folder, state);

/** Replaces a file atomically. */
function replace(file: string, folder: string, value: object): void {
  const draft = `${file}.new`;
  const fd = openSync(draft, 'w', 0o600);
  writeFileSync(fd, JSON.stringify(value));
  fsyncSync(fd);
  closeSync(fd);
  renameSync(draft, file);
  syncFolder(folder);
}

function syncFolder(folder: string): void {
  // Windows cannot open folders and does not need the sync.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/**
 * Locks the folder, because two collectors would truncate each other's rows. A lock is stale if its process has ended,
 * or if another process has its id.
 */
function lock(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = `${process.pid} ${startTimeOf(process.pid)}`;
  for (;;) {
    if (createExclusively(file, own)) return () => rmSync(file, { force: true });
    const existing = readLock(file);
    // The lock was released meanwhile.
    if (existing === null) continue;
    const [owner = '', startTime = ''] = existing.text.split(' ');
    if (owner === '') {
      // A process that ends between creating and writing the file leaves it empty. The clock of its writer may have
      // been ahead.
      if (Math.abs(existing.ageMs) < EMPTY_LOCK_STALE_MS) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EMPTY_LOCK_STALE_MS / 10);
        continue;
      }
    } else if (Number(owner) !== process.pid && isRunning(Number(owner), startTime)) {
      throw new Error(`${folder} is in use by process ${owner}`);
    }
    rmSync(file, { force: true });
  }
}

/** The age in milliseconds from which an empty lock is stale. */
const EMPTY_LOCK_STALE_MS = 2_000;

/** Returns false if the file exists. A full disk leaves no file. */
function createExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    rmSync(file, { force: true });
    throw error;
  }
}

function readLock(file: string): { text: string; ageMs: number } | null {
  try {
    return { text: readFileSync(file, 'utf8'), ageMs: Date.now() - statSync(file).mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isRunning(pid: number, startTime: string): boolean {
  const now = startTimeOf(pid);
  if (startTime !== '' && now !== '' && now !== startTime) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the start time of a process in kernel ticks with the boot id; empty without /proc. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The process name in parentheses may contain any character; the 20th field after it is the start time.
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}
