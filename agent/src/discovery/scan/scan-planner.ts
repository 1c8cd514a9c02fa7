// Plans a scan: which sources are read in which homes, and which worker reads them.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Home } from '../homes/home-list.ts';
import type { Report, Source } from '../source-contract.ts';
import type { ChangedPlace } from './change-watcher.ts';
import type { DiscoverySettings } from './source-runner.ts';
import type { Job } from './worker/worker-protocol.ts';

/** Variables of the service's environment that a worker receives; it receives no others. */
const ENV_FOR_SOURCES = [
  'PATH',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'CLINE_DIR',
];

/** A rescan of changed places: `kept` are the reports that stay valid. */
export interface PartialScan {
  places: readonly ChangedPlace[];
  kept: readonly Report[];
}

export interface PartialPlan {
  sources: Source[];
  /** Owners of the homes to read; null: the machine. */
  owners: ReadonlySet<string | null>;
  kept: Report[];
}

/** Plans a rescan of changed places; places of the same sources that were never read are added. */
export function planPartialScan(
  chosen: readonly Source[],
  homes: readonly Home[],
  { places, kept }: PartialScan,
): PartialPlan {
  const sources = chosen.filter((source) => places.some((place) => place.source === source.name));
  const owners = new Set(places.map((place) => place.owner));
  for (const source of sources) {
    if (source.scopes.includes('machine')) owners.add(null);
    if (!source.scopes.includes('home')) continue;
    for (const { owner } of homes) {
      const isKept = kept.some((report) => report.source === source.name && report.owner === owner);
      if (!isKept) owners.add(owner);
    }
  }
  const present = new Set(homes.map((home) => home.owner));
  return {
    sources,
    owners,
    kept: kept.filter(
      ({ source, owner }) =>
        owner !== null &&
        present.has(owner) &&
        !owners.has(owner) &&
        sources.some((candidate) => candidate.name === source),
    ),
  };
}

/** Returns the jobs of a scan: the first reads the machine and the agent's own home, the others a home each. */
export function planJobs(
  scan: {
    platform: Platform;
    root: string;
    homes: readonly Home[];
    sources: readonly string[] | null;
    env: NodeJS.ProcessEnv;
    settings: DiscoverySettings;
  },
  partial: PartialPlan | null,
): Job[] {
  const { platform, root, settings } = scan;
  const env = selectEnv(scan.env);
  const sources = partial?.sources.map((source) => source.name) ?? scan.sources;
  const common = { platform, root, sources, env, settings };
  const homes = scan.homes.filter((home) => partial === null || partial.owners.has(home.owner));
  const agentUid = process.getuid?.() ?? null;
  const isOwn = (home: Home) => home.uid === agentUid && home.hangs !== true;
  const others = homes
    .filter((home) => !isOwn(home) && home.hangs !== true)
    .map(({ owner, path }) => ({ owner, path }));
  const machine = partial === null || partial.owners.has(null);
  const first: Job[] = [
    {
      ...common,
      machine,
      homes: homes.filter(isOwn),
      others: settings.personalHomes ? others : [],
      stamps: false,
      become: null,
    },
  ];
  const jobs = machine || homes.some(isOwn) ? first : [];
  for (const home of homes) {
    if (isOwn(home)) continue;
    const { uid, gid } = home;
    const become = agentUid === 0 && uid !== null && gid !== null ? { uid, gid } : null;
    jobs.push({ ...common, machine: false, homes: [home], others: [], stamps: false, become });
  }
  return jobs;
}

function selectEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const selected: Record<string, string> = {};
  for (const name of ENV_FOR_SOURCES) {
    const value = env[name];
    if (value !== undefined) selected[name] = value;
  }
  return selected;
}
