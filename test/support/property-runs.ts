// Size and seed of the property tests. `npm test` makes a tenth of the runs, with a seed that changes with each commit; the
// extended suite makes all of them (GATEWARDEN_TEST_SIZE=full).
import { execFileSync } from 'node:child_process';

/** Fewer runs would not try the shrinking of a property at all. */
const RUNS_MIN = 5;
const SEED_MAX = 2 ** 31;

/** Returns the number of runs for a property that has `full` runs in the extended suite. */
export function propertyRuns(full: number): number {
  if (process.env.GATEWARDEN_TEST_SIZE === 'full') return full;
  return Math.min(full, Math.max(RUNS_MIN, Math.ceil(full / 10)));
}

/**
 * Returns the seed of all properties: GATEWARDEN_SEED, or the first eight digits of the commit, or 1 outside of a
 * repository. A run of the same commit is repeatable, and each commit tries other values.
 */
export function propertySeed(): number {
  if (process.env.GATEWARDEN_SEED !== undefined) return Number(process.env.GATEWARDEN_SEED);
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(commit.slice(0, 8), 16) % SEED_MAX;
  } catch {
    return 1;
  }
}
