// The lock file of a data folder was damaged by a crash of the machine; it contains no data.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { lockDataDir } from './store-database.ts';

test.each([
  ['of something else', 'not a database, and longer than the head of one'.repeat(100)],
  ['cut off', 'SQLite format 3\0'],
  ['of zeros', '\0'.repeat(8192)],
])('starts exactly a single agent with a lock file %s', (_, content) => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'agent.lock'), content);
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow('another agent already runs');
  lock.release();
  lockDataDir(folder).release();
  expect(readFileSync(join(folder, 'agent.lock')).length).toBeLessThanOrEqual(content.length);
});

test('reports a folder that cannot be locked in a single line', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'agent.lock'));
  expect(() => lockDataDir(folder)).toThrow(/^cannot lock [^\n]+$/);
});
