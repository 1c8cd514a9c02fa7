// Ends a process and its children on Windows. A handle binds each process to its pid before anything is ended.
import { setTimeout as wait } from 'node:timers/promises';
import { type EndableProcess, openProcessToEnd } from '../../native/windows/process-handle.ts';
import { instanceKey, type RunningProcess } from '../../processes/running-process.ts';
import { listWindowsProcesses } from '../../processes/windows-processes.ts';
import { type Exemption, findFamily, type TerminationOutcome } from './linux-terminator.ts';

const AFTER_KILL_MS = 1000;
const LOOK_EVERY_MS = 50;
/** A process that is being ended may start others: its children are listed again so many times. */
const MAX_LOOKS = 5;

/** The calls of Windows that a termination needs. */
export interface WindowsProcessControl {
  list: () => RunningProcess[];
  open: (pid: number, startedAt: bigint) => EndableProcess | 'gone' | 'refused';
}

const LIVE: WindowsProcessControl = { list: listWindowsProcesses, open: openProcessToEnd };

/**
 * Ends the process at once, because a service cannot ask a program in a user's session to close. Children end with their
 * parent, except those that `spares` protects. `gone` means that the process had ended before.
 */
export async function terminateWindowsProcess(
  target: RunningProcess,
  spares: Exemption,
  control: WindowsProcessControl = LIVE,
): Promise<TerminationOutcome> {
  if (target.startTicks === '' || target.kernelThread) return 'failed';
  const opened = new Map<string, EndableProcess>();
  const end = (process: RunningProcess): 'gone' | 'failed' | null => {
    const handle = control.open(process.pid, BigInt(process.startTicks));
    if (typeof handle === 'string') return handle === 'gone' ? 'gone' : 'failed';
    opened.set(instanceKey(process), handle);
    return handle.terminate() ? null : 'failed';
  };
  try {
    const before = control.list();
    const objection = end(target);
    if (objection !== null) return objection;
    endChildren(target, before, { control, spares, end });
    return (await allEnded([...opened.values()])) ? 'terminated' : targetOutcome(opened, target);
  } finally {
    for (const handle of opened.values()) handle.close();
  }
}

/** Ends the children of the target in the list from before its end, then the processes that those children started since. */
function endChildren(
  target: RunningProcess,
  before: RunningProcess[],
  {
    control,
    spares,
    end,
  }: {
    control: WindowsProcessControl;
    spares: Exemption;
    end: (process: RunningProcess) => unknown;
  },
): void {
  const family = new Map([[instanceKey(target), target]]);
  for (let look = 0; look < MAX_LOOKS; look++) {
    const all = look === 0 ? before : control.list();
    const children = findChildren([...family.values()], all, spares);
    const started = children.filter((child) => !family.has(instanceKey(child)));
    if (look > 0 && started.length === 0) return;
    for (const child of started) {
      family.set(instanceKey(child), child);
      end(child);
    }
  }
}

function targetOutcome(
  opened: ReadonlyMap<string, EndableProcess>,
  target: RunningProcess,
): TerminationOutcome {
  return opened.get(instanceKey(target))?.hasEnded() === true ? 'terminated' : 'failed';
}

/** Returns the processes below these. A pid may have been used again: a child is never older than its parent. */
function findChildren(
  parents: readonly RunningProcess[],
  all: readonly RunningProcess[],
  spares: Exemption,
): RunningProcess[] {
  const pids = parents.map((parent) => parent.pid);
  const startOf = new Map(
    [...all, ...parents].map((process) => [process.pid, BigInt(process.startTicks || 0)]),
  );
  const isChild = (process: RunningProcess) =>
    BigInt(process.startTicks || 0) >= (startOf.get(process.ppid) ?? 0n);
  return findFamily(pids, all.filter(isChild), spares);
}

async function allEnded(handles: readonly EndableProcess[]): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (handles.every((handle) => handle.hasEnded())) return true;
    if (waitedMs >= AFTER_KILL_MS) return false;
    await wait(LOOK_EVERY_MS);
  }
}
