// Notices that something was installed or configured, without a scan: looks now and then whether the files and folders
// that tell of it are still the same. Nothing is opened, no link is followed, and a home that hangs holds up nobody else.
import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Home } from './homes.ts';
import { type DiscoverySettings, whySkipped } from './scan.ts';
import type { Report, Source } from './source.ts';

/** One source in one place: what is to be read again. */
export interface ChangedPlace {
  source: string;
  owner: string | null;
}

export interface WatchedScan {
  sources: readonly Source[];
  homes: readonly Home[];
  settings: DiscoverySettings;
  reports: readonly Pick<Report, 'source' | 'owner' | 'files'>[];
  beganAtMs: number;
}

export interface ChangeWatch {
  /** What is to be watched from now on, by what was read. What changed while it was read counts as changed. */
  learn(scan: WatchedScan): Promise<void>;
  /** One look. Told is what changed before the last one: who writes much is given a moment to finish. */
  look(): Promise<ChangedPlace[]>;
}

interface Watched extends ChangedPlace {
  /** Each path with what stood there when it was looked at last. */
  paths: Map<string, string>;
}

/** Of one source in one home at most: what is beyond waits for the next scan. */
const MAX_PATHS = 600;
/** A file system's times may be coarse. */
const COARSE_MS = 2000;
/** A network's file system that does not answer keeps a thread, of which there are four: so many may hang at once. */
const MAX_HANGING = 2;
const PATIENCE_MS = 2000;
const ABSENT = 'absent';

/** A watch that knows of nothing yet. */
export function watchChanges(platform: Platform, root = '/'): ChangeWatch {
  let watched: Watched[] = [];
  const noticed = new Map<string, ChangedPlace>();
  const hanging = new Set<string | null>();

  const lookAtAll = async (then: (one: Watched) => Promise<void>): Promise<void> => {
    for (const owner of new Set(watched.map((one) => one.owner))) {
      if (hanging.has(owner) || hanging.size >= MAX_HANGING) continue;
      hanging.add(owner);
      const work = (async () => {
        for (const one of watched.filter((one) => one.owner === owner)) await then(one);
      })();
      await withPatience(work.finally(() => hanging.delete(owner)));
    }
  };
  const notice = ({ source, owner }: ChangedPlace) =>
    noticed.set(keyOf({ source, owner }), { source, owner });

  return {
    async learn(scan) {
      const known = new Map(watched.map((one) => [keyOf(one), one.paths]));
      const fresh: Watched[] = [];
      watched = scan.sources.flatMap((source) =>
        placesOf(source, platform, root, scan).map(({ owner, paths }) => {
          const before = known.get(keyOf({ source: source.name, owner }));
          const added = paths.filter((path) => before?.has(path) !== true);
          const one = { source: source.name, owner };
          if (added.length > 0) {
            fresh.push({ ...one, paths: new Map(added.map((path) => [path, ABSENT])) });
          }
          // What was watched before keeps what stood there: a change while it was read is still one.
          const kept = paths.flatMap((path): [string, string][] => {
            const was = before?.get(path);
            return was === undefined ? [] : [[path, was]];
          });
          return { ...one, paths: new Map(kept) };
        }),
      );
      const grown = watched;
      await lookAtAll(async (one) => {
        const added = fresh.find((other) => keyOf(other) === keyOf(one));
        for (const path of added?.paths.keys() ?? []) {
          const { signature, changedAtMs } = await readSignature(path);
          if (watched !== grown) return;
          one.paths.set(path, signature);
          if (changedAtMs >= scan.beganAtMs - COARSE_MS) notice(one);
        }
      });
    },
    async look() {
      const due = [...noticed.values()];
      noticed.clear();
      await lookAtAll(async (one) => {
        for (const [path, before] of one.paths) {
          const { signature } = await readSignature(path);
          if (signature === before) continue;
          one.paths.set(path, signature);
          notice(one);
        }
      });
      // They are read after this look, and with it what it saw of them.
      for (const place of due) noticed.delete(keyOf(place));
      return due;
    },
  };
}

const keyOf = ({ source, owner }: ChangedPlace): string => JSON.stringify([source, owner]);

/** Where a source is to be watched; nowhere in homes that the company does not look at. */
function placesOf(
  source: Source,
  platform: Platform,
  root: string,
  { homes, settings, reports }: WatchedScan,
): { owner: string | null; paths: string[] }[] {
  const places = source.watches?.(platform);
  if (places === undefined) return [];
  const machine = source.looksAt.includes('machine')
    ? [{ owner: null, paths: places.machine.map((path) => join(root, path)) }]
    : [];
  if (!source.looksAt.includes('home') || whySkipped(source, settings) !== null) return machine;
  const inHomes = homes.map(({ owner, path: home }) => {
    const read = reports.find((one) => one.source === source.name && one.owner === owner)?.files;
    const fixed = places.home.map((path) => join(home, path));
    // Their reader is as little trusted as the home itself.
    const own = (read ?? []).filter((file) => isBelow(home, file));
    return { owner, paths: [...new Set([...fixed, ...own])].slice(0, MAX_PATHS) };
  });
  return [...machine, ...inHomes];
}

function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return isAbsolute(path) && rest !== '' && !rest.startsWith('..') && !isAbsolute(rest);
}

/** What stands there, and when that changed; of a link, the link itself. */
async function readSignature(path: string): Promise<{ signature: string; changedAtMs: number }> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await lstat(path);
    return { signature: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changedAtMs: ctimeMs };
  } catch {
    // Not there, or not ours to see: a state like any other.
    return { signature: ABSENT, changedAtMs: 0 };
  }
}

async function withPatience(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}
