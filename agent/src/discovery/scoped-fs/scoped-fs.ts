// Purpose: the file system as a discovery source sees it, limited to the machine or to a single home.
// Main types: `ScopedFs` (source-contract.ts), `ScopedFsOptions`, `Coverage`.
// Invariants: only regular files are read, bounded in size; nothing outside of a home is read; nothing is written or run.
// Depends on: path-resolver (links), safe-reader (reads), glob-expander, coverage-recorder, watch-list, windows-registry.
// Start reading at `openScopedFs`, which composes these parts.
import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { join as joinScope } from 'node:path/posix';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { codeOf, messageOf } from '../../runtime/errors.ts';
import { realPath } from '../../runtime/real-path.ts';
import { type Home, namesOf } from '../homes/home-list.ts';
import type { FileKind, Report, ScopedFs } from '../source-contract.ts';
import { type CoverageRecorder, createCoverageRecorder } from './coverage-recorder.ts';
import { expandGlob } from './glob-expander.ts';
import { locateInScope, toDiskPath, toMachinePath } from './machine-path.ts';
import { createPathResolver, type PathResolver, resolveBase } from './path-resolver.ts';
import type { ReadRegistry } from './registry-key.ts';
import { type FolderName, listFolder, readRegularFile } from './safe-reader.ts';
import { createWatchList, type WatchList } from './watch-list.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const NOT_UTF8 = 'its name is not UTF-8';

/** Ends a source that has used up its time budget. */
export class TimeBudgetExceeded extends Error {
  override name = 'TimeBudgetExceeded';
}

export interface ScopedFsOptions {
  platform: Platform;
  /** Root of the file system: `/`, or a fixture tree. */
  root: string;
  /** Limits the scope to this home, which `resolveHome` resolved; null: the machine. */
  home: Home | null;
  env: Readonly<Record<string, string | undefined>>;
  readRegistry: ReadRegistry | null;
  isOverdue: () => boolean;
  /** True for a path on a mount that never responds. */
  hangs?: ((path: string) => boolean) | null | undefined;
  /** Lists the files and folders that were read, for the watch of changes. */
  reportsFiles?: boolean | undefined;
  /** Paths that were looked up, with true for a missing path; shared by the sources of a scope. */
  absences?: Map<string, boolean> | undefined;
  /** Results shared by the sources of a scope. */
  commons: Map<string, Promise<unknown>>;
}

/** The part of a report that the scoped file system knows. */
export type Coverage = Pick<Report, 'state' | 'reason' | 'problems' | 'files' | 'folders'>;

interface ScopeParts {
  paths: PathResolver;
  coverage: CoverageRecorder;
  watches: WatchList;
}

type Reads = Pick<ScopedFs, 'bytes' | 'text' | 'entries' | 'names' | 'folders' | 'expand'>;
type Lookups = Pick<
  ScopedFs,
  'kindOf' | 'has' | 'isRealFolder' | 'sizeOf' | 'changedAt' | 'realFile' | 'executable'
>;

/** Opens a scope; `coverage` returns what its reads amount to so far. */
export function openScopedFs(options: ScopedFsOptions): { fs: ScopedFs; coverage: () => Coverage } {
  const { platform, root, home, env, commons } = options;
  const base = home?.path ?? root;
  const shown = (path: string) => toMachinePath(platform, root, toDiskPath(base, home, path));
  const coverage = createCoverageRecorder(shown);
  const { absences = new Map<string, boolean>(), hangs: isUnresponsive = null } = options;
  const paths = createPathResolver({ base, home, isUnresponsive, absences, coverage });
  const watches = createWatchList();
  const parts: ScopeParts = { paths, coverage, watches };
  const lookups = createLookups(parts, options);
  const fs: ScopedFs = {
    platform,
    root,
    owner: home?.owner ?? null,
    home: allNamesOf(home).map((name) => toMachinePath(platform, root, name)),
    env,
    ...createReads(parts, lookups),
    ...lookups,
    toMachinePath: shown,
    locate: (absolute) => locateInScope(absolute, root, home, platform),
    reportNotice: coverage.reportNotice,
    reportError: coverage.reportError,
    markPresent: coverage.markPresent,
    watchFile: (path) => watches.addFile(paths.onDisk(path)),
    watchFolder: (path) => watches.addFolder(paths.onDisk(path)),
    registry(key) {
      try {
        const keys = options.readRegistry?.(key) ?? [];
        if (keys.length > 0) coverage.markPresent();
        return keys;
      } catch (error) {
        coverage.reportError(`/registry/${key}`, 'unreadable', messageOf(error));
        return [];
      }
    },
    parse(path, parser) {
      try {
        return parser();
      } catch (error) {
        coverage.reportError(path, 'unparsed', parseFailure(error));
        return null;
      }
    },
    async yieldToEventLoop() {
      await nextTurn();
      if (options.isOverdue()) throw new TimeBudgetExceeded('out of time');
    },
    computeOnce<T>(name: string, make: () => Promise<T>): Promise<T> {
      const result = (commons.get(name) as Promise<T> | undefined) ?? make();
      commons.set(name, result);
      return result;
    },
  };
  return { fs, coverage: () => summarize(parts, options.reportsFiles === true) };
}

