// Detects that software was installed or configured, without a scan: compares the status of watched files and folders
// at an interval. Nothing is opened, no link is followed, and a home that hangs delays no other.
import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { withTimeout } from '../../runtime/concurrency-limiter.ts';
import type { Home } from '../homes/home-list.ts';
import type { Report, Source } from '../source-contract.ts';
import { type DiscoverySettings, whySkipped } from './source-runner.ts';

/** A source in a home or on the machine, to be read again. */
export interface ChangedPlace {
  source: string;
  owner: string | null;
}

export interface WatchedScan {
  sources: readonly Source[];
  homes: readonly Home[];
  settings: DiscoverySettings;
  reports: readonly Pick<Report, 'source' | 'owner' | 'files' | 'folders'>[];
  beganAtMs: number;
}

export interface ChangeWatcher {
  /** Replaces the watched paths with those of the latest reports. A change during the read counts as a change. */
  learn(scan: WatchedScan): Promise<void>;
  /**
   * Compares once. Returns places that changed before the last comparison: a program gets a moment to finish its
   * writes.
   */
  findChanges(): Promise<ChangedPlace[]>;
}

/**
 * Changes of a path that count: `all` of them; `marked`: a mark came into the folder; `grown`: another subfolder as
 * well; for the home, to which everything writes, only another subfolder, as far as the file system counts them.
 */
type What = 'all' | 'grown' | 'home' | 'marked';

/** Status of the path at the last comparison, and its time. */
interface Seen {
  signature: string;
  changedAtMs: number;
  /** A folder has a link for each folder in it; 1 where its file system does not count them. */
  links: number;
  atMs: number;
  /** For a missing path the uppermost missing folder: while it is missing, nothing below it exists. */
  missing?: string;
}

interface Watched extends ChangedPlace {
  marks: readonly string[];
  paths: Map<string, Seen & { what: What }>;
}

interface Places extends Pick<Watched, 'owner' | 'marks'> {
  paths: Map<string, What>;
}

/** Bound of paths for a source in a home: further paths wait for the next scan. */
const MAX_PATHS = 800;
/** A file system's times may be coarse. */
const COARSE_MS = 2000;
/** A network's file system that does not answer keeps a thread, of which there are four: so many may hang at once. */
const MAX_HANGING = 2;
const PATIENCE_MS = 2000;
const ABSENT = 'absent';

/** A watch that knows of nothing yet. */
export function watchChanges(platform: Platform, root = '/'): ChangeWatcher {
  let watched: Watched[] = [];
  const noticed = new Map<string, ChangedPlace>();
  const hanging = new Set<string | null>();

  const visitAll = (visit: (watched: Watched) => Promise<void>) =>
    visitByOwner(watched, hanging, visit);
  const notice = ({ source, owner }: ChangedPlace) =>
    noticed.set(keyOf({ source, owner }), { source, owner });

  const compare = async (
    place: Watched,
    path: string,
    before: Seen & { what: What },
    missing: Set<string>,
  ): Promise<void> => {
    const { what } = before;
    if (before.missing !== undefined && (await isStillMissing(before.missing, missing))) return;
    const now = await seeWhole(path);
    if (now.signature === before.signature) {
      // A folder on the way to it came.
      if (now.missing !== undefined) before.missing = now.missing;
      return;
    }
    place.paths.set(path, { what, ...now });
    const isMarked = () => isMarkedSince(path, place.marks, before.atMs - COARSE_MS);
    if (isTelling(what, before, now) || (what !== 'home' && (await isMarked()))) notice(place);
  };

  return {
    async learn(scan) {
      const known = new Map(watched.map((place) => [keyOf(place), place.paths]));
      const fresh = new Map<string, Map<string, What>>();
      watched = scan.sources.flatMap((source) =>
        placesOf(source, platform, root, scan).map(({ owner, marks, paths }) => {
          const place = { source: source.name, owner };
          const before = known.get(keyOf(place));
          // Known paths keep their status: a change during the read is detected still.
          const kept = [...paths.keys()].flatMap((path): [string, Seen & { what: What }][] => {
            const was = before?.get(path);
            return was === undefined ? [] : [[path, was]];
          });
          const added = [...paths].filter(([path]) => before?.has(path) !== true);
          if (added.length > 0) fresh.set(keyOf(place), new Map(added));
          return { ...place, marks, paths: new Map(kept) };
        }),
      );
      const grown = watched;
      const sinceMs = scan.beganAtMs - COARSE_MS;
      await visitAll(async (place) => {
        for (const [path, what] of fresh.get(keyOf(place)) ?? []) {
          const seen = await seeWhole(path);
          if (watched !== grown) return;
          place.paths.set(path, { what, ...seen });
          if (seen.changedAtMs < sinceMs) continue;
          if (what !== 'marked' || (await isMarkedSince(path, place.marks, sinceMs))) notice(place);
        }
      });
    },
    async findChanges() {
      const due = [...noticed.values()];
      noticed.clear();
      // Most of what is watched for is not there, and most of that lies in a few folders that are not there either.
      const missing = new Set<string>();
      await visitAll(async (place) => {
        for (const [path, before] of place.paths) await compare(place, path, before, missing);
      });
      // They are read after this look, and with it what it saw of them.
      for (const place of due) noticed.delete(keyOf(place));
      return due;
    },
  };
}

