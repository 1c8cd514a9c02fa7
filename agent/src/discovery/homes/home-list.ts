// Purpose: lists the homes of this machine's users, and shortens paths inside them to `~`.
// Main types: `Home`, `FoundHomes`.
// Invariants: no account name leaves the device; a home that does not respond blocks a single thread at most.
// Depends on: scoped-fs/mount-table (unresponsive mounts), concurrency-limiter (threads).
// Start reading at `homesToSee` and `seeHomes`; home-finder.ts runs them in a worker where a mount may hang.
import { readFileSync } from 'node:fs';
import { lstat, opendir, readdir, realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { ownHomeFolder } from '../../config/data-dir.ts';
import { limitTo, withTimeout } from '../../runtime/concurrency-limiter.ts';
import { comparablePath } from '../../runtime/path-comparison.ts';
import { readHomeMounts } from './home-mounts.ts';
import {
  homesFromProfiles,
  type RedirectedFolder,
  type WindowsProfiles,
} from './windows-profiles.ts';

export interface Home {
  /** The user id as text (on Windows the SID), which identifies the user on the wire. */
  owner: string;
  path: string;
  /** How the accounts call it, where that is a link on the way to it. */
  alias?: string;
  /** Known folders of Windows that the user or a domain moved elsewhere. */
  redirected?: readonly RedirectedFolder[];
  /** User id with which the home is read, where the agent may change its user; null where it cannot. */
  uid: number | null;
  gid: number | null;
  /** Its file system does not answer: nothing in it may be touched. */
  hangs?: true;
}

/** Homes, and the folders of homes that could not be listed. */
export interface FoundHomes {
  homes: Home[];
  hanging: string[];
}

export interface HomeListingRequest extends WindowsProfiles {
  root?: string;
  platform?: Platform;
  isRoot?: boolean;
  own?: Home;
}

const NOBODY = 65534;
/** Bound of homes in a folder. */
const MAX_HOMES = 50_000;
const FIRST_PERSON = { linux: 1000, darwin: 500, win32: 0 };
const NO_PERSON = new Set(['Shared', 'Guest', 'Public', 'All Users', 'Default', 'Default User']);

/** A home that does not respond within this time counts as hanging. */
const PATIENCE_MS = 2000;
/** Threads of this process, less two for file systems that always respond. */
const PLACES = Math.max(1, Number(process.env.UV_THREADPOOL_SIZE ?? 4) - 2);
const limitTouches = limitTo(PLACES);
let hangingTouches = 0;

/** Facts that are known before anything of a home is touched. */
export interface HomeListingPlan {
  platform: Platform;
  /** Homes in the system's own lists, with their paths there. */
  listed: Home[];
  /** Folder that may contain further homes. */
  folder: string | null;
  /** Home of the agent's own user, where the system lists none. */
  own: Home;
}

/** Plans the listing: as root (or Windows' system account) the homes of all users, else the agent's own home. */
export function planHomeListing(asked: HomeListingRequest = {}): HomeListingPlan {
  const { root = '/', platform = process.platform as Platform } = asked;
  const own = asked.own ?? ownHome();
  if (platform === 'win32') {
    return { platform, listed: homesFromProfiles(root, asked), folder: null, own };
  }
  if (!(asked.isRoot ?? process.getuid?.() === 0))
    return { platform, listed: [own], folder: null, own };
  const folder = join(root, platform === 'darwin' ? 'Users' : 'home');
  return { platform, listed: homesFromPasswd(root, platform), folder, own };
}

/** Lists the homes. A home that hangs blocks a thread: where this may happen, it runs in a worker process. */
export async function discoverHomes({
  platform,
  listed,
  folder,
  own,
}: HomeListingPlan): Promise<FoundHomes> {
  const hanging: string[] = [];
  const answerOf = openAnswers();
  const inFolder =
    folder === null ? [] : await homesFromFolders(folder, platform, hanging, answerOf);
  const found = [...listed, ...inFolder];
  const real = await Promise.all(
    (found.length > 0 ? found : [own]).map((home) => findReal(home, answerOf)),
  );
  const seen = new Set<string>();
  const homes = real
    .filter((home) => home !== null)
    .filter((home) => home.path !== '/' && !seen.has(home.path) && seen.add(home.path))
    .sort((a, b) => (a.owner < b.owner ? -1 : 1));
  return { homes, hanging };
}

async function findReal(home: Home, answerOf: Answers): Promise<Home | null> {
  const path = await answerOf(home.path, () => realpath(home.path));
  // An account without a home has nothing to look at.
  if (path === 'failed') return null;
  if (path === 'hangs') return { ...home, hangs: true };
  const moved = await findRedirected(home, answerOf);
  const real = path === home.path ? moved : { ...moved, path, alias: home.path };
  const touched = await answerOf(path, () => touch(path));
  return touched === 'hangs' ? { ...real, hangs: true } : real;
}

/** Keeps the redirected folders that exist and answer, with their real paths. */
async function findRedirected(home: Home, answerOf: Answers): Promise<Home> {
  if (home.redirected === undefined) return home;
  const folders = await Promise.all(
    home.redirected.map(async ({ usual, path }) => {
      const real = await answerOf(path, () => realpath(path));
      return real === 'failed' || real === 'hangs' ? [] : [{ usual, path: real }];
    }),
  );
  return { ...home, redirected: folders.flat() };
}

/** Finding a folder asks nothing of its own file system; reading from it does. */
export async function isHanging(path: string): Promise<boolean> {
  return (await answerInTime(() => touch(path))) === 'hangs';
}

async function touch(path: string): Promise<void> {
  const folder = await opendir(path, { bufferSize: 1 });
  await folder.read().finally(() => folder.close());
}

/** Returns the result of the work; `hangs` where it does not return in time, or no thread is left for it. */
function answerInTime<T>(work: () => Promise<T>): Promise<T | 'failed' | 'hangs'> {
  return limitTouches(async () => {
    if (hangingTouches >= PLACES) return 'hangs';
    const result = work().catch(() => 'failed' as const);
    const answer = await withTimeout(PATIENCE_MS, result, 'hangs' as const);
    if (answer === 'hangs') {
      hangingTouches++;
      void result.finally(() => hangingTouches--);
    }
    return answer;
  });
}

type Answers = <T>(path: string, work: () => Promise<T>) => Promise<T | 'failed' | 'hangs'>;

/** The machine's own disks are waited for as long as it takes: they may be slow, or have much to do. */
function openAnswers(): Answers {
  const mounts = readHomeMounts();
  const isOwn = (path: string) => mounts !== null && mounts.foreignOn(path) === null;
  return (path, work) => (isOwn(path) ? work().catch(() => 'failed' as const) : answerInTime(work));
}

function ownHome(): Home {
  const uid = process.getuid?.() ?? null;
  const gid = process.getgid?.() ?? null;
  const owner = uid === null ? userInfo().username : String(uid);
  return { owner, path: ownHomeFolder(), uid, gid };
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

/** Users of a directory service are not in passwd: the owner of a folder identifies its user. */
async function homesFromFolders(
  base: string,
  platform: Platform,
  hanging: string[],
  answerOf: Answers,
): Promise<Home[]> {
  const ownedBelow = async (folder: string, depth: number): Promise<Home[]> => {
    const names = await answerOf(folder, () => readdir(folder));
    if (names === 'hangs') hanging.push(folder);
    // Nobody's home that we could read.
    if (names === 'hangs' || names === 'failed') return [];
    const wanted = names.slice(0, MAX_HOMES).filter((name) => !NO_PERSON.has(name));
    const homes = await Promise.all(wanted.map((name) => ownedAt(join(folder, name), depth)));
    return homes.flat();
  };
  const ownedAt = async (path: string, depth: number): Promise<Home[]> => {
    const stat = await answerOf(path, () => lstat(path));
    if (stat === 'hangs') hanging.push(path);
    if (stat === 'hangs' || stat === 'failed' || !stat.isDirectory()) return [];
    const { uid, gid } = stat;
    if (uid >= FIRST_PERSON[platform] && uid !== NOBODY) {
      return [{ owner: String(uid), path, uid, gid }];
    }
    // `/home/<domain>/<person>`, as domain members have it.
    return depth > 0 && uid === 0 ? ownedBelow(path, depth - 1) : [];
  };
  return ownedBelow(base, platform === 'linux' ? 1 : 0);
}

/** Returns the path with the home of its user as `~`; a redirected folder has its usual name there. */
export function shortenHome(
  path: string,
  homes: readonly Pick<Home, 'path' | 'alias' | 'redirected'>[],
): string {
  for (const home of homes) {
    for (const { usual, path: folder } of home.redirected ?? []) {
      const rest = restBelow(folder, path);
      if (rest !== null) return `~\\${usual.replaceAll('/', '\\')}${rest}`;
    }
    for (const name of namesOf(home)) {
      const rest = restBelow(name, path);
      if (rest !== null) return `~${rest}`;
    }
  }
  return path;
}

/** Returns what follows the folder, with its separator; null where the path lies elsewhere. */
function restBelow(folder: string, path: string): string | null {
  const next = path.charAt(folder.length);
  if (next !== '' && next !== '/' && next !== '\\') return null;
  const start = path.slice(0, folder.length);
  return comparablePath(start) === comparablePath(folder) ? path.slice(folder.length) : null;
}

/** Resolves the real path of a home, and its other name. */
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