/** Resolves the real paths of a home and of its redirected folders, once for all sources. */
export function resolveHome(home: Home): Home {
  const redirected = home.redirected?.map(({ usual, path }) => ({
    usual,
    path: resolveBase(path),
  }));
  return {
    ...home,
    path: resolveBase(home.path),
    ...(redirected === undefined ? {} : { redirected }),
  };
}

function allNamesOf(home: Home | null): string[] {
  return home === null
    ? []
    : [...namesOf(home), ...(home.redirected ?? []).map(({ path }) => path)];
}

function summarize({ coverage, watches }: ScopeParts, reportsFiles: boolean): Coverage {
  const listed = reportsFiles ? { files: watches.files(), folders: watches.folders() } : {};
  return { ...coverage.summarize(), ...listed };
}

function createReads({ paths, coverage, watches }: ScopeParts, { kindOf, has }: Lookups): Reads {
  const bytes = (path: string, maxBytes = MAX_FILE_BYTES): Buffer | null => {
    const file = paths.locate(path);
    if (file === null) return null;
    const result = readRegularFile(file.path, maxBytes, file.status);
    watches.addFile(file.path);
    if (!result.ok) {
      if (!result.absent) coverage.reportError(path, 'unreadable', result.reason);
      return null;
    }
    coverage.markPresent();
    return result.bytes;
  };
  const list = (path: string): FolderName[] => {
    const real = paths.realFolder(path);
    if (real === null) return [];
    try {
      const names = listFolder(real);
      if (names === null) return [];
      coverage.markPresent();
      for (const { name } of names) {
        if (isUndecodable(real, name)) coverage.reportNotice(joinScope(path, name), NOT_UTF8);
      }
      return names;
    } catch (error) {
      coverage.reportError(path, 'unreadable', codeOf(error) ?? messageOf(error));
      return [];
    }
  };
  const isFolder = (within: string, entry: FolderName) =>
    entry.kind === 'folder' ||
    (entry.kind === 'link' && kindOf(joinScope(within, entry.name)) === 'folder');
  return {
    bytes,
    text: (path, maxBytes) => decodeText(bytes(path, maxBytes)),
    entries: list,
    names: (path) => list(path).map((entry) => entry.name),
    folders: (path) =>
      list(path)
        .filter((entry) => isFolder(path, entry))
        .map((entry) => entry.name),
    expand: (pattern) => expandGlob(pattern, { list, isFolder, exists: has }, coverage),
  };
}

function createLookups(
  { paths, coverage }: ScopeParts,
  { platform, root, hangs }: Pick<ScopedFsOptions, 'platform' | 'root' | 'hangs'>,
): Lookups {
  return {
    kindOf(path): FileKind | null {
      const stats = paths.stat(path);
      if (stats === null) return null;
      return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
    },
    has: paths.exists,
    isRealFolder: (path) => paths.lstat(path)?.isDirectory() ?? false,
    sizeOf(path) {
      const stats = paths.stat(path);
      return stats?.isFile() === true ? stats.size : null;
    },
    changedAt(path) {
      const stats = paths.stat(path);
      return stats === null || stats.mtimeMs <= 0 ? null : new Date(stats.mtimeMs).toISOString();
    },
    realFile(path, maxBytes) {
      const file = paths.locate(path);
      if (file === null) return null;
      const obstacle = !file.status.isFile()
        ? 'not a regular file'
        : file.status.size > maxBytes
          ? `larger than ${maxBytes} bytes`
          : null;
      if (obstacle !== null) coverage.reportError(path, 'unreadable', obstacle);
      else coverage.markPresent();
      return obstacle === null ? file.path : null;
    },
    executable(path) {
      try {
        // Also in the scope of a home a program may lie anywhere on the machine.
        const target = path.startsWith('/') ? toDiskPath(root, null, path) : paths.onDisk(path);
        if (hangs?.(target) === true) return null;
        const real = realPath(target);
        if (!statSync(real).isFile()) return null;
        if (platform !== 'win32') accessSync(real, constants.X_OK);
        return toMachinePath(platform, root, real);
      } catch {
        // The file is missing or cannot be started.
        return null;
      }
    },
  };
}

/** Returns true for a name in another encoding than UTF-8: the decoded name leads to no file. */
function isUndecodable(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return false;
  return lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined;
}

/** Decodes UTF-8, or UTF-16 with its byte-order mark, as editors of Windows save it. */
function decodeText(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  }
  return bytes.toString('utf8');
}

/** Returns the line of a parse error only: parsers quote the text around it, which may be a secret. */
function parseFailure(error: unknown): string {
  const at = /line (\d+)(?:,? column (\d+))?/i.exec(messageOf(error));
  return at === null ? 'it does not parse' : `it does not parse: line ${at[1]}`;
}
