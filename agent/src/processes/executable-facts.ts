// Computes the SHA-256 of executables for overrides with a hash; cached by path, inode, mtime and size.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isResponsiveFor, wayToRunning } from '../processes/running-file.ts';
import { type MountProbe, openMountProbe } from '../runtime/mount-probe.ts';

const MAX_REMEMBERED = 1000;
/** Larger files are not hashed: an override by hash does not match them. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Hashes the file that a process runs, where the system leads to it; without a process the file at the path. */
export type HashFile = (path: string, pid?: number) => Promise<string | null>;

/** A function that hashes a file, or gives null where it cannot be read. Who asks meanwhile waits for the same reading. */
export function createFileHasher(reach: MountProbe = openMountProbe()): HashFile {
  const remembered = new Map<string, Promise<string>>();
  return async (path, pid) => {
    let key: string | null = null;
    // A file on an unresponsive mount is not read.
    const answers = pid === undefined ? reach.answers(path) : isResponsiveFor(reach, path, pid);
    if (!(await answers)) return null;
    try {
      const way = (pid === undefined ? null : wayToRunning(pid)) ?? path;
      const found = await stat(way);
      if (!found.isFile() || found.size > MAX_BYTES) return null;
      key = `${path}\0${found.dev}:${found.ino}\0${found.mtimeMs}\0${found.size}`;
      const known = remembered.get(key);
      if (known !== undefined) return await known;
      const reading = hashFile(way);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, reading);
      return await reading;
    } catch {
      // Gone by now, or not ours to read: it then matches no override by hash.
      if (key !== null) remembered.delete(key);
      return null;
    }
  };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
