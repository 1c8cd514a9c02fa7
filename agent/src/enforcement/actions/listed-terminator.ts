// Ends a process and its children on macOS: a new process list before each signal confirms the identity of a pid. This
// code is untested on real machines, which is why `allow_untested_platform` must be set.
import { setTimeout as wait } from 'node:timers/promises';
import { listProcesses } from '../../processes/process-list.ts';
import { instanceKey, type RunningProcess } from '../../processes/running-process.ts';
import { codeOf } from '../../runtime/errors.ts';
import { type Exemption, findFamily, type TerminationOutcome } from './linux-terminator.ts';

const GRACE_MS = 2000;
const AFTER_KILL_MS = 1000;
const LOOK_EVERY_MS = 250;

/** Ends a process with the grace periods of Linux. */
export async function terminateListedProcess(
  target: RunningProcess,
  spares: Exemption,
  list: () => RunningProcess[] = listProcesses,
): Promise<TerminationOutcome> {
  const seen = list();
  // Without a start time a pid is nobody in particular.
  if (target.startTicks === '') return 'failed';
  if (!isIn(seen, target)) return 'gone';
  const family = [target, ...findFamily([target.pid], seen, spares)];
  for (const member of family) signal(member, 'SIGTERM');
  const stubborn = await remaining(family, GRACE_MS, list);
  if (stubborn.length === 0) return 'terminated';
  for (const member of stubborn) signal(member, 'SIGKILL');
  const left = await remaining(family, AFTER_KILL_MS, list);
  return isIn(left, target) ? 'failed' : 'terminated';
}

function isIn(list: readonly RunningProcess[], process: RunningProcess): boolean {
  return list.some((listed) => instanceKey(listed) === instanceKey(process));
}

function signal(target: RunningProcess, signal: NodeJS.Signals): void {
  if (target.pid <= 4 || target.startTicks === '') return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    // The process has ended, or the agent may not end it: the next list shows which.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Returns the members that the last list still contains. */
async function remaining(
  family: readonly RunningProcess[],
  patienceMs: number,
  list: () => RunningProcess[],
): Promise<RunningProcess[]> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const now = list();
    const left = family.filter((member) => isIn(now, member));
    if (left.length === 0 || waitedMs >= patienceMs) return left;
    await wait(LOOK_EVERY_MS);
  }
}
