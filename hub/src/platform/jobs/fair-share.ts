// Fair sharing of job slots between owners: hanging work of an owner never takes the last slot. Pure functions.

/** A job that occupies a slot. */
export interface ActiveJob {
  owner: string;
}

/** The limits of a fetch: at most `max` jobs, and none of the owners in `exhausted`. */
export interface FetchPlan {
  max: number;
  exhausted: string[];
}

/** Limits a fetch, so that it does not delay the next fetch for long. */
const FETCH_MAX = 20;

/** Share of the slots that is reserved for owners without hanging jobs. */
const RESERVED_SHARE = 1 / 4;

/**
 * Returns the fetches in their order: first for owners without hanging jobs, from all slots; then for every owner, from
 * the slots that are not reserved. Owners with hanging jobs therefore never lock out healthy owners.
 */
export function planFetches(
  active: readonly ActiveJob[],
  slots: number,
  hangingOwners: ReadonlySet<string>,
): readonly FetchPlan[] {
  const healthy = planFetch(active, slots);
  if (hangingOwners.size === 0) return [healthy];
  const all = planFetch(active, slots - Math.floor(slots * RESERVED_SHARE));
  return [{ ...healthy, exhausted: [...new Set([...healthy.exhausted, ...hangingOwners])] }, all];
}

/**
 * Returns the limits of a fetch. An owner may use fewer slots than are free: a single owner gets half of the slots, and
 * an owner beside n others gets a share of n + 2. Nothing about waiting owners is needed, and an owner without active
 * jobs can start while any slot is free. `max` is the share of a single owner, because the owners of the next jobs are
 * unknown.
 */
export function planFetch(active: readonly ActiveJob[], slots: number): FetchPlan {
  const free = slots - active.length;
  const counts = countByOwner(active);
  if (free <= 0) return { max: 0, exhausted: [] };
  const exhausted = [...counts].flatMap(([owner, count]) => (count < free ? [] : owner));
  const largest = Math.max(0, ...[...counts.values()].filter((count) => count < free));
  return { max: Math.min(FETCH_MAX, Math.ceil((free - largest) / 2)), exhausted };
}

/**
 * Returns the jobs to abort when more than `max` jobs hang: repeatedly the oldest job of the owner with the most hanging
 * jobs. `hanging` is sorted by age, oldest first.
 */
export function selectEvictions<Job extends ActiveJob>(
  hanging: readonly Job[],
  max: number,
): Job[] {
  const remaining = [...hanging];
  const counts = countByOwner(remaining);
  const evicted: Job[] = [];
  while (remaining.length > max) {
    const largest = Math.max(...counts.values());
    const index = remaining.findIndex(({ owner }) => counts.get(owner) === largest);
    const [job] = remaining.splice(index, 1);
    if (job === undefined) break;
    counts.set(job.owner, largest - 1);
    evicted.push(job);
  }
  return evicted;
}

function countByOwner(active: readonly ActiveJob[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { owner } of active) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}

/** The abort reason of a hanging job while the hub continues: too many jobs hang. */
export class JobEvictedError extends Error {
  constructor() {
    super('The job was aborted, because it hung and too many jobs were hanging.');
  }
}
