// One look at the machine or at one home: every way in which a source touches the file system, made safe in one place.
import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { codeOf, messageOf } from '../../runtime/errors.ts';
import { type Home, namesOf } from '../homes/home-list.ts';
import { MAX_TOLD_FILES, MAX_TOLD_FOLDERS } from '../scan/worker/worker-limits.ts';
import type { CoverageState, FileKind, Look, Report } from '../source-contract.ts';
import { globSegment } from './glob-pattern.ts';
import { type FolderName, listFolder, readRegularFile } from './safe-reader.ts';
import { parseRegistryExport, type ReadRegistry, type RegistryKey } from './windows-registry.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_EXPANDED = 5_000;
const MAX_DEPTH = 4;
const MAX_NOTES = 50;
/** Folders that only hold what others made: never walked into. */
const DULL_FOLDERS = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv']);
export const HANGS = 'its file system does not answer';
const NOT_UTF8 = 'its name is not UTF-8';
/** The worst of several troubles is what the coverage says. */
const STATES: CoverageState[] = ['read', 'unparsed', 'unreadable', 'timed_out'];

/** Ends a look whose time is used up. */
export class OutOfTime extends Error {
  override name = 'OutOfTime';
}

export interface LookOptions {
  platform: Platform;
  /** Where the file system begins: `/`, or a fixture tree. */
  root: string;
  home: Home | null;
  env: Readonly<Record<string, string | undefined>>;
  readRegistry: ReadRegistry | null;
  isOverdue: () => boolean;
  /** True for a path that nobody comes back from. */
  hangs?: ((path: string) => boolean) | null | undefined;
  /** The files that are read are told. */
  tellsFiles?: boolean | undefined;
  /** Paths that were looked for, with true for a missing one; shared by the sources that look at the same place. */
  absences?: Map<string, boolean> | undefined;
  /** What is shared between the sources that look at the same place. */
  commons: Map<string, Promise<unknown>>;
}

/** The part of a report that the look itself knows. */
export type LookOutcome = Pick<Report, 'state' | 'reason' | 'problems' | 'files' | 'folders'>;

