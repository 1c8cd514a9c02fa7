// The process list reads /proc: names with brackets, the test process, an exec.
import { expect, test } from 'vitest';
import { listPids, parseStat, readProcess } from './process-list.ts';

test('parses fields behind a name with spaces and brackets', () => {
  const rest = 'S 7 1 1 0 -1 2097152 0 0 0 0 0 0 0 0 20 0 1 0 4242 0 0';
  expect(parseStat(`12 (a) b (c)) ${rest}`)).toEqual({
    comm: 'a) b (c)',
    state: 'S',
    ppid: 7,
    flags: 2097152,
    startTicks: '4242',
  });
  expect(parseStat('nothing')).toBeNull();
  expect(parseStat('1 (x) S')).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'finds its own process, and none for an unused pid',
  () => {
    expect(listPids()).toContain(process.pid);
    expect(readProcess(process.pid, 0)).toMatchObject({
      pid: process.pid,
      kernelThread: false,
      ppid: process.ppid,
    });
    expect(readProcess(2 ** 30, 0)).toBeNull();
  },
);
