// Facts for which an executable must be read: its SHA-256, and its publisher on Windows. Read on demand of an override or
// a report, and remembered by path, inode, mtime and size.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { readSigner } from '../native/windows/authenticode.ts';
import { type MountProbe, openMountProbe } from '../runtime/mount-probe.ts';
import { isResponsiveFor, wayToRunning } from './running-file.ts';

const MAX_REMEMBERED = 1000;
/** Larger files are not read: no override by hash or publisher matches them. */
const MAX_BYTES = 2 * 1024 ** 3;

/**
 * Reads a fact about the file that a process runs, where the system leads to it; without a process about the file at the
 * path. Returns null where the file cannot be read.
 */
export type ReadExecutable = (path: string, pid?: number) => Promise<string | null>;

/** Returns a function that computes the SHA-256 of an executable, as hexadecimal digits. */
export function createFileHasher(reach: MountProbe = openMountProbe()): ReadExecutable {
  return rememberByFile(hashFile, reach);
}

/** Returns a function that names the publisher that signed an executable. Only Windows programs have a publisher. */
export function createPublisherReader(
  platform: Platform,
  reach: MountProbe = openMountProbe(),
): ReadExecutable {
  return platform === 'win32' ? rememberByFile(readSigner, reach) : async () => null;
}

/** Concurrent calls for the same file share one reading. */
function rememberByFile(
  read: (path: string) => Promise<string | null>,
  reach: MountProbe,
): ReadExecutable {
  const remembered = new Map<string, Promise<string | null>>();
  return async (path, pid) => {
    let key = '';
    try {
      const file = await findFile(path, pid, reach);
      if (file === null) return null;
      key = `${path}\0${file.state}`;
      const known = remembered.get(key);
      if (known !== undefined) return await known;
      const reading = read(file.way);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, reading);
      return await reading;
    } catch {
      // The file is gone or refuses access, so that no override by this fact matches.
      remembered.delete(key);
      return null;
    }
  };
}

/** Returns the way to a file and a text that changes with it; null for a file that is not read. */
async function findFile(
  path: string,
  pid: number | undefined,
  reach: MountProbe,
): Promise<{ way: string; state: string } | null> {
  // A file on an unresponsive mount is not read.
  const answers = pid === undefined ? reach.answers(path) : isResponsiveFor(reach, path, pid);
  if (!(await answers)) return null;
  const way = (pid === undefined ? null : wayToRunning(pid)) ?? path;
  const found = await stat(way);
  const { dev, ino, mtimeMs, size } = found;
  if (!found.isFile() || size > MAX_BYTES) return null;
  return { way, state: `${dev}:${ino}\0${mtimeMs}\0${size}` };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
