// The lock of a data folder whose file a crash of the machine has damaged: nothing is kept in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { lockDataDir } from './database.ts';

test.each([
  ['of something else', 'not a database, and longer than the head of one'.repeat(100)],
  ['cut off', 'SQLite format 3\0'],
  ['of zeros', '\0'.repeat(8192)],
])('a lock file %s keeps no agent from starting, and only one starts', (_, content) => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'agent.lock'), content);
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow('another agent already runs');
  lock.release();
  lockDataDir(folder).release();
  expect(readFileSync(join(folder, 'agent.lock')).length).toBeLessThanOrEqual(content.length);
});

test('a folder that cannot be locked is told in one line', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'agent.lock'));
  expect(() => lockDataDir(folder)).toThrow(/^cannot lock [^\n]+$/);
});
