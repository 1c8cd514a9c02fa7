// Desktop entries: the applications that people see in their menus, of the machine and of each home.
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { entityId } from '@gatewarden/shared/identity.ts';
import { codeOf } from '../../errors.ts';
import type { Home } from '../homes.ts';
import { listFolder, readRegularFile, staysInside } from '../safe-read.ts';
import type { DiscoverContext, DiscoveredEntity, Finding, Source } from '../source.ts';
import { findProgram } from './desktop-exec.ts';

const MAX_FILE_BYTES = 64 * 1024;
const MAX_FILES = 2000;
const MAX_DEPTH = 4;
const FILES_AT_ONCE = 50;

/** A folder of desktop files, and whose it is. */
interface Place {
  owner: string | null;
  /** What must not be left, by whatever link. Null: a folder of the system, whose links its administrator made. */
  within: string | null;
  folder: string;
}

interface FoundEntry {
  id: string;
  path: string;
  text: string;
}

export const desktopEntries: Source = {
  name: 'desktop_entry',
  platforms: ['linux'],
  async *discover(context) {
    const owners = new Map<string | null, Place[]>();
    for (const place of listPlaces(context)) {
      owners.set(place.owner, [...(owners.get(place.owner) ?? []), place]);
    }
    for (const [owner, places] of owners) yield* readOwner(context, owner, places);
  },
};

function listPlaces(context: DiscoverContext): Place[] {
  const dataDirs = (context.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':');
  const system = [...dataDirs, '/var/lib/flatpak/exports/share', '/var/lib/snapd/desktop']
    .filter((dir) => dir.startsWith('/'))
    .map((dir) => join(dir, 'applications'));
  const places = [...new Set(system)].map(
    (folder): Place => ({ owner: null, within: null, folder: join(context.root, folder) }),
  );
  for (const home of context.homes) places.push(...placesOf(home, context));
  return places;
}

function placesOf(home: Home, context: DiscoverContext): Place[] {
  const own = context.env.XDG_DATA_HOME;
  const dataHome = own?.startsWith(`${home.path}/`)
    ? own.slice(home.path.length + 1)
    : '.local/share';
  return [dataHome, '.local/share/flatpak/exports/share'].map((rest) => ({
    owner: home.owner,
    within: home.path,
    folder: join(home.path, rest, 'applications'),
  }));
}

async function* readOwner(
  context: DiscoverContext,
  owner: string | null,
  places: readonly Place[],
): AsyncGenerator<Finding> {
  let present = false;
  let trouble: string | null = null;
  let read = 0;
  const seen = new Set<string>();
  for (const place of places) {
    if (
      place.within !== null &&
      !staysInside(place.within, place.folder.slice(place.within.length))
    ) {
      trouble = 'a link leads out of the home';
      yield { is: 'problem', path: place.folder, reason: trouble };
      continue;
    }
    const names = { files: [] as string[], trouble: null as string | null };
    collectNames(place.folder, '', 0, names);
    if (names.trouble !== null) {
      trouble = names.trouble;
      yield { is: 'problem', path: place.folder, reason: names.trouble };
    }
    present ||= names.files.length > 0 || listable(place.folder);
    for (const name of names.files) {
      if (++read % FILES_AT_ONCE === 0) await breathe();
      if (context.isOverdue() || read > MAX_FILES) {
        const reason = read > MAX_FILES ? `more than ${MAX_FILES} files` : 'out of time';
        yield { is: 'coverage', owner, state: 'timed_out', reason };
        return;
      }
      const id = name.slice(0, -'.desktop'.length).replaceAll('/', '-');
      // The first place wins, also where it hides the entry: so a person takes one out of the own menu.
      if (seen.has(id)) continue;
      seen.add(id);
      yield* readEntry(context, place, { id, path: join(place.folder, name) });
    }
  }
  if (trouble !== null) yield { is: 'coverage', owner, state: 'unreadable', reason: trouble };
  else yield { is: 'coverage', owner, state: present ? 'read' : 'absent', reason: null };
}

function collectNames(
  folder: string,
  prefix: string,
  depth: number,
  into: { files: string[]; trouble: string | null },
): void {
  let names: string[] | null;
  try {
    names = listFolder(folder);
  } catch (error) {
    into.trouble = codeOf(error) ?? 'unreadable';
    return;
  }
  for (const name of names ?? []) {
    if (into.files.length > MAX_FILES) return;
    if (name.endsWith('.desktop')) into.files.push(prefix + name);
    else if (depth < MAX_DEPTH && !name.includes('.')) {
      const inner = join(folder, name);
      if (isRealFolder(inner)) collectNames(inner, `${prefix}${name}/`, depth + 1, into);
    }
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function listable(folder: string): boolean {
  try {
    return listFolder(folder) !== null;
  } catch {
    // Already told as a problem by who collected its names.
    return true;
  }
}

function* readEntry(
  context: DiscoverContext,
  place: Place,
  file: { id: string; path: string },
): Generator<Finding> {
  // Packages of the system link their entries (snap, flatpak exports); a person's link may lead anywhere.
  const result = readRegularFile(file.path, MAX_FILE_BYTES, { followLink: place.within === null });
  if (!result.ok) {
    if (!result.absent) yield { is: 'problem', path: file.path, reason: result.reason };
    return;
  }
  const entity = describeEntry(context, { ...file, text: result.text });
  if (entity === 'not an application') return;
  if (typeof entity === 'string') yield { is: 'problem', path: file.path, reason: entity };
  else yield { is: 'entity', owner: place.owner, entity };
}

function describeEntry(context: DiscoverContext, entry: FoundEntry): DiscoveredEntity | string {
  const keys = parseDesktopEntry(entry.text);
  if (keys === null) return 'no [Desktop Entry] group';
  if (keys.Type !== 'Application') return 'not an application';
  if (keys.Hidden === 'true' || keys.NoDisplay === 'true') return 'not an application';
  const name = keys.Name?.trim();
  if (!name) return 'no Name';
  const launched = keys.Exec === undefined ? null : findProgram(keys.Exec);
  if (keys.Exec !== undefined && launched === null) return 'an Exec that cannot be read';
  if (keys.TryExec && resolveProgram(context, keys.TryExec) === null) {
    return 'not an application';
  }
  const executable =
    launched === null || launched.flatpakId !== null
      ? null
      : resolveProgram(context, launched.program);
  return {
    entity_id: entityId(context.platform, 'application', 'desktop_entry', entry.id),
    kind: 'application',
    source: 'desktop_entry',
    name: name.slice(0, 512),
    version: null,
    publisher: null,
    install_path: entry.path,
    executables: executable === null ? [] : [executable],
    installed_at: null,
    launch_hash: null,
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

/** The real path of a program by absolute path or by PATH; null where it is not an executable file. */
function resolveProgram(context: DiscoverContext, program: string): string | null {
  const folders = (context.env.PATH || '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin').split(':');
  const candidates = program.startsWith('/')
    ? [program]
    : program.includes('/')
      ? []
      : folders.filter((folder) => folder.startsWith('/')).map((folder) => join(folder, program));
  for (const candidate of candidates) {
    try {
      const real = realpathSync(join(context.root, candidate));
      const stat = statSync(real);
      if (stat.isFile() && (stat.mode & 0o111) !== 0) {
        return context.root === '/' ? real : real.slice(context.root.length);
      }
    } catch {
      // Not in this folder of PATH: the next one may have it.
    }
  }
  return null;
}