/** A look, and what came of it so far. */
export function openLook(options: LookOptions): { look: Look; outcome: () => LookOutcome } {
  const { platform, root, home, env } = options;
  const base = home === null ? root : realOrSame(home.path);
  const realFolders = new Map<string, string | null>();
  const { absences = new Map<string, boolean>() } = options;
  const problems: LookOutcome['problems'] = [];
  const files = new Set<string>();
  const folders = new Set<string>();
  let present = false;
  let state: CoverageState = 'read';
  let reason: string | null = null;

  const onDisk = (path: string) => join(base, path);
  /** The same without the work of making the path tidy, for those that are. */
  const plainOnDisk = (path: string) => (path.includes('..') ? onDisk(path) : `${base}/${path}`);
  const names =
    home === null
      ? []
      : namesOf({ ...home, path: base }).map((name) => asMachineSays(platform, root, name));
  const shown = (path: string) => asMachineSays(platform, root, join(base, path));
  const note = (path: string, why: string) => {
    const problem = { path: shown(path), reason: why };
    const isKnown = problems.some(({ path, reason }) => path === problem.path && reason === why);
    if (!isKnown && problems.length < MAX_NOTES) problems.push(problem);
  };
  const trouble = (path: string, worse: CoverageState, why: string) => {
    note(path, why);
    present = true;
    if (STATES.indexOf(worse) <= STATES.indexOf(state)) return;
    state = worse;
    reason = why;
  };

  const contains = (real: string) => home === null || real === base || real.startsWith(`${base}/`);

  const isDead = (path: string): boolean => {
    if (options.hangs?.(onDisk(path)) !== true) return false;
    trouble(path, 'timed_out', HANGS);
    return true;
  };

  /** Returns whether a path is missing, as most are: the uppermost missing directory answers for all below it. */
  const isAbsent = (path: string): boolean => {
    const known = absences.get(path);
    if (known !== undefined) return known;
    const parent = dirname(path);
    const isMissing =
      (parent !== path && isAbsent(parent)) ||
      lstatSync(plainOnDisk(path), { throwIfNoEntry: false }) === undefined;
    absences.set(path, isMissing);
    return isMissing;
  };

  /** The real folder, or null where it is not there; one that leads out is trouble. */
  const realFolder = (path: string): string | null => {
    const known = realFolders.get(path);
    if (known !== undefined) return known;
    let real: string | null = null;
    try {
      real = isDead(path) || isAbsent(path) ? null : realpathSync(onDisk(path));
      if (real !== null && !contains(real)) {
        trouble(path, 'unreadable', 'a link leads out of the home');
        real = null;
      }
    } catch (error) {
      if (!isAbsence(error)) trouble(path, 'unreadable', codeOf(error) ?? messageOf(error));
    }
    realFolders.set(path, real);
    return real;
  };

  /** Where a file really is, links followed as far as they may be; null with the trouble told. */
  const realPath = (path: string): string | null => {
    const folder = realFolder(dirname(path));
    if (folder === null || isDead(path)) return null;
    const plain = join(folder, basename(path));
    try {
      if (!lstatSync(plain).isSymbolicLink()) return plain;
      const real = realpathSync(plain);
      if (contains(real)) return real;
      trouble(path, 'unreadable', 'a link leads out of the home');
    } catch (error) {
      if (!isAbsence(error)) trouble(path, 'unreadable', codeOf(error) ?? messageOf(error));
    }
    return null;
  };

  const stat = (path: string): Stats | null => {
    const folder = realFolder(dirname(path));
    if (folder === null || isDead(path)) return null;
    try {
      const found = lstatSync(join(folder, basename(path)), { throwIfNoEntry: false });
      if (found?.isSymbolicLink() !== true) return found ?? null;
      const real = realpathSync(join(folder, basename(path)));
      return contains(real) ? statSync(real) : null;
    } catch {
      // Not there, a link to nowhere, or not ours to see: who then reads it hears why.
      return null;
    }
  };

  const bytes = (path: string, maxBytes = MAX_FILE_BYTES): Buffer | null => {
    const real = realPath(path);
    if (real === null) return null;
    const result = readRegularFile(real, maxBytes);
    if (files.size < MAX_TOLD_FILES) files.add(real);
    if (!result.ok) {
      if (!result.absent) trouble(path, 'unreadable', result.reason);
      return null;
    }
    present = true;
    return result.bytes;
  };

  const entries = (path: string): FolderName[] => {
    const real = realFolder(path);
    if (real === null) return [];
    try {
      const names = listFolder(real);
      if (names !== null) present = true;
      for (const { name } of names ?? []) if (isLost(real, name)) note(join(path, name), NOT_UTF8);
      return names ?? [];
    } catch (error) {
      trouble(path, 'unreadable', codeOf(error) ?? messageOf(error));
      return [];
    }
  };

  const kindOf = (path: string): FileKind | null => {
    const found = stat(path);
    if (found === null) return null;
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  };

  const isThere = (path: string): boolean => {
    const folder = realFolder(dirname(path));
    if (folder === null || isDead(path)) return false;
    try {
      return lstatSync(join(folder, basename(path)), { throwIfNoEntry: false }) !== undefined;
    } catch {
      // Not ours to see, or a name that cannot be.
      return false;
    }
  };

  const isFolder = (within: string, entry: FolderName) =>
    entry.kind === 'folder' ||
    (entry.kind === 'link' && kindOf(join(within, entry.name)) === 'folder');

  const expand = (pattern: string): string[] => {
    let found = [pattern.startsWith('/') ? '/' : ''];
    const segments = pattern.split('/').filter((segment) => segment !== '');
    const wild = segments.findIndex((segment) => segment.includes('*'));
    const plain = found[0] + segments.slice(0, wild < 0 ? undefined : wild).join('/');
    if (wild < 0) return isThere(plain) ? [plain] : [];
    if (wild > 0 && !isThere(plain)) return [];
    segments.forEach((segment, index) => {
      const last = index === segments.length - 1;
      const next: string[] = [];
      for (const folder of found) {
        if (segment === '**') collectFolders(folder, MAX_DEPTH, next);
        else if (segment.includes('*')) {
          const fits = globSegment(segment);
          for (const entry of entries(folder)) {
            if (fits(entry.name) && (last || isFolder(folder, entry))) {
              next.push(join(folder, entry.name));
            }
          }
        } else next.push(join(folder, segment));
        if (next.length > MAX_EXPANDED) {
          trouble(pattern, 'timed_out', `more than ${MAX_EXPANDED} places`);
          break;
        }
      }
      found = next.slice(0, MAX_EXPANDED);
    });
    // A link that leads out is there, too: who reads it then tells.
    return found.filter(isThere);
  };

  /** The folder and what is below it; links are not followed here, for they can go round. */
  const collectFolders = (folder: string, depth: number, into: string[]): void => {
    into.push(folder);
    if (depth === 0) return;
    for (const entry of entries(folder)) {
      if (into.length > MAX_EXPANDED) return;
      if (entry.kind !== 'folder' || DULL_FOLDERS.has(entry.name)) continue;
      collectFolders(join(folder, entry.name), depth - 1, into);
    }
  };

  const look: Look = {
    platform,
    root,
    owner: home?.owner ?? null,
    home: names,
    env,
    bytes,
    text: (path, maxBytes) => textOf(bytes(path, maxBytes)),
    names: (path) => entries(path).map((entry) => entry.name),
    folders: (path) =>
      entries(path)
        .filter((entry) => isFolder(path, entry))
        .map((entry) => entry.name),
    kindOf,
    has: isThere,
    isRealFolder(path) {
      const folder = realFolder(dirname(path));
      const plain = folder === null || isDead(path) ? null : join(folder, basename(path));
      return (
        plain !== null && (lstatSync(plain, { throwIfNoEntry: false })?.isDirectory() ?? false)
      );
    },
    expand,
    shown,
    note,
    trouble,
    found() {
      present = true;
    },
    executable(path) {
      try {
        const wanted = path.startsWith('/') ? join(root, path) : onDisk(path);
        if (options.hangs?.(wanted) === true) return null;
        const real = realpathSync(wanted);
        if (!statSync(real).isFile()) return null;
        if (platform !== 'win32') accessSync(real, constants.X_OK);
        return asMachineSays(platform, root, real);
      } catch {
        // Not there, or nothing that could be started.
        return null;
      }
    },
    locate(absolute) {
      const path = absolute.replaceAll('\\', '/').replace(/^[A-Za-z]:/, '');
      if (!path.startsWith('/') || path.includes('\0')) return null;
      const clean = join('/', path);
      if (home === null) return clean;
      for (const name of namesOf({ ...home, path: base })) {
        const inside = asMachineSays('linux', root, name);
        if (clean === inside) return '.';
        if (clean.startsWith(`${inside}/`)) return clean.slice(inside.length + 1);
      }
      return null;
    },
    sizeOf(path) {
      const found = stat(path);
      return found?.isFile() === true ? found.size : null;
    },
    changedAt(path) {
      const found = stat(path);
      return found === null || found.mtimeMs <= 0 ? null : new Date(found.mtimeMs).toISOString();
    },
    realFile(path, maxBytes) {
      const real = realPath(path);
      const found = real === null ? null : lstatSync(real, { throwIfNoEntry: false });
      if (real === null || found === undefined || found === null) return null;
      const why = !found.isFile()
        ? 'not a regular file'
        : found.size > maxBytes
          ? `larger than ${maxBytes} bytes`
          : null;
      if (why !== null) trouble(path, 'unreadable', why);
      else present = true;
      return why === null ? real : null;
    },
    watchFile(path) {
      if (files.size < MAX_TOLD_FILES) files.add(onDisk(path));
    },
    watchFolder(path) {
      if (folders.size < MAX_TOLD_FOLDERS) folders.add(onDisk(path));
    },
    async registry(key) {
      const keys = await readKeys(options.readRegistry, key);
      if (keys === 'damaged') {
        trouble(`/registry/${key}`, 'unparsed', 'not a registry export');
        return [];
      }
      present ||= keys.length > 0;
      return keys;
    },
    parse(path, parser) {
      try {
        return parser();
      } catch (error) {
        trouble(path, 'unparsed', parseReason(error));
        return null;
      }
    },
    async turn() {
      await breathe();
      if (options.isOverdue()) throw new OutOfTime('out of time');
    },
    shared<T>(name: string, make: () => Promise<T>): Promise<T> {
      const known = options.commons.get(name) as Promise<T> | undefined;
      const made = known ?? make();
      options.commons.set(name, made);
      return made;
    },
  };
  return {
    look,
    outcome: () => ({
      state: state === 'read' && !present ? 'absent' : state,
      reason,
      problems,
      ...(options.tellsFiles === true ? { files: [...files], folders: [...folders] } : {}),
    }),
  };
}

