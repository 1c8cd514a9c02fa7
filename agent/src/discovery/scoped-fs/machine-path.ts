// Translates between paths of a scope and paths as this machine names them.
import { join } from 'node:path';
import { join as joinScope } from 'node:path/posix';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { pathBelow } from '../../runtime/path-comparison.ts';
import { type Home, namesOf } from '../homes/home-list.ts';

/** A path with a drive letter, or of a server: only Windows itself has them, fixture trees do not. */
const WINDOWS_PATH = /^([A-Za-z]:|[\\/]{2})/;
/** A path of the machine's scope on another drive than that of the system: `/D:/Tools`. */
const OTHER_DRIVE = /^\/([A-Za-z]:\/.*)$/;

/** Returns a path on disk without a fixture's root; on Windows with a drive letter and backslashes. */
export function toMachinePath(platform: Platform, root: string, path: string): string {
  if (platform === 'win32' && WINDOWS_PATH.test(path)) return path.replaceAll('/', '\\');
  const bare = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) || '/' : path;
  return platform === 'win32' ? `C:${bare}`.replaceAll('/', '\\') : bare;
}

/** Returns the path on disk of a path of the scope below `base`. Redirected folders of a home lie elsewhere. */
export function toDiskPath(base: string, home: Home | null, path: string): string {
  if (home === null) {
    const otherDrive = OTHER_DRIVE.exec(path)?.[1];
    return otherDrive === undefined ? join(base, path) : join(otherDrive);
  }
  for (const { usual, path: target } of home.redirected ?? []) {
    const rest = pathBelow(usual, path, 'linux');
    if (rest !== null) return join(target, rest);
  }
  return join(base, path);
}

/**
 * Returns the path inside the scope of an absolute path that a file on this machine names; null where it lies outside.
 * `home` is null for the machine, which contains every path of local drives.
 */
export function locateInScope(
  absolute: string,
  root: string,
  home: Home | null,
  platform: Platform,
): string | null {
  if (absolute.includes('\0')) return null;
  const path = platform === 'win32' ? withDrive(absolute, root) : absolute;
  if (home !== null) return locateInHome(path, root, home, platform);
  if (platform !== 'win32') return path.startsWith('/') ? joinScope('/', path) : null;
  const drive = /^[A-Za-z]:(?=\\)/.exec(path)?.[0];
  if (drive === undefined) return null;
  const rest = joinScope('/', path.slice(drive.length).replaceAll('\\', '/'));
  return drive.toLowerCase() === systemDrive(root).toLowerCase() ? rest : `/${drive}${rest}`;
}

const systemDrive = (root: string): string => /^[A-Za-z]:/.exec(root)?.[0] ?? 'C:';

/** Returns the path with backslashes and a drive letter; a path without either lies on the system's drive. */
function withDrive(path: string, root: string): string {
  const plain = path.replaceAll('/', '\\');
  return /^\\[^\\]/.test(plain) ? systemDrive(root) + plain : plain;
}

function locateInHome(path: string, root: string, home: Home, platform: Platform): string | null {
  const places = [
    ...namesOf(home).map((name) => ({ usual: '.', path: name })),
    ...(home.redirected ?? []),
  ];
  for (const { usual, path: folder } of places) {
    const below = pathBelow(toMachinePath(platform, root, folder), withoutDots(path), platform);
    if (below !== null) return joinScope(usual, below.replaceAll('\\', '/'));
  }
  return null;
}

/** Resolves `..`, which must not lead out of the folder that the path seems to lie in. */
function withoutDots(path: string): string {
  if (!path.includes('..')) return path;
  const slashes = path.replaceAll('\\', '/');
  const clean = joinScope(slashes);
  return path.includes('\\') ? clean.replaceAll('/', '\\') : clean;
}
