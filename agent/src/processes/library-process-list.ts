// Lists processes without /proc: ps-list calls `ps` on macOS; on Windows it returns neither paths nor start times,
// which systeminformation reads from the system's management interface.
import { basename, win32 } from 'node:path';
import type { RunningProcess } from './running-process.ts';

export async function listWithPs(): Promise<RunningProcess[]> {
  const { default: psList } = await import('ps-list');
  return (await psList()).map((p) => ({
    pid: p.pid,
    ppid: p.ppid,
    uid: p.uid ?? null,
    name: p.path ? basename(p.path) : p.name,
    executablePath: p.path?.startsWith('/') ? p.path : null,
    startTicks: p.startTime === undefined ? '' : String(p.startTime.getTime()),
    startedAt: p.startTime ?? null,
    kernelThread: false,
  }));
}

/** A process as systeminformation returns it. */
export interface WindowsProcess {
  pid: number;
  parentPid: number;
  name: string;
  path: string;
  /** Local time, to the second. */
  started: string;
}

export async function listOnWindows(): Promise<RunningProcess[]> {
  const { processes } = await import('systeminformation');
  return (await processes()).list.map(fromWindows);
}

/** A process of Windows as we know it. */
export function fromWindows({
  pid,
  parentPid,
  name,
  path,
  started,
}: WindowsProcess): RunningProcess {
  const startedAt = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(started)
    ? new Date(started.replace(' ', 'T'))
    : null;
  const executablePath = /^[A-Za-z]:\\/.test(path) ? path : null;
  return {
    pid,
    ppid: parentPid,
    uid: null,
    name: (executablePath === null ? '' : win32.basename(executablePath)) || name || 'unknown',
    executablePath,
    startTicks: startedAt === null ? '' : String(startedAt.getTime()),
    startedAt,
    kernelThread: false,
  };
}
