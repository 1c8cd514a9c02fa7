// A scan of this very machine: one child for the machine and the homes of its own user, one for each other person's home.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { currentPlatform } from '../../config/device-identity.ts';
import { codeCacheOf } from '../../runtime/code-cache.ts';
import { findHomes } from '../homes/home-finder.ts';
import type { Home } from '../homes/home-list.ts';
import type { Report, Source } from '../source-contract.ts';
import { SOURCES } from '../sources/index.ts';
import type { ChangedPlace, WatchedScan } from './change-watcher.ts';
import { assemble, type ScanResult } from './entity-assembler.ts';
import { chooseSources, type DiscoverySettings } from './source-runner.ts';
import type { LeftBehind } from './worker/abandoned-workers.ts';
import type { ChildLimits } from './worker/worker-limits.ts';
import type { Digest } from './worker/worker-output.ts';
import { hearChild, reportsWithoutChild } from './worker/worker-pool.ts';
import type { Job } from './worker/worker-protocol.ts';

/** What the service's environment may tell a source; nothing else of it goes to a child. */
const ENV_FOR_SOURCES = [
  'PATH',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'CLINE_DIR',
];

export interface MachineScan {
  /** Names of sources; null: all. */
  sources: readonly string[] | null;
  env: NodeJS.ProcessEnv;
  settings: DiscoverySettings;
  /** Where compiled code may be kept between scans; null: nowhere. */
  dataDir: string | null;
  /** Ends the children; what they did not come to say is then missing. */
  signal?: AbortSignal;
  /** Readers of former scans that could not be ended. */
  leftBehind?: LeftBehind;
  /** Called when a reader begins: its number, and how many there are. */
  onRead?: (reader: number, readers: number) => void;
  /** The homes that are known; else they are looked for. */
  homes?: readonly Home[];
  /** For tests: another file system, other limits. */
  root?: string;
  limits?: ChildLimits;
  /** Only sources that changed, and only where: of the other places counts what was kept of them. */
  again?: { places: readonly ChangedPlace[]; kept: readonly Report[] };
  /** The whole scan before this one: where readers say the very same words, its result is this one's, too. */
  before?: MachineResult | null;
  /** Sources are asked for their stamps first, and are not read where these and all else are as before. */
  byStamps?: boolean;
}

/** What the readers of a scan were asked, and what they said. */
interface Said {
  asked: string;
  words: ReaderWords[];
  bare: ReadonlySet<string>;
}

/** Of one reader; `short`: what it would have said of stamps. */
interface ReaderWords extends Digest {
  short: Digest | null;
}

export interface MachineResult extends ScanResult {
  /** What the watched sources reported of homes: what another look need not read again. */
  kept: Report[];
  /** What the watch of changes goes by. */
  watched: WatchedScan;
  /** Null where a reader did not come to its regular end. */
  said: Said | null;
  /** Nothing differs from the scan before. */
  isSame: boolean;
}

/** One pass over everything, in children that give their memory back and whose end harms nothing. */
export async function scanMachine(scan: MachineScan): Promise<MachineResult> {
  const platform = currentPlatform();
  const startedAt = new Date();
  const startMs = performance.now();
  const root = scan.root ?? (platform === 'win32' ? 'C:\\' : '/');
  const homes = scan.homes ?? (await findHomes())?.homes ?? [];
  const chosen = chooseSources(SOURCES, platform, scan.sources);
  const again = scan.again === undefined ? null : planAgain(chosen, homes, scan.again);
  const sources = again?.sources ?? chosen;
  const jobs = planJobs(platform, root, homes, scan, again);
  const asked = JSON.stringify([jobs, homes]);
  const before = scan.before?.said?.asked === asked ? scan.before : null;
  const beganAtMs = startedAt.getTime();
  const { settings } = scan;
  const watched = { sources: chosen, homes, settings, beganAtMs };
  const durationMs = () => Math.round(performance.now() - startMs);
  const sameAs = (former: MachineResult): MachineResult => {
    const common = { startedAt, durationMs: durationMs(), isSame: true };
    return { ...former, ...common, watched: { ...watched, reports: former.kept } };
  };
  if (before?.said != null && scan.byStamps === true) {
    if (await saySameOfStamps(jobs, sources, scan, before.said)) return sameAs(before);
  }
  const heard = await hearAll(jobs, sources, scan, before?.said ?? null);
  if (before !== null && heard.isSame) return sameAs(before);
  const reports = [...(again?.kept ?? []), ...heard.parts.flatMap((part) => part())];
  const result = assemble(reports, {
    platform,
    root,
    homes,
    startedAt,
    durationMs: durationMs(),
  });
  const ofWatched = reports.filter((report) =>
    sources.some((source) => source.name === report.source && source.watches !== undefined),
  );
  const kept = ofWatched.filter((report) => report.owner !== null);
  const { words, bare } = heard;
  return {
    ...result,
    kept,
    watched: { ...watched, reports: kept },
    said: words === null ? null : { asked, words, bare },
    isSame: false,
  };
}

