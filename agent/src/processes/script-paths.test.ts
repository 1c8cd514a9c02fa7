// The real path of a script is resolved at once on local file systems, and later on network file systems.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import type { MountProbe } from '../runtime/mount-probe.ts';
import { openScriptPaths } from './script-paths.ts';

const away = (answer: () => Promise<string | null | 'hangs'>): MountProbe => ({
  isOwn: (path) => !path.startsWith('/net/'),
  answers: async () => true,
  realPath: answer,
});

test('resolves a script on a local file system at once', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'real.py'), '');
  symlinkSync('real.py', join(folder, 'link.py'));
  const scripts = openScriptPaths(away(async () => 'hangs'));
  expect(scripts.realPath(join(folder, 'link.py'))).toBe(join(folder, 'real.py'));
  expect(scripts.realPath(join(folder, 'absent.py'))).toBeNull();
});

test('resolves a script of a network folder once, in the background', async () => {
  let asked = 0;
  let changeCount = 0;
  const scripts = openScriptPaths(
    away(async () => {
      asked++;
      return '/net/real.py';
    }),
  );
  scripts.onLearned(() => {
    changeCount++;
  });
  expect(scripts.realPath('/net/link.py')).toBe('/net/link.py');
  await expect.poll(() => changeCount).toBe(1);
  expect(scripts.realPath('/net/link.py')).toBe('/net/real.py');
  expect([asked, changeCount]).toEqual([1, 1]);
});

test('falls back to the given path on a hanging file system, and retries', async () => {
  let asked = 0;
  const scripts = openScriptPaths(
    away(async () => {
      asked++;
      return 'hangs';
    }),
  );
  expect(scripts.realPath('/net/link.py')).toBe('/net/link.py');
  await expect
    .poll(() => {
      scripts.realPath('/net/link.py');
      return asked;
    })
    .toBeGreaterThan(1);
  expect(scripts.realPath('/net/link.py')).toBe('/net/link.py');
});
