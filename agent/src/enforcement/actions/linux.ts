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

/**
 * SIGTERM, a grace, SIGKILL. Children go with their parent, save those that `spares` protects.
 * `gone` means that it had ended by itself before we touched it.
 */
export async function endProcess(
  target: RunningProcess,
  spares: (child: RunningProcess) => boolean,
  { graceMs = GRACE_MS } = {},
): Promise<EndOutcome> {
  const family = [target, ...descendantsOf([target.pid]).filter((child) => !spares(child))];
  if (!isStill(target)) return 'gone';
  for (const member of family) signalIfSame(member, 'SIGTERM');
  if (await allEnded(family, graceMs)) return 'terminated';
  const left = holdAll(family, spares);
  for (const member of left) signalIfSame(member, 'SIGKILL');
  await allEnded(left, AFTER_KILL_MS);
  return isStill(target) ? 'failed' : 'terminated';
}

/**
 * Those of the family that are still there, with what they have started since. They are stopped first: what runs could
 * start another one between the look and the signal.
 */
function holdAll(
  family: readonly RunningProcess[],
  spares: (child: RunningProcess) => boolean,
): RunningProcess[] {
  const held = new Map<string, RunningProcess>();
  let found = family.filter(isStill);
  for (let look = 0; look < MAX_LOOKS && found.length > 0; look++) {
    for (const member of found) {
      held.set(instanceKey(member), member);
      signalIfSame(member, 'SIGSTOP');
    }
    found = descendantsOf([...held.values()].filter(isStill).map((member) => member.pid)).filter(
      (child) => !held.has(instanceKey(child)) && !spares(child),
    );
  }
  return [...held.values()];
}

function isStill(process: RunningProcess): boolean {
  const now = readProcess(process.pid, null);
  return now !== null && instanceKey(now) === instanceKey(process);
}

function signalIfSame(target: RunningProcess, signal: NodeJS.Signals): void {
  if (target.pid <= 1 || !isStill(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    // Ended meanwhile, or not ours to end: the outcome is seen by looking whether it is still there.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function allEnded(family: readonly RunningProcess[], patienceMs: number): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (!family.some(isStill)) return true;
    if (waitedMs >= patienceMs) return false;
    await wait(LOOK_EVERY_MS);
  }
}

function descendantsOf(pids: readonly number[]): RunningProcess[] {
  const all = listPids().flatMap((p) => readProcess(p, null) ?? []);
  const children = Map.groupBy(all, (p) => p.ppid);
  const found: RunningProcess[] = [];
  const queue = [...pids];
  const seen = new Set(pids);
  for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}
