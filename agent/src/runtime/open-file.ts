// Recognizes that the file at a path was removed or replaced while it is in use.
import { statSync } from 'node:fs';

/** Returns a function that is true while the same file is at this path. */
export function watchOpenFile(path: string): () => boolean {
  const openedIdentity = identityOf(path);
  return () => identityOf(path) === openedIdentity;
}

/** Returns device and inode; null where no file is at the path, or it cannot be read. */
function identityOf(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
  } catch {
    return null;
  }
}