/** Visits the watched paths owner by owner. An owner with a hanging file system is skipped until the visit returns. */
async function visitByOwner(
  watched: readonly Watched[],
  hanging: Set<string | null>,
  visit: (watched: Watched) => Promise<void>,
): Promise<void> {
  for (const owner of new Set(watched.map((place) => place.owner))) {
    if (hanging.has(owner) || hanging.size >= MAX_HANGING) continue;
    hanging.add(owner);
    const work = (async () => {
      for (const place of watched.filter((place) => place.owner === owner)) await visit(place);
    })();
    await withTimeout(
      PATIENCE_MS,
      work.finally(() => hanging.delete(owner)),
      undefined,
    );
  }
}

const keyOf = ({ source, owner }: ChangedPlace): string => JSON.stringify([source, owner]);

/** Returns where a source is watched; no homes that the company does not allow to discover. */
function placesOf(
  source: Source,
  platform: Platform,
  root: string,
  { homes, settings, reports }: WatchedScan,
): Places[] {
  const places = source.watches?.(platform);
  if (places === undefined) return [];
  const { marks = [], grown = [] } = places;
  const all = (paths: readonly string[], what: What) =>
    paths.map((path): [string, What] => [path, what]);
  const onMachine = all(
    places.machine.map((path) => join(root, path)),
    'all',
  );
  const machine = source.scopes.includes('machine')
    ? [{ owner: null, marks, paths: new Map(onMachine) }]
    : [];
  if (!source.scopes.includes('home') || whySkipped(source, settings) !== null) return machine;
  const answering = homes.filter((home) => home.hangs !== true);
  const inHomes = answering.map(({ owner, path: home }) => {
    const report = reports.find((each) => each.source === source.name && each.owner === owner);
    // Their reader is as little trusted as the home itself.
    const own = (paths: readonly string[] = []) => paths.filter((path) => isBelow(home, path));
    // For a path named twice the first entry counts, because the broadest comes first.
    const wanted = [
      ...all(
        places.home.map((path) => join(home, path)),
        'all',
      ),
      ...all(own(report?.files), 'all'),
      ...grown.map((path): [string, What] => [join(home, path), path === '.' ? 'home' : 'grown']),
      ...all(own(report?.folders), 'marked'),
    ].slice(0, MAX_PATHS);
    return { owner, marks, paths: new Map(wanted.reverse()) };
  });
  return [...machine, ...inHomes];
}

function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return isAbsolute(path) && rest !== '' && !rest.startsWith('..') && !isAbsolute(rest);
}

/** The status of a link is that of the link itself. */
async function see(path: string): Promise<Seen> {
  const atMs = Date.now();
  try {
    const { ino, size, mtimeMs, ctimeMs, nlink } = await lstat(path);
    const signature = `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
    return { signature, changedAtMs: ctimeMs, links: nlink, atMs };
  } catch {
    // Not there, or not ours to see: a state like any other.
    return { signature: ABSENT, changedAtMs: 0, links: 0, atMs };
  }
}

/** Returns the status of a missing path, with its uppermost missing folder. */
async function seeWhole(path: string): Promise<Seen> {
  const seen = await see(path);
  return seen.signature === ABSENT ? { ...seen, missing: await uppermostMissing(path) } : seen;
}

async function uppermostMissing(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const above = dirname(at);
    if (above === at || (await isThere(above))) return at;
  }
}

async function isStillMissing(path: string, known: Set<string>): Promise<boolean> {
  if (known.has(path)) return true;
  if (await isThere(path)) return false;
  known.add(path);
  return true;
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Returns whether the change itself is worth a read, whatever the path contains. */
function isTelling(what: What, before: Seen, now: Seen): boolean {
  if (what === 'all') return true;
  if (what === 'marked') return false;
  return before.links !== now.links || (what === 'grown' && now.links === 1);
}

/** Returns whether a mark came into this folder, or changed, since then. */
async function isMarkedSince(
  folder: string,
  marks: readonly string[],
  sinceMs: number,
): Promise<boolean> {
  for (const mark of marks) {
    if ((await see(join(folder, mark))).changedAtMs >= sinceMs) return true;
  }
  return false;
}
