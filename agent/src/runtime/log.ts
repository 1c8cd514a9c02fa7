// The agent's log: JSON lines on standard error and in a file of the data folder that is kept small, tokens cut out
// wherever they might slip in.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Bound of lines in memory that standard error has not taken. */
const MAX_WAITING = 1024 * 1024;
const LOG_FILE_BYTES = 4 * 1024 * 1024;
/** Older log files beside the current file: 16 MiB in total. */
const OLD_LOG_FILES = 3;

/** Writes at once, so that the last line before a crash is there. `folder` null: no file. */
export function createLog(level: string, folder: string | null = null): Log {
  const standardError = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING });
  // A full disk or a reader that went away behind it is no reason to end: the lines wait, or are lost here only.
  standardError.on('error', () => undefined);
  const streams: DestinationStream[] = [standardError];
  if (folder !== null) streams.push(openRotatingFile(folder));
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['*.token', '*.authorization', 'token', 'authorization', 'auth_token'],
        censor: '[cut]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    {
      write(line: string) {
        for (const stream of streams) stream.write(line);
      },
    },
  );
}

/** The files of the log in a folder, the newest first. */
export function logFiles(folder: string): string[] {
  const names = ['', ...Array.from({ length: OLD_LOG_FILES }, (_, old) => `.${old + 1}`)];
  return names.map((ending) => join(folder, `agent.log${ending}`));
}

/** A pipe in place of the file is none to wait for. */
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** A full disk loses lines of this file only: standard error has them. */
export function openRotatingFile(folder: string, maxBytes = LOG_FILE_BYTES): DestinationStream {
  const files = logFiles(folder);
  const [current = ''] = files;
  let handle: number | null = null;
  let bytes = 0;
  /** A full disk cut a line: the next line begins anew. */
  let isCut = false;
  const rotate = () => {
    if (handle !== null) closeSync(handle);
    handle = null;
    files.toReversed().forEach((file, index, oldest) => {
      const younger = oldest[index + 1];
      if (younger === undefined) return;
      try {
        renameSync(younger, file);
      } catch {
        // There were not that many yet.
      }
    });
  };
  const open = (): number => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    handle = openSync(current, APPEND, 0o600);
    bytes = fstatSync(handle).size;
    return handle;
  };
  return {
    write(line) {
      try {
        // Somebody took the file away: what is written now would be in no folder.
        if (handle !== null && fstatSync(handle).nlink === 0) {
          closeSync(handle);
          handle = null;
        }
        if (handle === null) open();
        if (bytes > 0 && bytes + line.length > maxBytes) rotate();
        const whole = Buffer.from(isCut ? `\n${line}` : line);
        const written = writeSync(handle ?? open(), whole);
        bytes += written;
        isCut = written > 0 ? written < whole.length : isCut;
      } catch {
        // Reported above.
      }
    },
  };
}
