// Notices new processes at little cost: pids are compared at every tick, programs at every sweep.
import {
  isStillThere,
  listPids,
  listProcesses,
  readBootTime,
  readProcess,
} from './process-list.ts';
import { instanceKey, type RunningProcess } from './running-process.ts';
import { followWindowsProcesses } from './windows-processes.ts';

export interface ProcessWatch {
  /** Looks once; returns the processes (or programs in them) that were not there before. */
  tick(): Promise<RunningProcess[]>;
  /** Returns the processes of the last listing. */
  current(): RunningProcess[];
}

/** fork precedes exec: a new pid is read again at so many following ticks, until it is what it will be. */
const LOOKS_AT_NEW = 3;
/** Every so many ticks all are looked at, which finds an exec in an old process. */
const TICKS_PER_SWEEP = 10;
/** Every so many sweeps they are read thoroughly. */
const SWEEPS_PER_THOROUGH = 4;
/** Interval of listings where all processes are listed each time: a second. */
const TICKS_PER_LIST = 2;

/** The watch of this platform. */
export function watchProcesses(): ProcessWatch {
  if (process.platform === 'win32') return watchWindows();
  return process.platform === 'linux' ? watchProc() : watchList();
}

function watchProc(): ProcessWatch {
  const known = new Map<number, { process: RunningProcess; looksLeft: number }>();
  let ticks = 0;
  let bootTime = readBootTime();
  /** Reads a process again; returns it where it is new. */
  const look = (pid: number): RunningProcess | null => {
    const before = known.get(pid);
    const now = readProcess(pid, bootTime);
    if (now === null) {
      known.delete(pid);
      return null;
    }
    if (before === undefined || instanceKey(before.process) !== instanceKey(now)) {
      known.set(pid, { process: now, looksLeft: LOOKS_AT_NEW });
      return now;
    }
    // The object stays the same: its users need no update for an equal process.
    Object.assign(before.process, { ppid: now.ppid });
    known.set(pid, { process: before.process, looksLeft: Math.max(0, before.looksLeft - 1) });
    return null;
  };
  return {
    async tick() {
      const sweep = ticks % TICKS_PER_SWEEP === 0;
      const thorough = ticks++ % (TICKS_PER_SWEEP * SWEEPS_PER_THOROUGH) === 0;
      if (sweep) bootTime ??= readBootTime();
      const pids = new Set(listPids());
      for (const pid of known.keys()) if (!pids.has(pid)) known.delete(pid);
      const isSettled = (pid: number) => {
        const before = known.get(pid);
        return before?.looksLeft === 0 && (!sweep || isStillThere(before.process, thorough));
      };
      return [...pids].flatMap((pid) => (isSettled(pid) ? [] : (look(pid) ?? [])));
    },
    current: () => [...known.values()].map((entry) => entry.process),
  };
}

function watchList(): ProcessWatch {
  let known = new Map<string, RunningProcess>();
  let ticks = 0;
  return {
    async tick() {
      if (ticks++ % TICKS_PER_LIST !== 0) return [];
      const now = new Map(listProcesses().map((p) => [instanceKey(p), p]));
      const fresh = [...now].filter(([key]) => !known.has(key)).map(([, p]) => p);
      known = now;
      return fresh;
    },
    current: () => [...known.values()],
  };
}

function watchWindows(): ProcessWatch {
  const { known, readNew } = followWindowsProcesses();
  return { tick: async () => readNew(), current: () => [...known.values()] };
}
