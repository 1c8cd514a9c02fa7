// `npm test` lets tests write to memory where there is enough, and leaves none of it behind.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchInMemory } from '../../scripts/scratch.ts';

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'gw-scratch-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test('creates a folder that everyone may write to and execute in, without removing files of others', () => {
  const folder = scratchInMemory(makeRoot(), 0) ?? '';
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  writeFileSync(join(folder, 'program'), '#!/bin/sh\necho ran\n', { mode: 0o755 });
  expect(execFileSync(join(folder, 'program'), { encoding: 'utf8' })).toBe('ran\n');
});

test('returns no folder when memory is short or the file system is missing', () => {
  const root = makeRoot();
  expect(scratchInMemory(root, Number.MAX_SAFE_INTEGER)).toBeNull();
  expect(scratchInMemory(join(root, 'missing'), 0)).toBeNull();
});

test('removes folders of killed runs, and keeps those of running ones', async () => {
  const root = makeRoot();
  const ended = spawn('true');
  await once(ended, 'exit');
  const left = join(root, `gw-tests-${ended.pid}-a`);
  const used = join(root, `gw-tests-${process.pid}-a`);
  for (const folder of [left, used]) mkdirSync(folder);
  scratchInMemory(root, 0);
  expect([existsSync(left), existsSync(used)]).toEqual([false, true]);
});
