// Resolves a path to the path that the file system ends at.
import { realpathSync } from 'node:fs';
import { codeOf } from './errors.ts';

/**
 * Errors of Windows for an existing file with a final path that the system does not name: the driver of a RAM disk, and
 * Wine for a path of more than 260 characters.
 */
const UNNAMED = new Set(['UNKNOWN', 'EISDIR']);

/**
 * Returns the final path, links followed. On Windows the system itself resolves it: junctions, drives that are mapped
 * to a folder or a server, short names, and the case of each name. Where it cannot, links are followed one by one.
 * Throws as `fs.realpathSync` does.
 */
export const realPath: (path: string) => string =
  process.platform === 'win32' ? resolveOnWindows : realpathSync;

function resolveOnWindows(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!UNNAMED.has(codeOf(error) ?? '')) throw error;
    return realpathSync(path);
  }
}
