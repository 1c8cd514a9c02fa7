// Reading /proc: names with brackets, this very process, a program that takes another's place.
import { expect, test } from 'vitest';
import { listPids, parseStat, readProcess } from './list.ts';

test('a name with spaces and brackets does not move the fields', () => {
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

test.runIf(process.platform === 'linux')('sees itself, and nothing where nobody is', () => {
  expect(listPids()).toContain(process.pid);
  expect(readProcess(process.pid, 0)).toMatchObject({
    pid: process.pid,
    kernelThread: false,
    ppid: process.ppid,
  });
  expect(readProcess(2 ** 30, 0)).toBeNull();
});
