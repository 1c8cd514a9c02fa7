// Processes come from Windows lists, and terminations verify identity by such lists.
import { expect, test } from 'vitest';
import { terminateListedProcess } from '../enforcement/actions/listed-terminator.ts';
import { fromWindows } from './library-process-list.ts';

const CHROME = {
  pid: 4321,
  parentPid: 10,
  name: 'chrome.exe',
  path: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  started: '2026-03-04 05:06:07',
};

test('parses path and start of a Windows process', () => {
  const seen = fromWindows(CHROME);
  expect(seen).toMatchObject({
    pid: 4321,
    ppid: 10,
    name: 'chrome.exe',
    executablePath: CHROME.path,
  });
  expect(seen.startedAt?.getTime()).toBe(new Date(2026, 2, 4, 5, 6, 7).getTime());
  expect(fromWindows({ ...CHROME, path: '', started: '' })).toMatchObject({
    name: 'chrome.exe',
    executablePath: null,
    startTicks: '',
    startedAt: null,
  });
});

test('terminates no process whose identity differs from the list', async () => {
  const meant = fromWindows(CHROME);
  const later = fromWindows({ ...CHROME, started: '2026-03-04 05:06:08' });
  expect(
    await terminateListedProcess(
      meant,
      () => 'no' as const,
      async () => [later],
    ),
  ).toBe('gone');
  const nobody = fromWindows({ ...CHROME, started: '' });
  expect(
    await terminateListedProcess(
      nobody,
      () => 'no' as const,
      async () => [nobody],
    ),
  ).toBe('failed');
});
