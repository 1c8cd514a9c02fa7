// Reading files that somebody else may have prepared: regular ones only, never through a link, never more than a limit.
import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { codeOf, isAbsence, messageOf } from '../../runtime/errors.ts';

export type ReadResult =
  | { ok: true; bytes: Buffer; mtimeMs: number }
  | { ok: false; absent: boolean; reason: string };

/**
 * Reads a regular file. Its status is asked before it is opened, because opening a device can already do something;
 * `status` is that of this path, where the caller has just asked for it.
 */
export function readRegularFile(path: string, maxBytes: number, status?: Stats): ReadResult {
  let handle: number | null = null;
  try {
    const before = status ?? lstatSync(path);
    const obstacle = findObstacle(before, maxBytes);
    if (obstacle !== null) return refuse(obstacle);
    // Both flags guard against a swap in between: a link is refused, and a FIFO does not block.
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stat = fstatSync(handle);
    // Windows has neither flag: there the identity of the file shows a swap.
    const isSame = stat.dev === before.dev && stat.ino === before.ino;
    const change = isSame ? findObstacle(stat, maxBytes) : 'it was replaced while it was read';
    if (change !== null) return refuse(change);
    // A buffer larger than the limit detects a file that grows during the read.
    const buffer = Buffer.allocUnsafe(Math.min(stat.size, maxBytes) + 1);
    let length = 0;
    for (;;) {
      const read = readSync(handle, buffer, length, buffer.length - length, null);
      if (read === 0) break;
      length += read;
      if (length === buffer.length) {
        return refuse('it grew while it was read');
      }
    }
    return { ok: true, bytes: buffer.subarray(0, length), mtimeMs: stat.mtimeMs };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, absent: true, reason: code };
    return refuse(code === 'ELOOP' ? 'a symbolic link' : (code ?? messageOf(error)));
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** Returns the reason not to read a path; null for a regular file within the size limit. */
function findObstacle(stat: Stats, maxBytes: number): string | null {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (!stat.isFile()) return 'not a regular file';
  return stat.size > maxBytes ? `larger than ${maxBytes} bytes` : null;
}

const refuse = (reason: string): ReadResult => ({ ok: false, absent: false, reason });

/** Bound of names in a folder. */
export const MAX_NAMES = 50_000;

export interface FolderName {
  name: string;
  /** Kind of the entry, links not followed. */
  kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * Returns a folder's names in order; null where it is missing. Throws where it cannot be read, or has too many names.
 */
export function listFolder(path: string): FolderName[] | null {
  let folder: Dir;
  try {
    folder = opendirSync(path, { bufferSize: 256 });
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  const names: FolderName[] = [];
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (names.length === MAX_NAMES) throw new Error(`more than ${MAX_NAMES} names`);
      names.push({ name: entry.name, kind: kindOf(entry) });
    }
  } finally {
    folder.closeSync();
  }
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function kindOf(entry: Dirent): FolderName['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
