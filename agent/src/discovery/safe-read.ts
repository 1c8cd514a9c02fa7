// Reading files that somebody else may have prepared: regular ones only, never through a link, never more than a limit.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../errors.ts';

export type ReadResult =
  | { ok: true; text: string; mtimeMs: number }
  | { ok: false; absent: boolean; reason: string };

/** Reads a regular file as text. `O_NOFOLLOW` refuses a link, `O_NONBLOCK` keeps a FIFO from holding us. */
export function readRegularFile(
  path: string,
  maxBytes: number,
  options: { followLink?: boolean } = {},
): ReadResult {
  let handle: number | null = null;
  try {
    const noFollow = options.followLink === true ? 0 : constants.O_NOFOLLOW;
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { ok: false, absent: false, reason: 'not a regular file' };
    if (stat.size > maxBytes) {
      return { ok: false, absent: false, reason: `larger than ${maxBytes} bytes` };
    }
    // One byte more than the limit: a file that grows while we read is caught, too.
    const buffer = Buffer.allocUnsafe(Math.min(stat.size, maxBytes) + 1);
    let length = 0;
    for (;;) {
      const read = readSync(handle, buffer, length, buffer.length - length, null);
      if (read === 0) break;
      length += read;
      if (length === buffer.length) {
        return { ok: false, absent: false, reason: 'it grew while it was read' };
      }
    }
    return { ok: true, text: buffer.toString('utf8', 0, length), mtimeMs: stat.mtimeMs };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, absent: true, reason: code };
    if (code === 'ELOOP') return { ok: false, absent: false, reason: 'a symbolic link' };
    return { ok: false, absent: false, reason: code ?? messageOf(error) };
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** A folder's names in order; null where it is not there. Throws where it cannot be read. */
export function listFolder(path: string): string[] | null {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** True when the folder `within/rest` really lies in `within`: no component of it is a link that leads out. */
export function staysInside(within: string, rest: string): boolean {
  try {
    const real = realpathSync(join(within, rest));
    return real.startsWith(`${realpathSync(within)}/`);
  } catch (error) {
    // Not there is not a way out; that it is absent is said by who reads it.
    return codeOf(error) === 'ENOENT';
  }
}
