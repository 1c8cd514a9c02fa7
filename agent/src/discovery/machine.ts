// A scan of this very machine: one child for the machine and the homes of its own user, one for each other person's home.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { codeCacheOf } from '../code-cache.ts';
import { currentPlatform } from '../config/identity.ts';
import { assemble, type ScanResult } from './assemble.ts';
import type { Job } from './child/protocol.ts';
import { type ChildLimits, reportsWithoutChild, runChild } from './child/run.ts';
import { type Home, listHomes } from './homes.ts';
import { openLiveRegistry, parseRegistryExport } from './registry.ts';
import { chooseSources, type DiscoverySettings } from './scan.ts';
import type { Report } from './source.ts';
import { SOURCES } from './sources/index.ts';

/** What the service's environment may tell a source; nothing else of it goes to a child. */
const ENV_FOR_SOURCES = [
  'PATH',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'CLINE_DIR',
];
const PROFILE_LIST = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';

export interface MachineScan {
  /** Names of sources; null: all. */
  sources: readonly string[] | null;
  env: NodeJS.ProcessEnv;
  settings: DiscoverySettings;
  /** Where compiled code may be kept between scans; null: nowhere. */
  dataDir: string | null;
  /** Ends the children; what they did not come to say is then missing. */
  signal?: AbortSignal;
  /** For tests: another file system, other people, other limits. */
  root?: string;
  homes?: readonly Home[];
  limits?: ChildLimits;
}

/** The homes of the people of this machine. */
async function machineHomes(): Promise<Home[]> {
  if (process.platform !== 'win32') return listHomes();
  const exported = await openLiveRegistry(process.env.SystemRoot ?? 'C:\\Windows')(PROFILE_LIST);
  const profiles = exported === null ? [] : parseRegistryExport(exported);
  return listHomes({ root: `${process.env.SystemDrive ?? 'C:'}\\`, profiles });
}

/** One pass over everything, in children that give their memory back and whose end harms nothing. */
export async function scanMachine(scan: MachineScan): Promise<ScanResult> {
  const platform = currentPlatform();
  const startedAt = new Date();
  const startMs = performance.now();
  const root = scan.root ?? (platform === 'win32' ? 'C:\\' : '/');
  const homes = scan.homes ?? (await machineHomes());
  const sources = chooseSources(SOURCES, platform, scan.sources);
  const codeCache = codeCacheOf(scan.dataDir);
  const reports: Report[] = [];
  let bare: ReadonlySet<string> = new Set();
  for (const job of planJobs(platform, root, homes, scan)) {
    const known = reportsWithoutChild(job, sources, bare);
    if (known !== null) {
      reports.push(...known);
      continue;
    }
    const { limits, signal } = scan;
    if (signal?.aborted) break;
    const outcome = await runChild(job, sources, { codeCache, limits, signal });
    reports.push(...outcome.reports);
    if (job.machine) bare = outcome.bare;
  }
  return assemble(reports, {
    platform,
    root,
    homes,
    startedAt,
    durationMs: Math.round(performance.now() - startMs),
  });
}

function planJobs(
  platform: Platform,
  root: string,
  homes: readonly Home[],
  scan: MachineScan,
): Job[] {
  const env: Record<string, string> = {};
  for (const name of ENV_FOR_SOURCES) {
    const value = scan.env[name];
    if (value !== undefined) env[name] = value;
  }
  const common = { platform, root, sources: scan.sources, env, settings: scan.settings };
  const ownUid = process.getuid?.() ?? null;
  const isOwn = (home: Home) => home.uid === ownUid;
  const others = homes.filter((home) => !isOwn(home)).map(({ owner, path }) => ({ owner, path }));
  const jobs: Job[] = [
    {
      ...common,
      machine: true,
      homes: homes.filter(isOwn),
      others: scan.settings.personalHomes ? others : [],
      become: null,
    },
  ];
  for (const home of homes) {
    if (isOwn(home)) continue;
    const { uid, gid } = home;
    const become = ownUid === 0 && uid !== null && gid !== null ? { uid, gid } : null;
    jobs.push({ ...common, machine: false, homes: [home], others: [], become });
  }
  return jobs;
}