/** Whether all readers say what they said before where sources with a stamp are only asked for it. */
async function saySameOfStamps(
  jobs: readonly Job[],
  sources: readonly Source[],
  { dataDir, limits, signal, leftBehind }: MachineScan,
  before: Said,
): Promise<boolean> {
  const codeCache = codeCacheOf(dataDir);
  let told = 0;
  for (const job of jobs) {
    if (reportsWithoutChild(job, sources, before.bare) !== null) continue;
    const expected = before.words[told++]?.short ?? null;
    if (expected === null || signal?.aborted) return false;
    const ask: Job = job.stamps === null ? job : { ...job, stamps: 'instead' };
    const options = { codeCache, limits, signal, leftBehind, unread: expected.bytes };
    const { digest } = await hearChild(ask, sources, options);
    if (digest !== expected.digest) return false;
  }
  return told === before.words.length;
}

interface HeardAll {
  parts: (() => Report[])[];
  words: Said['words'] | null;
  bare: ReadonlySet<string>;
  isSame: boolean;
}

/** Hears one reader after the other. While they say what they said before, it is only compared, and read when one differs. */
async function hearAll(
  jobs: readonly Job[],
  sources: readonly Source[],
  { dataDir, limits, signal, leftBehind, onRead }: MachineScan,
  before: Said | null,
): Promise<HeardAll> {
  const codeCache = codeCacheOf(dataDir);
  const parts: (() => Report[])[] = [];
  const words: (ReaderWords | null)[] = [];
  let bare: ReadonlySet<string> = new Set();
  let isSame = before !== null;
  for (const [index, job] of jobs.entries()) {
    onRead?.(index + 1, jobs.length);
    const known = reportsWithoutChild(job, sources, bare);
    if (known !== null) {
      parts.push(() => known);
      continue;
    }
    if (signal?.aborted) {
      words.push(null);
      break;
    }
    const expected = isSame ? before?.words[words.length] : undefined;
    const unread = expected?.bytes ?? 0;
    const options = { codeCache, limits, signal, leftBehind, unread };
    const { digest, bytes, read } = await hearChild(job, sources, options);
    isSame = digest !== null && digest === expected?.digest;
    const said = digest === null ? null : { digest, bytes };
    const short = () => (job.stamps === null ? said : read().short);
    words.push(said && { ...said, short: isSame && expected ? expected.short : short() });
    parts.push(() => read().reports);
    if (job.machine) bare = isSame && before !== null ? before.bare : read().bare;
  }
  const all = words.flatMap((word) => word ?? []);
  const isWhole = all.length === words.length;
  return { parts, words: isWhole ? all : null, bare, isSame: isSame && isWhole };
}

interface Again {
  sources: Source[];
  owners: ReadonlySet<string | null>;
  kept: Report[];
}

/** Whose place was never read is read now. */
function planAgain(
  chosen: readonly Source[],
  homes: readonly Home[],
  { places, kept }: NonNullable<MachineScan['again']>,
): Again {
  const sources = chosen.filter((source) => places.some((place) => place.source === source.name));
  const owners = new Set(places.map((place) => place.owner));
  for (const source of sources) {
    if (source.looksAt.includes('machine')) owners.add(null);
    if (!source.looksAt.includes('home')) continue;
    for (const { owner } of homes) {
      const isKept = kept.some((report) => report.source === source.name && report.owner === owner);
      if (!isKept) owners.add(owner);
    }
  }
  const isThere = new Set(homes.map((home) => home.owner));
  return {
    sources,
    owners,
    kept: kept.filter(
      ({ source, owner }) =>
        owner !== null &&
        isThere.has(owner) &&
        !owners.has(owner) &&
        sources.some((candidate) => candidate.name === source),
    ),
  };
}

function planJobs(
  platform: Platform,
  root: string,
  homes: readonly Home[],
  scan: MachineScan,
  again: Again | null,
): Job[] {
  const env: Record<string, string> = {};
  for (const name of ENV_FOR_SOURCES) {
    const value = scan.env[name];
    if (value !== undefined) env[name] = value;
  }
  const sources = again?.sources.map((source) => source.name) ?? scan.sources;
  const common = { platform, root, sources, env, settings: scan.settings };
  const wanted = homes.filter((home) => again === null || again.owners.has(home.owner));
  const ownUid = process.getuid?.() ?? null;
  const isOwn = (home: Home) => home.uid === ownUid && home.hangs !== true;
  const isOther = (home: Home) => !isOwn(home) && home.hangs !== true;
  const others = wanted.filter(isOther).map(({ owner, path }) => ({ owner, path }));
  const machine = again === null || again.owners.has(null);
  const first: Job[] = [
    {
      ...common,
      machine,
      homes: wanted.filter(isOwn),
      others: scan.settings.personalHomes ? others : [],
      stamps: machine ? 'beside' : null,
      become: null,
    },
  ];
  const jobs = machine || wanted.some(isOwn) ? first : [];
  for (const home of wanted) {
    if (isOwn(home)) continue;
    const { uid, gid } = home;
    const become = ownUid === 0 && uid !== null && gid !== null ? { uid, gid } : null;
    jobs.push({ ...common, machine: false, homes: [home], others: [], stamps: null, become });
  }
  return jobs;
}
