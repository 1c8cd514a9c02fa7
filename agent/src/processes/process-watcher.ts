// Notices new processes at little cost: pids are compared at every tick, programs at every sweep.
import {
  isStillThere,
  listPids,
  listProcesses,
  readBootTime,
  readProcess,
} from './process-list.ts';
import { instanceKey, type RunningProcess } from './running-process.ts';

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
  return process.platform === 'linux' ? watchProc() : watchList();
}

function watchProc(): ProcessWatch {
  const known = new Map<number, { process: RunningProcess; looksLeft: number }>();
  let ticks = 0;
  let bootTime = readBootTime();
  return {
    async tick() {
      const sweep = ticks % TICKS_PER_SWEEP === 0;
      const thorough = ticks++ % (TICKS_PER_SWEEP * SWEEPS_PER_THOROUGH) === 0;
      if (sweep) bootTime ??= readBootTime();
      const fresh: RunningProcess[] = [];
      const pids = new Set(listPids());
      for (const pid of known.keys()) if (!pids.has(pid)) known.delete(pid);
      for (const pid of pids) {
        const before = known.get(pid);
        if (before?.looksLeft === 0 && (!sweep || isStillThere(before.process, thorough))) continue;
        const now = readProcess(pid, bootTime);
        if (now === null) {
          known.delete(pid);
          continue;
        }
        const same = before !== undefined && instanceKey(before.process) === instanceKey(now);
        known.set(pid, {
          // The object stays the same: its users need no update for an equal process.
          process: same ? Object.assign(before.process, { ppid: now.ppid }) : now,
          looksLeft: same ? Math.max(0, before.looksLeft - 1) : LOOKS_AT_NEW,
        });
        if (!same) fresh.push(now);
      }
      return fresh;
    },
    current: () => [...known.values()].map((entry) => entry.process),
  };
}

function watchList(): ProcessWatch {
  let known = new Map<string, RunningProcess>();
  let ticks = 0;
  return {
    async tick() {
      // A listing starts a process of its own elsewhere, which is expensive on Windows.
      const every = process.platform === 'win32' ? TICKS_PER_SWEEP : TICKS_PER_LIST;
      if (ticks++ % every !== 0) return [];
      const now = new Map((await listProcesses()).map((p) => [instanceKey(p), p]));
      const fresh = [...now].filter(([key]) => !known.has(key)).map(([, p]) => p);
      known = now;
      return fresh;
    },
    current: () => [...known.values()],
  };
}
