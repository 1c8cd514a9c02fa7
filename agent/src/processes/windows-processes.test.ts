// Processes of Windows are followed by their table, and ended through handles.
import { expect, test } from 'vitest';
import {
  terminateWindowsProcess,
  type WindowsProcessControl,
} from '../enforcement/actions/windows-terminator.ts';
import type { ProcessRow } from '../native/windows/process-table.ts';
import type { RunningProcess } from './running-process.ts';
import { describeWindowsProcess, followWindowsProcesses } from './windows-processes.ts';

const row = (pid: number, startedAt: number, name = 'tool.exe', ppid = 1): ProcessRow => ({
  ...{ pid, ppid, name },
  startedAt: BigInt(startedAt),
});
const describe = ({ pid, ppid, startedAt, name }: ProcessRow): RunningProcess => ({
  ...{ pid, ppid, uid: null, name, startTicks: String(startedAt), startedAt: null },
  ...{ executablePath: `C:\\Tools\\${name}`, kernelThread: false },
});

test('reads only new processes, and notices a pid that is used again', () => {
  let rows = [row(8, 100), row(12, 110)];
  const described: number[] = [];
  const follow = followWindowsProcesses(
    () => rows,
    (process) => {
      described.push(process.pid);
      return describe(process);
    },
  );
  expect(follow.readNew().map(({ pid }) => pid)).toEqual([8, 12]);
  expect(follow.readNew()).toEqual([]);
  rows = [row(12, 200)];
  expect(follow.readNew().map(({ startTicks }) => startTicks)).toEqual(['200']);
  expect([...follow.known.keys()]).toEqual([12]);
  expect(described).toEqual([8, 12, 12]);
});

test('describes the kernel as what it is, without a program', () => {
  expect(describeWindowsProcess(row(4, 0, 'System'))).toMatchObject({
    name: 'System',
    kernelThread: true,
    executablePath: null,
    startedAt: null,
  });
});

interface Simulated {
  control: WindowsProcessControl;
  ended: string[];
}

/** Simulates Windows with these processes; `refused` cannot be opened. */
function simulate(rows: ProcessRow[], refused: readonly number[] = []): Simulated {
  const ended: string[] = [];
  const running = new Map(rows.map((process) => [process.pid, process]));
  const control: WindowsProcessControl = {
    list: () => [...running.values()].map(describe),
    open(pid, startedAt) {
      if (refused.includes(pid)) return 'refused';
      const process = running.get(pid);
      if (process?.startedAt !== startedAt) return 'gone';
      return {
        terminate() {
          ended.push(process.name);
          return running.delete(pid);
        },
        hasEnded: () => running.get(pid) !== process,
        close: () => undefined,
      };
    },
  };
  return { control, ended };
}

test('ends a process with its children, except those that are spared and older processes with its pid as parent', async () => {
  const target = row(8, 100);
  const { control, ended } = simulate([
    target,
    row(12, 110, 'child.exe', 8),
    row(16, 120, 'grandchild.exe', 12),
    row(20, 120, 'spared.exe', 8),
    row(24, 90, 'older.exe', 8),
  ]);
  const spare = ({ name }: RunningProcess) => (name === 'spared.exe' ? 'with_children' : 'no');
  expect(await terminateWindowsProcess(describe(target), spare, control)).toBe('terminated');
  expect(ended.sort()).toEqual(['child.exe', 'grandchild.exe', 'tool.exe']);
});

test('terminates no process with a reused pid, and reports a refusal', async () => {
  const target = describe(row(8, 100));
  const exempt = () => 'no' as const;
  const reused = simulate([row(8, 200)]);
  expect(await terminateWindowsProcess(target, exempt, reused.control)).toBe('gone');
  expect(reused.ended).toEqual([]);
  const refused = simulate([row(8, 100)], [8]);
  expect(await terminateWindowsProcess(target, exempt, refused.control)).toBe('failed');
  const kernel = { ...target, kernelThread: true };
  expect(await terminateWindowsProcess(kernel, exempt, reused.control)).toBe('failed');
});
