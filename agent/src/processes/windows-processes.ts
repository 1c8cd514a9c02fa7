// Processes of Windows as the agent describes them.
import { win32 } from 'node:path';
import { splitCommandLine } from '../native/windows/command-line.ts';
import { readCommandLine, readProcessFacts } from '../native/windows/process-handle.ts';
import { dateOf, type ProcessRow, readProcessTable } from '../native/windows/process-table.ts';
import type { RunningProcess } from './running-process.ts';

/** Pids of the idle process and of the kernel. */
const KERNEL_PIDS = new Set([0, 4]);

/** Lists all processes. */
export function listWindowsProcesses(): RunningProcess[] {
  return readProcessTable().map(describeWindowsProcess);
}

/** Describes a row of the process table; path and owner are read from the process itself. */
export function describeWindowsProcess(row: ProcessRow): RunningProcess {
  const kernelThread = KERNEL_PIDS.has(row.pid);
  const { path, sid } = kernelThread ? { path: null, sid: null } : readProcessFacts(row.pid);
  return {
    ...{ pid: row.pid, ppid: row.ppid, uid: null, kernelThread },
    ...(sid === null ? {} : { sid }),
    name: (path === null ? '' : win32.basename(path)) || row.name || 'unknown',
    executablePath: path,
    startTicks: String(row.startedAt),
    startedAt: dateOf(row.startedAt),
  };
}

/** Returns the words of the command line; none where they cannot be read. */
export function readWindowsArguments(pid: number): string[] {
  const line = readCommandLine(pid);
  return line === null ? [] : splitCommandLine(line);
}

/**
 * Returns a function that returns the processes that started since its last call, and a map of all processes by pid. A
 * process of Windows never changes its program: a call without new processes reads the table only.
 */
export function followWindowsProcesses(
  readTable: () => ProcessRow[] = readProcessTable,
  describe: (row: ProcessRow) => RunningProcess = describeWindowsProcess,
): { readNew(): RunningProcess[]; known: ReadonlyMap<number, RunningProcess> } {
  const known = new Map<number, RunningProcess>();
  return {
    known,
    readNew() {
      const rows = readTable();
      const present = new Set(rows.map((row) => row.pid));
      for (const pid of known.keys()) if (!present.has(pid)) known.delete(pid);
      const isNew = ({ pid, startedAt }: ProcessRow) =>
        known.get(pid)?.startTicks !== String(startedAt);
      const started = rows.filter(isNew).map(describe);
      for (const process of started) known.set(process.pid, process);
      return started;
    },
  };
}
