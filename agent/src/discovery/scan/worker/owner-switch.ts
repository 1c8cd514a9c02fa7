// How a child gives up root for good, before it touches anything of a home's owner.
import { statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname } from 'node:path';

/** Real, effective and saved ids, and no group of ours besides. Throws where that did not work. */
export function switchToOwner({ uid, gid }: { uid: number; gid: number }): void {
  // The folder of compiled code is the service's; at its end this process could not write there any more.
  flushCompileCache();
  process.setgroups?.([]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  if (process.getuid?.() !== uid || process.geteuid?.() !== uid) {
    throw new Error('the privileges of root could not be given up');
  }
}

/** Whether who gave up root may pass through all folders above: not in a clone that root keeps to itself. */
export function isReadableByAll(folder: string): boolean {
  const above = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (above === folder || isReadableByAll(above));
}
