// Runs the chosen sources on the machine and on each home in turn. Worker processes run this module, so every home
// pays for its imports.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { messageOf, PlainError } from '../../runtime/errors.ts';
import type { Home } from '../homes/home-list.ts';
import type { ReadRegistry } from '../scoped-fs/registry-key.ts';
import { openScopedFs, resolveHome, TimeBudgetExceeded } from '../scoped-fs/scoped-fs.ts';
import type { Discovered, Report, Source } from '../source-contract.ts';

/** Whether the company looks at what is people's own; it comes with the delta. */
export interface DiscoverySettings {
  personalHomes: boolean;
  browserProfiles: boolean;
}

export interface ScanContext {
  platform: Platform;
  /** Root of the file system: `/`, or a fixture tree. */
  root: string;
  /** False: only homes are looked at. */
  machine: boolean;
  homes: readonly Home[];
  env: Readonly<Record<string, string | undefined>>;
  settings: DiscoverySettings;
  readRegistry: ReadRegistry | null;
  /** Lets the sources that have a stamp report it instead of reading the machine. */
  stamps?: boolean;
  /** True for a path that nobody comes back from; null where there is none. */
  hangs?: ((path: string) => boolean) | null;
}

const SOURCE_BUDGET_MS = 30_000;
export const MAX_FOUND = 20_000;

/** The sources of this platform that the configuration names (null: all). */
export function chooseSources(
  sources: readonly Source[],
  platform: string,
  names: readonly string[] | null,
): Source[] {
  const unknown = names?.find((name) => !sources.some((source) => source.name === name));
  if (unknown !== undefined) {
    const known = sources.map((source) => source.name).join(', ');
    throw new PlainError(`discovery.sources: there is no source "${unknown}" (known: ${known})`);
  }
  return sources.filter(
    (source) =>
      source.platforms.some((p) => p === platform) &&
      (names === null || names.includes(source.name)),
  );
}

/** Each source's report on each place, as it is done. A source that throws costs its own report only. */
export async function* runSources(
  sources: readonly Source[],
  context: ScanContext,
  monotonicMs: () => number,
): AsyncGenerator<Report> {
  for (const scopeHome of [...(context.machine ? [null] : []), ...context.homes]) {
    // A company may forbid the reading of homes: then no path of a home is resolved either.
    const isTouched = scopeHome !== null && context.settings.personalHomes;
    const home = isTouched ? resolveHome(scopeHome) : scopeHome;
    const commons = new Map<string, Promise<unknown>>();
    const absences = new Map<string, boolean>();
    const scope = home === null ? 'machine' : 'home';
    for (const source of sources.filter(({ scopes }) => scopes.includes(scope))) {
      const skipped = home === null ? null : skipInHome(source, home, context.settings);
      yield skipped ?? (await runSource(source, home, { context, commons, absences, monotonicMs }));
    }
  }
}

function skipInHome(source: Source, home: Home, settings: DiscoverySettings): Report | null {
  const reason = whySkipped(source, settings);
  return reason === null ? null : skip(source.name, home.owner, reason);
}

/** Why the company's settings keep this source out of homes; null where they do not. */
export function whySkipped(
  source: Pick<Source, 'readsBrowserProfiles'>,
  settings: DiscoverySettings,
): string | null {
  if (!settings.personalHomes) return 'the company does not look at homes';
  return source.readsBrowserProfiles === true && !settings.browserProfiles
    ? 'the company does not look at browser profiles'
    : null;
}

/** The report of a source that was kept from looking. */
export function skip(source: string, owner: string | null, reason: string): Report {
  return { source, owner, state: 'skipped', reason, problems: [], found: [] };
}

async function runSource(
  source: Source,
  home: Home | null,
  at: {
    context: ScanContext;
    commons: Map<string, Promise<unknown>>;
    absences: Map<string, boolean>;
    monotonicMs: () => number;
  },
): Promise<Report> {
  const { platform, root, env, readRegistry, hangs, stamps } = at.context;
  const deadlineMs = at.monotonicMs() + SOURCE_BUDGET_MS;
  const isOverdue = () => at.monotonicMs() > deadlineMs;
  const { commons, absences } = at;
  const reportsFiles = source.watches?.(platform).filesRead;
  const common = { platform, root, home, env, readRegistry, hangs };
  const { fs, coverage } = openScopedFs({ ...common, isOverdue, commons, absences, reportsFiles });
  const found: Discovered[] = [];
  try {
    const stamp = stamps === true && home === null ? source.stamp?.(fs) : null;
    if (stamp != null) return reportStamp(source.name, stamp);
    for await (const discovered of source.discover(fs)) {
      if (found.length === MAX_FOUND) {
        throw new TimeBudgetExceeded(`more than ${MAX_FOUND} were found`);
      }
      found.push(discovered);
    }
  } catch (error) {
    const state = error instanceof TimeBudgetExceeded ? 'timed_out' : 'unreadable';
    fs.reportError(home === null ? '/' : '.', state, messageOf(error).slice(0, 512));
  }
  if (found.length > 0) fs.markPresent();
  return { source: source.name, owner: home?.owner ?? null, ...coverage(), found };
}

/** Returns the report of a source that has not read anything. */
function reportStamp(source: string, stamp: string): Report {
  return { source, owner: null, state: 'read', reason: null, problems: [], found: [], stamp };
}
