// Translates between paths of a scope and paths as this machine names them.
import { join } from 'node:path';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, namesOf } from '../homes/home-list.ts';

/** Returns a path on disk without a fixture's root; on Windows with a drive letter and backslashes. */
export function toMachinePath(platform: Platform, root: string, path: string): string {
  const bare = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) || '/' : path;
  if (platform !== 'win32') return bare;
  return (/^[A-Za-z]:/.test(bare) ? bare : `C:${bare}`).replaceAll('/', '\\');
}

/**
 * Returns the path inside the scope of an absolute path that a file on this machine names; null where it lies outside.
 * `home` is null for the machine, which contains every absolute path.
 */
export function locateInScope(absolute: string, root: string, home: Home | null): string | null {
  const path = absolute.replaceAll('\\', '/').replace(/^[A-Za-z]:/, '');
  if (!path.startsWith('/') || path.includes('\0')) return null;
  const clean = join('/', path);
  if (home === null) return clean;
  for (const name of namesOf(home)) {
    const inside = toMachinePath('linux', root, name);
    if (clean === inside) return '.';
    if (clean.startsWith(`${inside}/`)) return clean.slice(inside.length + 1);
  }
  return null;
}
