// Ends a process and its children on Linux. Who a pid is, is checked again right before each signal.
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../errors.ts';
import { listPids, readProcess } from '../../processes/list.ts';
import { instanceKey, type RunningProcess } from '../../processes/process.ts';

export type EndOutcome = 'terminated' | 'failed' | 'gone';

const GRACE_MS = 2000;
const AFTER_KILL_MS = 1000;
const LOOK_EVERY_MS = 50;
const MAX_LOOKS = 5;

/** What is done with a child: ended, left alone itself, or left alone with all that it started. */
export type Spared = 'no' | 'itself' | 'with_children';
export type Spares = (process: RunningProcess) => Spared;

/**
 * SIGTERM, a grace, SIGKILL. Children go with their parent, save those that `spares` protects.
 * `gone` means that it had ended by itself before we touched it.
 */
export async function endProcess(
  target: RunningProcess,
  spares: Spares,
  { graceMs = GRACE_MS } = {},
): Promise<EndOutcome> {
  const family = [target, ...descendantsOf([target.pid], spares)];
  const now = readProcess(target.pid, null);
  if (now === null || instanceKey(now) !== instanceKey(target)) return 'gone';
  for (const member of family) signalIfSame(member, 'SIGTERM', spares);
  if (await allEnded(family, spares, graceMs)) return 'terminated';
  const left = holdAll(family, spares);
  for (const member of left) signalIfSame(member, 'SIGKILL', spares);
  await allEnded(left, spares, AFTER_KILL_MS);
  return isStill(target, spares) ? 'failed' : 'terminated';
}

/**
 * Those of the family that are still there, with what they have started since. They are stopped first: what runs could
 * start another one between the look and the signal.
 */
function holdAll(family: readonly RunningProcess[], spares: Spares): RunningProcess[] {
  const held = new Map<string, RunningProcess>();
  const keyOf = ({ pid, startTicks }: RunningProcess) => `${pid}:${startTicks}`;
  let found = family.filter((member) => isStill(member, spares));
  for (let look = 0; look < MAX_LOOKS && found.length > 0; look++) {
    for (const member of found) {
      held.set(keyOf(member), member);
      signalIfSame(member, 'SIGSTOP', spares);
    }
    const parents = [...held.values()].filter((member) => isStill(member, spares));
    found = descendantsOf(
      parents.map((member) => member.pid),
      spares,
    ).filter((child) => !held.has(keyOf(child)));
  }
  return [...held.values()];
}

/**
 * Whether it still runs, whatever it runs by now: who is asked to end and starts another program in its place has not
 * ended. One that became something protected has.
 */
function isStill(member: RunningProcess, spares: Spares): boolean {
  const now = readProcess(member.pid, null);
  if (now === null || now.startTicks !== member.startTicks) return false;
  return now.executablePath === member.executablePath || spares(now) === 'no';
}

function signalIfSame(target: RunningProcess, signal: NodeJS.Signals, spares: Spares): void {
  if (target.pid <= 1 || !isStill(target, spares)) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    // Ended meanwhile, or not ours to end: the outcome is seen by looking whether it is still there.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function allEnded(
  family: readonly RunningProcess[],
  spares: Spares,
  patienceMs: number,
): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (!family.some((member) => isStill(member, spares))) return true;
    if (waitedMs >= patienceMs) return false;
    await wait(LOOK_EVERY_MS);
  }
}

function descendantsOf(pids: readonly number[], spares: Spares): RunningProcess[] {
  const all = listPids().flatMap((p) => readProcess(p, null) ?? []);
  return findFamily(pids, all, spares);
}

/** All below these that are not spared. */
export function findFamily(
  pids: readonly number[],
  all: readonly RunningProcess[],
  spares: Spares,
): RunningProcess[] {
  const children = Map.groupBy(all, (p) => p.ppid);
  const found: RunningProcess[] = [];
  const queue = [...pids];
  const seen = new Set(pids);
  for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      const spared = spares(child);
      if (spared === 'no') found.push(child);
      if (spared !== 'with_children') queue.push(child.pid);
    }
  }
  return found;
}
