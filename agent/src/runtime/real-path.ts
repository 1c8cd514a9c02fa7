// Resolves a path to the path that the file system ends at.
import { realpathSync } from 'node:fs';

/**
 * Returns the final path, links followed. On Windows the system itself resolves it: junctions, drives that are mapped
 * to a folder or a server, short names, and the case of each name. Throws as `fs.realpathSync` does.
 */
export const realPath: (path: string) => string =
  process.platform === 'win32' ? realpathSync.native : realpathSync;
