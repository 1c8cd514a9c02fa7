// Desktop entries: the applications that people see in their menus, of the machine and of each home.
import { join } from 'node:path/posix';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { findAppImages, versionInName } from './app-images.ts';
import { findProgram } from './lib/desktop-exec.ts';
import { findInPath } from './lib/path-lookup.ts';

const MAX_FILE_BYTES = 64 * 1024;
const MAX_FILES = 2000;
const MAX_DEPTH = 4;
const FILES_AT_ONCE = 50;

export const desktopEntries: Source = {
  name: 'desktop_entry',
  platforms: ['linux'],
  scopes: ['machine', 'home'],
  watches: () => ({
    machine: ['/usr/share/applications', '/usr/local/share/applications'],
    home: ['.local/share/applications'],
  }),
  async *discover(fs) {
    let read = 0;
    const seen = new Set<string>();
    const launched = new Set<string>();
    for (const folder of listFolders(fs)) {
      const names: string[] = [];
      collectNames(fs, folder, '', 0, names);
      for (const name of names) {
        if (++read % FILES_AT_ONCE === 0) await fs.yieldToEventLoop();
        if (read > MAX_FILES) {
          fs.reportError(folder, 'timed_out', `more than ${MAX_FILES} files`);
          return;
        }
        const id = name.slice(0, -'.desktop'.length).replaceAll('/', '-');
        // The first folder wins, also where it hides the entry: a user removes an entry from the own menu so.
        if (seen.has(id)) continue;
        seen.add(id);
        const entry = readEntry(fs, id, join(folder, name));
        if (entry === null) continue;
        for (const program of entry.executables ?? []) launched.add(program);
        yield entry;
      }
    }
    yield* findAppImages(fs, launched);
  },
};

function listFolders(fs: ScopedFs): string[] {
  if (fs.owner !== null) {
    const own = fs.locate(fs.env.XDG_DATA_HOME ?? '') ?? '.local/share';
    return [own, '.local/share/flatpak/exports/share'].map((dir) => join(dir, 'applications'));
  }
  const dataDirs = (fs.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':');
  const system = [...dataDirs, '/var/lib/flatpak/exports/share', '/var/lib/snapd/desktop'];
  return [...new Set(system)]
    .filter((dir) => dir.startsWith('/') && fs.kindOf(dir) === 'folder')
    .map((dir) => join(dir, 'applications'));
}

function collectNames(
  fs: ScopedFs,
  folder: string,
  prefix: string,
  depth: number,
  into: string[],
): void {
  const within = join(folder, prefix);
  for (const name of fs.names(within)) {
    if (into.length > MAX_FILES) return;
    if (name.endsWith('.desktop')) into.push(prefix + name);
    else if (depth < MAX_DEPTH && !name.includes('.') && fs.isRealFolder(join(within, name))) {
      collectNames(fs, folder, `${prefix}${name}/`, depth + 1, into);
    }
  }
}

function readEntry(fs: ScopedFs, id: string, path: string): Discovered | null {
  const text = fs.text(path, MAX_FILE_BYTES);
  if (text === null) return null;
  const entry = describeEntry(fs, { id, path, text });
  if (typeof entry !== 'string') return entry;
  if (entry !== 'not an application') fs.reportNotice(path, entry);
  return null;
}

function describeEntry(
  fs: ScopedFs,
  entry: { id: string; path: string; text: string },
): Discovered | string {
  const keys = parseDesktopEntry(entry.text);
  if (keys === null) return 'no [Desktop Entry] group';
  if (keys.Type !== 'Application') return 'not an application';
  if (keys.Hidden === 'true' || keys.NoDisplay === 'true') return 'not an application';
  const name = keys.Name?.trim();
  if (!name) return 'no Name';
  const launched = keys.Exec === undefined ? null : findProgram(keys.Exec);
  if (keys.Exec !== undefined && launched === null) return 'an Exec that cannot be read';
  if (keys.TryExec && findInPath(fs, keys.TryExec) === null) return 'not an application';
  const executable =
    launched === null || launched.flatpakId !== null ? null : findInPath(fs, launched.program);
  return {
    kind: 'application',
    key: entry.id,
    name,
    version: keys['X-AppImage-Version']?.trim() || versionInName(executable ?? ''),
    path: fs.toMachinePath(entry.path),
    executables: executable === null ? [] : [executable],
    details: {
      ...(keys.Categories ? { categories: keys.Categories.slice(0, 512) } : {}),
      ...(launched?.flatpakId ? { flatpak: launched.flatpakId.slice(0, 256) } : {}),
    },
  };
}

/** The keys of the `[Desktop Entry]` group, unlocalised, with the escapes of the file format undone. */
export function parseDesktopEntry(text: string): Record<string, string> | null {
  let keys: Record<string, string> | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) {
      if (keys !== null) return keys;
      if (line.trim() === '[Desktop Entry]') keys = Object.create(null);
    } else if (keys !== null && !line.startsWith('#')) {
      const found = /^([A-Za-z0-9-]+)\s*=\s*(.*)$/.exec(line);
      if (found?.[1] !== undefined) keys[found[1]] ??= unescapeValue(found[2] ?? '');
    }
  }
  return keys;
}

const ESCAPES: Record<string, string> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' };

function unescapeValue(value: string): string {
  return value.replace(/\\([sntr\\])/g, (_, c: string) => ESCAPES[c] ?? c);
}
