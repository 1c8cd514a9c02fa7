// Ends a process and its children on Linux. Who a pid is, is checked again right before each signal.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { listPids, readProcess } from '../../processes/process-list.ts';
import { instanceKey, type RunningProcess } from '../../processes/running-process.ts';
import { codeOf } from '../../runtime/errors.ts';

export type TerminationOutcome = 'terminated' | 'failed' | 'gone';

const GRACE_MS = 2000;
const AFTER_KILL_MS = 1000;
const LOOK_EVERY_MS = 50;
const MAX_LOOKS = 5;

/** Scope of an exemption: the child is ended (`no`), spared itself, or spared with all that it started. */
export type ExemptionScope = 'no' | 'itself' | 'with_children';
export type Exemption = (process: RunningProcess) => ExemptionScope;

/**
 * SIGTERM, a grace, SIGKILL. Children go with their parent, save those that `spares` protects.
 * `gone` means that it had ended by itself before we touched it.
 */
export async function terminateProcess(
  target: RunningProcess,
  spares: Exemption,
  { graceMs = GRACE_MS } = {},
): Promise<TerminationOutcome> {
  const known = openKnown();
  try {
    const children = descendantsOf([target.pid], spares);
    if (!known.add(target, (now) => instanceKey(now) === instanceKey(target))) return 'gone';
    const family = [target, ...known.of(children)];
    const still = (member: RunningProcess) => isStill(member, known, spares);
    for (const member of family) signalIf(still, member, 'SIGTERM');
    if (await allEnded(family, still, graceMs)) return 'terminated';
    const left = suspendAll(family, known, spares);
    for (const member of left) signalIf(still, member, 'SIGKILL');
    await allEnded(left, still, AFTER_KILL_MS);
    return still(target) ? 'failed' : 'terminated';
  } finally {
    known.close();
  }
}

interface Known {
  /** False where it is none that `isMeant`, which is asked of what has its pid now. */
  add(process: RunningProcess, isMeant: (now: RunningProcess) => boolean): boolean;
  /** Returns the processes that still run; from now on they are recognized whatever they run. */
  of(processes: readonly RunningProcess[]): RunningProcess[];
  isSame(process: RunningProcess): boolean;
  close(): void;
}

/**
 * Identifies processes by their open folder in /proc: it belongs to that process and to no later process with its
 * pid, not even within the same hundredth of a second, which is the resolution of a start time.
 */
function openKnown(): Known {
  const folders = new Map<RunningProcess, number>();
  const known: Known = {
    add(process, isMeant) {
      const folder = openIfThere(process.pid);
      if (folder === null) return false;
      const now = readProcess(process.pid, null);
      const isSeen = now !== null && isMeant(now);
      if (isSeen) folders.set(process, folder);
      else closeSync(folder);
      return isSeen;
    },
    // A child may run another program by now.
    of: (processes) =>
      processes.filter((process) =>
        known.add(process, (now) => now.startTicks === process.startTicks),
      ),
    isSame(process) {
      try {
        readFileSync(`/proc/self/fd/${folders.get(process)}/stat`);
        return true;
      } catch {
        return false;
      }
    },
    close() {
      for (const folder of folders.values()) closeSync(folder);
    },
  };
  return known;
}

function openIfThere(pid: number): number | null {
  try {
    return openSync(`/proc/${pid}`, 'r');
  } catch {
    return null;
  }
}

/**
 * Suspends the members that still run, with what they have started since: a running process could start another
 * between the listing and the signal.
 */
function suspendAll(
  family: readonly RunningProcess[],
  known: Known,
  spares: Exemption,
): RunningProcess[] {
  const suspended = new Map<string, RunningProcess>();
  const keyOf = ({ pid, startTicks }: RunningProcess) => `${pid}:${startTicks}`;
  const still = (member: RunningProcess) => isStill(member, known, spares);
  let found = family.filter(still);
  for (let look = 0; look < MAX_LOOKS && found.length > 0; look++) {
    for (const member of found) {
      suspended.set(keyOf(member), member);
      signalIf(still, member, 'SIGSTOP');
    }
    const parents = [...suspended.values()].filter(still);
    const children = descendantsOf(
      parents.map((member) => member.pid),
      spares,
    );
    found = known.of(children.filter((child) => !suspended.has(keyOf(child))));
  }
  return [...suspended.values()];
}

/**
 * Whether it still runs, whatever it runs by now: who is asked to end and starts another program in its place has not
 * ended. One that became something protected has.
 */
function isStill(member: RunningProcess, known: Known, spares: Exemption): boolean {
  const now = readProcess(member.pid, null);
  if (now === null || !known.isSame(member)) return false;
  return now.executablePath === member.executablePath || spares(now) === 'no';
}

function signalIf(
  still: (member: RunningProcess) => boolean,
  target: RunningProcess,
  signal: NodeJS.Signals,
): void {
  if (target.pid <= 1 || !still(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    // Ended meanwhile, or not ours to end: the outcome is seen by looking whether it is still there.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function allEnded(
  family: readonly RunningProcess[],
  still: (member: RunningProcess) => boolean,
  patienceMs: number,
): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (!family.some(still)) return true;
    if (waitedMs >= patienceMs) return false;
    await wait(LOOK_EVERY_MS);
  }
}

function descendantsOf(pids: readonly number[], spares: Exemption): RunningProcess[] {
  const all = listPids().flatMap((p) => readProcess(p, null) ?? []);
  return findFamily(pids, all, spares);
}

/** All below these that are not spared. */
export function findFamily(
  pids: readonly number[],
  all: readonly RunningProcess[],
  spares: Exemption,
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
