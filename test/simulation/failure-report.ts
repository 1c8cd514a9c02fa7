// Report of a failing seed: the fewest of its steps that still fail in the same way, and the complete history of that run.
import { planOf } from './plan.ts';
import { type Outcome, runSeed } from './run.ts';
import type { Plants } from './testbed.ts';

/** How to run it again, what broke, and the history. */
export async function describeFailure(seed: number, plants: Plants = {}): Promise<string> {
  const complete = await runSeed(seed, { plants });
  const without = new Set<number>();
  for (const step of planOf(seed).keys()) {
    const fewer = await runSeed(seed, { plants, without: new Set([...without, step]) });
    if (isSame(fewer, complete)) without.add(step);
  }
  const { violation, history } = await runSeed(seed, { plants, without, isTraced: true });
  const again = `GATEWARDEN_SEED=${seed} GATEWARDEN_SEEDS=1`;
  return [`${again}: ${violation?.message}`, ...history].join('\n');
}

const isSame = (outcome: Outcome, other: Outcome) =>
  outcome.violation !== null && outcome.violation.invariant === other.violation?.invariant;
