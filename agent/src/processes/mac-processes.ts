// Processes of macOS as the agent describes them.
import { basename } from 'node:path';
import {
  type BsdInfo,
  listMacPids,
  readBsdInfo,
  readMacPath,
} from '../native/macos/process-info.ts';
import type { RunningProcess } from './running-process.ts';

/** Lists all processes that the agent may see; as root these are all. */
export function listMacProcesses(): RunningProcess[] {
  return listMacPids().flatMap((pid) => {
    const info = readBsdInfo(pid);
    return info === null ? [] : describeMacProcess(info, readMacPath(pid));
  });
}

/** Describes a process from what libproc returns about it. */
export function describeMacProcess(info: BsdInfo, path: string | null): RunningProcess {
  return {
    pid: info.pid,
    ppid: info.ppid,
    uid: info.uid,
    name: (path === null ? '' : basename(path)) || info.name || 'unknown',
    executablePath: path,
    startTicks: String(info.startedAt),
    startedAt: new Date(Number(info.startedAt / 1000n)),
    // The kernel has pid 0 and no program.
    kernelThread: info.pid === 0,
  };
}
