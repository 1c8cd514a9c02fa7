// The homes of this machine's people, and how a path inside one is shown: with `~`, so that no account name leaves.
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { RegistryKey } from './registry.ts';
import { listFolder } from './safe-read.ts';

export interface Home {
  /** The user id as text (on Windows the SID): what stands for the person on the wire. */
  owner: string;
  path: string;
  /** How the accounts call it, where that is a link on the way to it. */
  alias?: string;
  /** Who reads it, where we may become somebody else; null where we cannot. */
  uid: number | null;
  gid: number | null;
}

const NOBODY = 65534;
const FIRST_PERSON = { linux: 1000, darwin: 500, win32: 0 };
const NO_PERSON = new Set(['Shared', 'Guest', 'Public', 'All Users', 'Default', 'Default User']);

/** As root (or Windows' own account) the homes of all people, else one's own. */
export function listHomes(
  options: {
    root?: string;
    platform?: Platform;
    isRoot?: boolean;
    own?: Home;
    /** `ProfileList` of the registry: where Windows keeps whose home stands where. */
    profiles?: readonly RegistryKey[];
  } = {},
): Home[] {
  const { root = '/', platform = process.platform as Platform } = options;
  const isRoot = options.isRoot ?? process.getuid?.() === 0;
  const found =
    platform === 'win32'
      ? homesFromProfiles(root, options.profiles ?? [])
      : isRoot
        ? [...homesFromPasswd(root, platform), ...homesFromFolders(root, platform)]
        : [];
  const homes = found.length > 0 ? found : [options.own ?? ownHome()];
  const seen = new Set<string>();
  return homes
    .flatMap((home) => {
      try {
        const path = realpathSync(home.path);
        return [path === home.path ? home : { ...home, path, alias: home.path }];
      } catch {
        // An account without a home has nothing to look at.
        return [];
      }
    })
    .filter((home) => home.path !== '/' && !seen.has(home.path) && seen.add(home.path))
    .sort((a, b) => (a.owner < b.owner ? -1 : 1));
}

function ownHome(): Home {
  const { uid, gid, username } = userInfo();
  const known = uid >= 0;
  return {
    owner: known ? String(uid) : username,
    path: homedir(),
    uid: known ? uid : null,
    gid: known ? gid : null,
  };
}

function homesFromPasswd(root: string, platform: Platform): Home[] {
  let text: string;
  try {
    text = readFileSync(join(root, 'etc/passwd'), 'utf8');
  } catch {
    return root === '/' ? [ownHome()] : [];
  }
  return text.split('\n').flatMap((line) => {
    const [name = '', , uidText = '', gidText = '', , path = ''] = line.split(':');
    const [uid, gid] = [Number(uidText), Number(gidText)];
    const person = uid === 0 || (uid >= FIRST_PERSON[platform] && uid !== NOBODY);
    return name !== '' && /^\d+$/.test(uidText) && person && path.startsWith('/')
      ? [{ owner: String(uid), path: join(root, path), uid, gid }]
      : [];
  });
}

/** People of a directory service stand in no passwd file: their homes are told by who owns the folder. */
function homesFromFolders(root: string, platform: Platform): Home[] {
  const base = platform === 'darwin' ? '/Users' : '/home';
  const ownedBelow = (folder: string, depth: number): Home[] =>
    listOrNothing(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isDirectory() || NO_PERSON.has(name)) return [];
      const { uid, gid } = stat;
      if (uid >= FIRST_PERSON[platform] && uid !== NOBODY) {
        return [{ owner: String(uid), path, uid, gid }];
      }
      // `/home/<domain>/<person>`, as domain members have it.
      return depth > 0 && uid === 0 ? ownedBelow(path, depth - 1) : [];
    });
  return ownedBelow(join(root, base), platform === 'linux' ? 1 : 0);
}

function listOrNothing(folder: string): string[] {
  try {
    return (listFolder(folder) ?? []).map((entry) => entry.name);
  } catch {
    // Nobody's home that we could read.
    return [];
  }
}

function homesFromProfiles(root: string, profiles: readonly RegistryKey[]): Home[] {
  return profiles.flatMap(({ path, values }) => {
    const sid = /\\ProfileList\\(S-1-5-21-[\d-]+|S-1-12-1-[\d-]+)$/i.exec(path)?.[1];
    const folder = values.get('profileimagepath');
    if (sid === undefined || typeof folder !== 'string') return [];
    const rest = folder.replace(/^%SystemDrive%/i, 'C:').replaceAll('\\', '/');
    const name = rest.slice(rest.lastIndexOf('/') + 1);
    if (NO_PERSON.has(name)) return [];
    return [{ owner: sid, path: join(root, rest.replace(/^[A-Za-z]:/, '')), uid: null, gid: null }];
  });
}

/** The path with its person's home as `~`. */
export function shortenHome(path: string, homes: readonly Pick<Home, 'path' | 'alias'>[]): string {
  for (const home of homes.flatMap(namesOf)) {
    if (path === home) return '~';
    const next = path.charAt(home.length);
    if ((next === '/' || next === '\\') && path.startsWith(home))
      return `~${path.slice(home.length)}`;
  }
  return path;
}

/** Where a home really is, and how it is called besides. */
export function namesOf({ path, alias }: Pick<Home, 'path' | 'alias'>): string[] {
  return alias === undefined ? [path] : [path, alias];
}

/** A text with these homes in it as `sign`, however its slashes are written. */
export function withoutHomes(text: string, names: readonly string[], sign: string): string {
  return names
    .flatMap((name) => [name, name.replaceAll('\\', '/')])
    .reduce((rest, name) => (rest.includes(name) ? replaceHome(rest, name, sign) : rest), text);
}

/** Not where the name only begins alike. */
function replaceHome(text: string, name: string, sign: string): string {
  return text
    .split(name)
    .reduce((done, next) => done + (/^[\w.-]/.test(next) ? name : sign) + next);
}
