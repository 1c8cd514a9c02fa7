// Lists running processes: from /proc on Linux, by native calls on Windows and macOS. Arguments are not read here.
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from '../runtime/errors.ts';
import { listMacProcesses } from './mac-processes.ts';
import type { RunningProcess } from './running-process.ts';
import { listWindowsProcesses } from './windows-processes.ts';

const PF_KTHREAD = 0x00200000;
/** USER_HZ: the same on every Linux architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The pids under /proc, which is all that the watch reads while nothing changes. */
export function listPids(): number[] {
  const pids: number[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first >= 48 && first <= 57) pids.push(Number(name));
  }
  return pids;
}

/** Reads a process on Linux; null where it has ended, or is a zombie. */
export function readProcess(pid: number, bootTimeMs: number | null): RunningProcess | null {
  const parsed = readStat(pid);
  if (parsed === null) return null;
  const kernelThread = (parsed.flags & PF_KTHREAD) !== 0;
  const executablePath = kernelThread ? null : readExecutable(pid);
  return {
    pid,
    ppid: parsed.ppid,
    uid: statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null,
    name: (executablePath === null ? '' : basename(executablePath)) || parsed.comm || 'unknown',
    executablePath,
    startTicks: parsed.startTicks,
    startedAt:
      bootTimeMs === null
        ? null
        : new Date(bootTimeMs + (Number(parsed.startTicks) / TICKS_PER_SECOND) * 1000),
    kernelThread,
  };
}

/**
 * Returns whether the pid still belongs to the same program in the same process. The fast check detects another
 * program; only the thorough check detects a reused pid of the same program, and a new parent.
 */
export function isStillThere(known: RunningProcess, thorough: boolean): boolean {
  // Without an executable to see, the kernel's own name is all there is.
  if (thorough || (known.executablePath === null && !known.kernelThread)) {
    const now = readStat(known.pid);
    if (now?.startTicks !== known.startTicks) return false;
    if (known.executablePath === null && !known.kernelThread && now.comm !== known.name) {
      return false;
    }
    known.ppid = now.ppid;
  }
  return known.kernelThread || readExecutable(known.pid) === known.executablePath;
}

/** The buffer is shared: each read ends before the next begins. */
const statBuffer = Buffer.alloc(4096);

/** Null where it is gone, or dead and only waits for its parent. */
function readStat(pid: number): StatFields | null {
  let handle: number | null = null;
  try {
    handle = openSync(`/proc/${pid}/stat`, 'r');
    const length = readSync(handle, statBuffer, 0, statBuffer.length, 0);
    const parsed = parseStat(statBuffer.toString('latin1', 0, length));
    return parsed === null || parsed.state === 'Z' || parsed.state === 'X' ? null : parsed;
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return null;
    throw error;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

export interface StatFields {
  comm: string;
  state: string;
  ppid: number;
  flags: number;
  startTicks: string;
}

/** Parses /proc/<pid>/stat. A name may contain spaces and brackets, so fields are counted from the last bracket. */
export function parseStat(stat: string): StatFields | null {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const rest = stat.slice(close + 2).split(' ', 20);
  const startTicks = rest[19];
  if (startTicks === undefined) return null;
  return {
    comm: stat.slice(open + 1, close),
    state: rest[0] ?? '',
    ppid: Number(rest[1]),
    flags: Number(rest[6]),
    startTicks,
  };
}

function readExecutable(pid: number): string | null {
  try {
    // An update replaces the file under a running program; what runs is still that program.
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
  } catch {
    // The process belongs to another user, or ends right now: only its name is known.
    return null;
  }
}

/** Returns the boot time from /proc; null where it is missing. */
export function readBootTime(): number | null {
  try {
    const found = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'));
    return found === null ? null : Number(found[1]) * 1000;
  } catch {
    // No /proc: the other reader gives start times itself.
    return null;
  }
}

/** Lists all processes, on every platform. */
export function listProcesses(): RunningProcess[] {
  if (process.platform === 'win32') return listWindowsProcesses();
  if (process.platform === 'darwin') return listMacProcesses();
  const bootTime = readBootTime();
  return listPids().flatMap((pid) => readProcess(pid, bootTime) ?? []);
}
