// One discovery pass: walks the sources, merges what several owners have, and puts it in the wire's form and a fixed order.
import type { WireCoverage, WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { messageOf, PlainError } from '../errors.ts';
import { type Home, shortenHome } from './homes.ts';
import type { DiscoverContext, DiscoveredEntity, Finding, Problem, Source } from './source.ts';

export interface ScannedEntity {
  wire: WireEntity;
  /** In the words of coverage: who has it; null stands for the machine. */
  owners: (string | null)[];
  /** All real paths, for the correlator. */
  executables: string[];
}

export interface ScanResult {
  startedAt: Date;
  durationMs: number;
  entities: ScannedEntity[];
  coverage: WireCoverage[];
  problems: Problem[];
}

export const MAX_EXECUTABLES = 64;
const MAX_INSTANCES = 32;
const MAX_PATH = 4096;
const SOURCE_BUDGET_MS = 60_000;

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

/** Runs the sources one after the other. An unchanged machine gives byte-equal entities. */
export async function scan(
  sources: readonly Source[],
  context: Omit<DiscoverContext, 'isOverdue'>,
  clock: { now(): Date; monotonicMs(): number },
): Promise<ScanResult> {
  const startedAt = clock.now();
  const startMs = clock.monotonicMs();
  const found = new Map<string, { owner: string | null; entity: DiscoveredEntity }[]>();
  const coverage: WireCoverage[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    const counts = new Map<string | null, number>();
    const deadline = clock.monotonicMs() + SOURCE_BUDGET_MS;
    const isOverdue = () => clock.monotonicMs() > deadline;
    for await (const finding of safely(source, { ...context, isOverdue })) {
      if (finding.is === 'entity') {
        const { owner, entity } = finding;
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
        found.set(entity.entity_id, [...(found.get(entity.entity_id) ?? []), { owner, entity }]);
      } else if (finding.is === 'problem') {
        const path = shortenHome(finding.path, context.homes);
        problems.push({ source: source.name, path, reason: finding.reason });
      } else {
        const { owner, state, reason } = finding;
        const entities = counts.get(owner) ?? 0;
        coverage.push({ source: source.name, owner, state, entities, reason });
      }
    }
  }
  return {
    startedAt,
    durationMs: Math.round(clock.monotonicMs() - startMs),
    entities: [...found.values()]
      .map((sightings) => mergeSightings(sightings, context.homes))
      .sort((a, b) => (a.wire.entity_id < b.wire.entity_id ? -1 : 1)),
    coverage,
    problems,
  };
}

/** A source that throws costs its own coverage, not the scan. */
async function* safely(source: Source, context: DiscoverContext): AsyncGenerator<Finding> {
  try {
    yield* source.discover(context);
  } catch (error) {
    const reason = messageOf(error).slice(0, 1024);
    yield { is: 'problem', path: '', reason };
    yield { is: 'coverage', owner: null, state: 'unreadable', reason };
  }
}

function mergeSightings(
  sightings: { owner: string | null; entity: DiscoveredEntity }[],
  homes: readonly Home[],
): ScannedEntity {
  const ordered = sightings.toSorted((a, b) => compareOwners(a.owner, b.owner));
  const first = ordered[0];
  if (first === undefined) throw new Error('an entity without a sighting');
  const executables = [...new Set(ordered.flatMap((s) => s.entity.executables))].sort(byBytes);
  const owners = [...new Set(ordered.map((s) => s.owner))];
  const personal = owners.some((owner) => owner !== null);
  const show = (path: string | null | undefined) =>
    path == null ? null : shortenHome(path, homes).slice(0, MAX_PATH);
  const { executables: _, ...rest } = first.entity;
  const wire: WireEntity = {
    ...rest,
    install_path: show(first.entity.install_path),
    executables: [...new Set(executables.map((path) => shortenHome(path, homes)))]
      .filter((path) => path.length <= MAX_PATH)
      .sort(byBytes)
      .slice(0, MAX_EXECUTABLES),
    ...(personal
      ? {
          instances: ordered.slice(0, MAX_INSTANCES).map(({ owner, entity }) => ({
            owner,
            path: show(entity.install_path),
            version: entity.version ?? null,
            name: entity.name,
          })),
        }
      : {}),
  };
  return { wire: wellFormed(wire), owners, executables };
}

function compareOwners(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null || a > b ? 1 : -1;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** What the hub refuses everywhere must not cost a whole entity: NUL and lone surrogates become U+FFFD. */
function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd') as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, wellFormed(v)])) as T;
  }
  return value;
}
