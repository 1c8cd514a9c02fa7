// Homes of Windows: profiles in the registry, on whatever drive they are, and the known folders that a user, OneDrive or a
// group policy moved out of them.
import { join, win32 } from 'node:path';
import { isWithin, pathBelow } from '../../runtime/path-comparison.ts';
import type { RegistryKey } from '../scoped-fs/registry-key.ts';

/** A folder that a home usually contains, and where it is instead. */
export interface RedirectedFolder {
  /** Path below the home, such as `AppData/Roaming`. */
  usual: string;
  path: string;
}

export interface WindowsProfiles {
  /** `ProfileList` of the registry: where Windows records the homes of users. */
  profiles?: readonly RegistryKey[];
  /** `User Shell Folders` of the registry by security identifier: the folders that Windows knows of each user. */
  shellFolders?: ReadonlyMap<string, RegistryKey['values']>;
}

interface WindowsHome {
  owner: string;
  path: string;
  uid: null;
  gid: null;
  redirected?: readonly RedirectedFolder[];
}

/** Values of `User Shell Folders`, and where the folder is in a home that nothing was moved out of. */
const KNOWN_FOLDERS: readonly (readonly [value: string, usual: string])[] = [
  ['appdata', 'AppData/Roaming'],
  ['local appdata', 'AppData/Local'],
  ['personal', 'Documents'],
  ['desktop', 'Desktop'],
  ['{374de290-123f-4565-9164-39c4925e467b}', 'Downloads'],
];
/** Profiles without a user. */
const SHARED_PROFILES = new Set(['Public', 'All Users', 'Default', 'Default User']);
const USER_SID = /\\ProfileList\\(S-1-5-21-[\d-]+|S-1-12-1-[\d-]+)$/i;

/** Returns the homes of users, without those of services. */
export function homesFromProfiles(
  root: string,
  { profiles = [], shellFolders = new Map() }: WindowsProfiles,
): WindowsHome[] {
  const homes = profiles.flatMap(({ path, values }) => {
    const owner = USER_SID.exec(path)?.[1];
    const folder = values.get('profileimagepath');
    if (owner === undefined || typeof folder !== 'string') return [];
    const profile = folder.replace(/^%SystemDrive%/i, systemDrive(root));
    if (SHARED_PROFILES.has(win32.basename(profile))) return [];
    return [{ owner, profile }];
  });
  const all = homes.map(({ profile }) => profile);
  return homes.map(({ owner, profile }) => {
    const known = shellFolders.get(owner) ?? new Map();
    const redirected = findRedirected(profile, known, all);
    return {
      ...{ owner, path: onDisk(root, profile), uid: null, gid: null },
      ...(redirected.length === 0
        ? {}
        : { redirected: redirected.map((each) => ({ ...each, path: onDisk(root, each.path) })) }),
    };
  });
}

/** Returns the folders of a profile that lie outside of it. A user may not name another user's home, or all homes. */
function findRedirected(
  profile: string,
  known: RegistryKey['values'],
  profiles: readonly string[],
): RedirectedFolder[] {
  return KNOWN_FOLDERS.flatMap(([value, usual]) => {
    const text = known.get(value);
    if (typeof text !== 'string') return [];
    const path = win32.normalize(text.replace(/^%USERPROFILE%/i, profile)).replace(/\\+$/, '');
    const isAbsolute = /^([A-Za-z]:\\.|\\\\[^\\?.])/.test(path);
    if (!isAbsolute || path.includes('%')) return [];
    if (pathBelow(win32.join(profile, usual), path, 'win32') === '') return [];
    const isForeign = profiles.some(
      (other) =>
        isWithin(path, other, 'win32') || (other !== profile && isWithin(other, path, 'win32')),
    );
    return isForeign ? [] : [{ usual, path }];
  });
}

const systemDrive = (root: string): string => /^[A-Za-z]:/.exec(root)?.[0] ?? 'C:';

/** Windows itself takes the path as it is; in a fixture tree, drives are the root. */
function onDisk(root: string, path: string): string {
  if (/^[A-Za-z]:/.test(root)) return path;
  return join(root, path.replace(/^[A-Za-z]:/, '').replaceAll('\\', '/'));
}
