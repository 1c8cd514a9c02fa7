// Moves an executable aside and back: the same file with all that belongs to it, through folders that nobody can swap for
// a link meanwhile. Every function may be called again after a crash, and then goes on where it was.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statfsSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { codeOf } from '../../runtime/errors.ts';
import { retryWhileInUse } from '../../runtime/rename-over.ts';
import type { QuarantinedFile } from './quarantine-records.ts';

const run = promisify(execFile);
const COPY_PATIENCE_MS = 120_000;
const ROOM_LEFT_BYTES = 8 * 1024 * 1024;
/** Errors of a hard link across file systems, or on a file system without hard links: the file is copied. */
const NO_LINK = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'];

/** Describes the file at a path for a record; null where it is no regular file of its own that could be moved. */
export function describeFile(
  path: string,
  storedPath: string,
): Omit<QuarantinedFile, 'listed'> | null {
  const stat = statOrNull(path);
  if (stat === null || !stat.isFile() || realpathSync(path) !== path) return null;
  const { dev, ino, size, mode, uid, gid, mtimeMs } = stat;
  return { is: 'file', storedPath, dev, ino, size, mode, uid, gid, mtimeMs };
}

/** Moves the file into the vault. Returns false where another file is at its path, or none, and nothing was moved. */
export async function moveAside(
  path: string,
  file: QuarantinedFile,
  checkpoint: () => void,
): Promise<boolean> {
  const folder = openFolder(dirname(path));
  if (folder === null) return statOrNull(file.storedPath) !== null;
  try {
    const from = folder.at(basename(path));
    if (statOrNull(file.storedPath) === null) {
      const there = statOrNull(from);
      if (there === null || there.dev !== file.dev || there.ino !== file.ino) {
        dropUnfinished(file);
        return false;
      }
      mkdirSync(dirname(file.storedPath), { recursive: true, mode: 0o700 });
      try {
        await duplicate(from, file.storedPath, partOf(file), () => refuseToFill(file));
      } catch (error) {
        dropUnfinished(file);
        throw error;
      }
      checkpoint();
    }
    // Unlinked, not renamed: what runs from it is still known by its path.
    const there = statOrNull(from);
    if (there !== null && (await isSameFile(there, from, file.storedPath))) {
      // Windows may keep a program open for a moment after its last process has ended.
      retryWhileInUse(() => unlinkSync(from));
    }
    folder.sync();
    return true;
  } finally {
    folder.close();
  }
}

/** Restores the file. `occupied`: another file is at its path, and this file stays in the vault. */
export async function moveBack(
  path: string,
  file: QuarantinedFile,
  checkpoint: () => void,
): Promise<'done' | 'occupied' | 'no_folder'> {
  if (statOrNull(file.storedPath) === null) {
    dropUnfinished(file);
    return 'done';
  }
  const folder = openFolder(dirname(path));
  if (folder === null) return 'no_folder';
  try {
    const to = folder.at(basename(path));
    const there = statOrNull(to);
    if (there === null) {
      try {
        await duplicate(file.storedPath, to, folder.at(`.${basename(path)}.gatewarden-part`));
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return 'occupied';
        throw error;
      }
      folder.sync();
      checkpoint();
    } else if (!(await isSameFile(there, to, file.storedPath))) return 'occupied';
    unlinkSync(file.storedPath);
    rmdirSync(dirname(file.storedPath));
    return 'done';
  } finally {
    folder.close();
  }
}

const partOf = (file: QuarantinedFile): string => `${file.storedPath}.part`;

/** Half a copy of a large program would keep the disk full for good. */
function dropUnfinished(file: QuarantinedFile): void {
  rmSync(partOf(file), { force: true });
  try {
    rmdirSync(dirname(file.storedPath));
  } catch {
    // The file does not exist yet.
  }
}

/** A copy must not take the room that this agent, and whatever else writes there, lives on. */
function refuseToFill({ storedPath, size }: QuarantinedFile): void {
  const { bavail, bsize } = statfsSync(dirname(storedPath));
  if (bavail * bsize >= size + ROOM_LEFT_BYTES) return;
  throw Object.assign(new Error('there is no room to keep it'), { code: 'ENOSPC' });
}

/** A second name for the file, or a copy with mode, owner, times and attributes; never over something that is there. */
async function duplicate(
  from: string,
  to: string,
  part: string,
  beforeCopy = (): void => undefined,
): Promise<void> {
  try {
    linkSync(from, to);
    return;
  } catch (error) {
    if (!NO_LINK.includes(codeOf(error) ?? '')) throw error;
  }
  rmSync(part, { force: true });
  beforeCopy();
  const [source, target] = [from, part].map(ofThisProcess);
  try {
    await copyWithAttributes(source ?? '', target ?? '');
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  flushFile(part);
  try {
    linkSync(part, to);
    unlinkSync(part);
  } catch (error) {
    if (!NO_LINK.includes(codeOf(error) ?? '')) throw error;
    if (statOrNull(to) !== null) throw Object.assign(new Error('occupied'), { code: 'EEXIST' });
    renameSync(part, to);
  }
}

async function copyWithAttributes(source: string, target: string): Promise<void> {
  if (process.platform === 'win32') copyFileSync(source, target, constants.COPYFILE_EXCL);
  else {
    await run('cp', ['--preserve=all', '--', source, target], { timeout: COPY_PATIENCE_MS });
  }
}

/** Windows flushes only files that it may write. */
function flushFile(path: string): void {
  const access = process.platform === 'win32' ? constants.O_RDWR : constants.O_RDONLY;
  const handle = openSync(path, access | (constants.O_NOFOLLOW ?? 0));
  fsyncSync(handle);
  closeSync(handle);
}

/** For another program, "self" is itself. */
function ofThisProcess(path: string): string {
  return path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

async function isSameFile(stat: Stats, path: string, kept: string): Promise<boolean> {
  const other = statOrNull(kept);
  if (other === null || !stat.isFile() || stat.size !== other.size) return false;
  if (stat.dev === other.dev && stat.ino === other.ino) return true;
  if (Math.abs(stat.mtimeMs - other.mtimeMs) > 1) return false;
  return (await hashOf(path)) === (await hashOf(kept));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

interface Folder {
  at(name: string): string;
  sync(): void;
  close(): void;
}

/** Opens the folder that the path means now; null where a link is in the way or the folder is missing. */
function openFolder(path: string): Folder | null {
  if (process.platform !== 'linux') {
    if (statOrNull(path)?.isDirectory() !== true || realpathSync(path) !== path) return null;
    return { at: (name) => join(path, name), sync: () => undefined, close: () => undefined };
  }
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    // Not there, a link, or not ours to open.
    return null;
  }
  const own = `/proc/self/fd/${handle}`;
  if (readlinkSync(own) !== path) {
    closeSync(handle);
    return null;
  }
  return {
    at: (name) => `${own}/${name}`,
    sync: () => fsyncSync(handle),
    close: () => closeSync(handle),
  };
}

function statOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A folder above is none any more, or not ours to see.
    return null;
  }
}
