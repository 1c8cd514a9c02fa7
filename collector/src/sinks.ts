// Where rows go. A sink takes the lines of a page and then commits them together with the cursor, or forgets them.
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
  /** Of the last page that was committed; null at the very start. */
  readonly cursor: string | null;
  write(line: Buffer): Promise<void>;
  /** Keeps the page's lines and the cursor after them. */
  commit(cursor: string): Promise<void>;
  /** Forgets the lines since the last commit. */
  rollback(): Promise<void>;
  close(): void;
}

interface State {
  /** Null until the first page is committed. */
  cursor: string | null;
  /** Number of the file that is written to, and how much of it is committed. */
  file: number;
  bytes: number;
}

const FILE_BYTES = 256 * 1024 * 1024;
const BUFFER_BYTES = 1024 * 1024;
const STATE = 'state.json';
const NAME = /^logs-(\d{8})\.ndjson$/;
const nameOf = (file: number) => `logs-${String(file).padStart(8, '0')}.ndjson`;

/**
 * NDJSON files in a folder of their own. Rows are on disk before the state names them, and the state is replaced in one
 * step; a start cuts off what the state does not name. So neither a kill nor a power cut makes a gap or a repeat.
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
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = () => {
    if (waitingBytes === 0) return;
    const all = Buffer.concat(waiting);
    for (let done = 0; done < all.length; ) done += writeSync(fd, all, done);
    written += all.length;
    waiting = [];
    waitingBytes = 0;
  };
  return {
    get cursor() {
      return state.cursor;
    },
    async write(line) {
      waiting.push(line);
      waitingBytes += line.length;
      if (waitingBytes >= BUFFER_BYTES) flush();
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
      waiting = [];
      waitingBytes = 0;
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
 * Standard output, a page at a time: lines go out when their page is whole, the cursor is kept once they are taken. A
 * kill in between makes the page come again: its reader drops what it has by `request.id` or `request.log_id`.
 */
export function openStreamSink(out: Writable, stateFile: string | null): Sink {
  const folder = stateFile === null ? null : dirname(stateFile);
  let cursor = stateFile === null || !existsSync(stateFile) ? null : readCursor(stateFile);
  let waiting: Buffer[] = [];
  // Whoever stops reading is told of by the write that fails, and once more by the stream.
  out.on('error', () => undefined);
  return {
    get cursor() {
      return cursor;
    },
    async write(line) {
      waiting.push(line);
    },
    async commit(next) {
      const page = Buffer.concat(waiting);
      waiting = [];
      if (page.length > 0) {
        await new Promise<void>((resolve, reject) => {
          out.write(page, (error) => (error ? reject(error) : resolve()));
        });
      }
      if (stateFile !== null && folder !== null) replace(stateFile, folder, { cursor: next });
      cursor = next;
    },
    async rollback() {
      waiting = [];
    },
    close: () => undefined,
  };
}

/**
 * A file that was taken away meanwhile is not begun again: who took it has all of it. Where the state itself is gone, files
 * that are there were collected before it, and stay.
 */
function startState(folder: string): State {
  const known = readState(folder);
  if (known === null) {
    const last = Math.max(
      0,
      ...readdirSync(folder).map((name) => Number(NAME.exec(name)?.[1] ?? 0)),
    );
    const first = { cursor: null, file: last + 1, bytes: 0 };
    // Before any row: from now on what no state names was not committed.
    writeState(folder, first);
    return first;
  }
  const size = statSync(join(folder, nameOf(known.file)), { throwIfNoEntry: false })?.size ?? 0;
  return size < known.bytes ? { ...known, file: known.file + 1, bytes: 0 } : known;
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

/** Old or new, never half. */
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
  // Windows opens no folder, and needs it not.
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/**
 * Two collectors on one folder would cut off each other's rows. A lock whose process is gone counts for nothing, nor does
 * one whose number another process has by now.
 */
function lock(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = `${process.pid} ${beginningOf(process.pid)}`;
  for (;;) {
    if (wrote(file, own)) return () => rmSync(file, { force: true });
    const held = readLock(file);
    // Gone meanwhile.
    if (held === null) continue;
    const [holder = '', beginning = ''] = held.text.split(' ');
    if (holder === '') {
      // One that ends between making the file and writing into it leaves it empty for ever. Its clock may have been ahead.
      if (Math.abs(held.ageMs) < WRITING_MS) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITING_MS / 10);
        continue;
      }
    } else if (Number(holder) !== process.pid && isRunning(Number(holder), beginning)) {
      throw new Error(`${folder} is in use by process ${holder}`);
    }
    rmSync(file, { force: true });
  }
}

/** Longer than the few bytes of a lock take. */
const WRITING_MS = 2_000;

/** False where the file is there. A disk that is full leaves none. */
function wrote(file: string, text: string): boolean {
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

function isRunning(pid: number, beginning: string): boolean {
  const now = beginningOf(pid);
  if (beginning !== '' && now !== '' && now !== beginning) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, by the system's own count; empty where the system has no /proc. */
function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name, in parentheses, may hold anything; the 20th field behind it is the time.
    return `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return '';
  }
}
