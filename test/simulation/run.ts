// A seed from beginning to end: its plan, then a quiet time, after which everything must have converged.
import { deltaPage } from '@gatewarden/hub/src/features/devices/sync/delta-page.ts';
import { audienceOf } from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import { entityHashHex } from '@gatewarden/shared/digests.ts';
import { waitingRows } from './file.ts';
import type { Violation } from './invariant-checker.ts';
import { planOf } from './plan.ts';
import { DEVICE_ID } from './records.ts';
import { SeededRandom } from './simulated-environment.ts';
import { DO } from './steps.ts';
import { type Plants, Testbed } from './testbed.ts';

export interface Outcome {
  violation: Violation | null;
  /** The trace of events, if it was requested. */
  history: string[];
}

/** Longer than a day: an inventory that was doubted is doubted again after that. */
const QUIET_MAX_MS = 27 * 3_600_000;
/** Time after which every restart has happened and every delayed message has arrived. */
const CALM_MS = 16 * 60_000;

/** Runs the seed, without those of its steps that are left out. */
export async function runSeed(
  seed: number,
  options: { plants?: Plants; without?: ReadonlySet<number>; isTraced?: boolean } = {},
): Promise<Outcome> {
  const { stackTraceLimit } = Error;
  // Thousands of refusals are thrown and caught; their stack traces would cost time and are never read.
  Error.stackTraceLimit = 0;
  try {
    return await play(
      new Testbed(seed, options.plants ?? {}, options.isTraced === true),
      seed,
      options.without,
    );
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function play(
  stage: Testbed,
  seed: number,
  without: ReadonlySet<number> = new Set(),
): Promise<Outcome> {
  const { world, judge } = stage;
  const startedAt = world.now;
  const steps = planOf(seed).filter((_, i) => !without.has(i));
  for (const { at, name, seed: own } of steps) {
    world.after(at, async () => {
      stage.note(() => name);
      stage.isChanged = true;
      await DO[name](stage, new SeededRandom(own));
    });
  }
  await go(stage, startedAt + (steps.at(-1)?.at ?? 0) + 1, () => false);
  await settle(stage);
  return { violation: judge.violation, history: stage.history ?? [] };
}

/** Runs events, and checks the invariants after each event that may have changed something. */
async function go(stage: Testbed, until: number, isOver: () => boolean): Promise<void> {
  const { world, judge } = stage;
  const isDue = () => stage.isChanged || judge.violation !== null;
  while (world.now < until && judge.violation === null) {
    await world.run(until, isDue);
    if (!stage.isChanged) continue;
    stage.isChanged = false;
    if (stage.agent !== null) await judge.look(stage.agent);
    if (isOver()) return;
  }
}

async function settle(stage: Testbed): Promise<void> {
  const { world, judge } = stage;
  if (judge.violation !== null) return;
  stage.note(() => 'quiet');
  stage.isQuiet = true;
  stage.network.weather = 'fair';
  stage.installed.readAll();
  if (stage.disk !== null) Object.assign(stage.disk, { crashIn: Infinity, isFull: false });
  stage.listenAgain();
  await go(stage, world.now + CALM_MS, () => false);
  stage.agent?.scan();
  await go(stage, world.now + QUIET_MAX_MS, () => isSettled(stage));
  if (judge.violation === null) judge.finish(installedIn(stage), freshPull(stage));
}

const ownerOf = ({ records, machine }: Testbed) =>
  records.device?.subscriber_id ?? machine.subscriberId;

function freshPull(stage: Testbed) {
  const snapshot = stage.records.tenant.fresh();
  const whom = audienceOf(snapshot, DEVICE_ID, ownerOf(stage));
  return deltaPage(snapshot, whom, null, 500, stage.world.now).overrides;
}

/** The installed entities, as the hub must have them. */
const installedIn = ({ machine }: Testbed): string[] =>
  machine.scan().entities.map(({ wire }) => `${wire.entity_id}:${entityHashHex(wire)}`);

function isSettled(stage: Testbed): boolean {
  const { agent, records, judge } = stage;
  if (agent === null || waitingRows() > 0 || !judge.hasPulled(ownerOf(stage))) return false;
  return records.presentNames().join() === installedIn(stage).sort().join();
}