async function readKeys(
  readRegistry: ReadRegistry | null,
  key: string,
): Promise<RegistryKey[] | 'damaged'> {
  const bytes = (await readRegistry?.(key)) ?? null;
  if (bytes === null) return [];
  const below = `${key}\\`.toLowerCase();
  try {
    return parseRegistryExport(bytes).filter((registryKey) =>
      `${registryKey.path}\\`.toLowerCase().startsWith(below),
    );
  } catch {
    return 'damaged';
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there (any more): every look into it says so.
    return path;
  }
}

/** True for a name that was read with what stands for bytes that are no UTF-8: nothing is found by it. */
function isLost(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return false;
  return lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined;
}

function isAbsence(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** UTF-8, or UTF-16 with its byte-order mark, as editors of Windows save it. */
function textOf(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  }
  return bytes.toString('utf8');
}

/** Parsers quote what they stumbled over, and that may be a secret: only where, never what. */
function parseReason(error: unknown): string {
  const at = /line (\d+)(?:,? column (\d+))?/i.exec(messageOf(error));
  return at === null ? 'it does not parse' : `it does not parse: line ${at[1]}`;
}

/** Without the fixture's root; on Windows with drive and backslashes. */
export function asMachineSays(platform: Platform, root: string, path: string): string {
  const bare = root === '/' ? path : path.startsWith(root) ? path.slice(root.length) || '/' : path;
  if (platform !== 'win32') return bare;
  return (/^[A-Za-z]:/.test(bare) ? bare : `C:${bare}`).replaceAll('/', '\\');
}
