// The file of a process is resolved through the mounts of its namespace.
import { spawn } from 'node:child_process';
import { readlinkSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { isRoot } from '../../test/root.ts';
import { openMountProbe } from '../runtime/mount-probe.ts';
import { identifyRunning, isElsewhere, isResponsiveFor } from './running-file.ts';

function start(command: string, ...words: string[]): number {
  const child = spawn(command, words, { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child.pid ?? 0;
}

test.runIf(process.platform === 'linux')('resolves a host process by the host mounts', async () => {
  const { dev, ino } = statSync(process.execPath);
  const reach = openMountProbe();
  expect(await isElsewhere(process.pid)).toBe(false);
  expect(await identifyRunning(reach, process.execPath, process.pid)).toEqual({ dev, ino });
  const silent = { ...reach, answers: async () => false };
  expect(await identifyRunning(silent, process.execPath, process.pid)).toBeNull();
});

test('returns nothing for an ended process', async () => {
  expect(await isElsewhere(0)).toBe(false);
  expect(await identifyRunning(openMountProbe(), '/bin/none', 0)).toBeNull();
});

test.runIf(isRoot)(
  'resolves to the host with separate mounts below the host root, like services in their units',
  async () => {
    const pid = start('unshare', '--mount', 'sleep', '600');
    const mounts = () => readlinkSync(`/proc/${pid}/ns/mnt`) !== readlinkSync('/proc/self/ns/mnt');
    await expect.poll(mounts, { timeout: 30_000 }).toBe(true);
    expect(await isElsewhere(pid)).toBe(false);
  },
);

test.runIf(isRoot)('resolves below another root by its mounts', async () => {
  const root =
    'mount -t tmpfs none /mnt && cd /mnt && mkdir usr && mount --rbind /usr usr && ln -s usr/lib lib && ln -s usr/lib64 lib64';
  const pid = start(
    'unshare',
    '--mount',
    'sh',
    '-c',
    `${root} && exec chroot . /usr/bin/sleep 600`,
  );
  await expect.poll(() => isElsewhere(pid), { timeout: 30_000 }).toBe(true);
  // The agent's own files are not read for it.
  const silent = { ...openMountProbe(), answers: async () => false };
  expect(await isResponsiveFor(silent, '/proc/x', pid)).toBe(true);
});
