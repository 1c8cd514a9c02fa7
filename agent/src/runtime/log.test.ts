// Log files stay small, are readable by their owner only, and contain no token.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { createLog, openRotatingFile } from './log.ts';

test('rotates old lines into older files, and deletes the oldest', () => {
  const folder = join(makeFolder(), 'logs');
  let file = openRotatingFile(folder, 1000);
  for (let line = 0; line < 1000; line++) {
    // A restart goes on where the last run ended.
    if (line === 500) file = openRotatingFile(folder, 1000);
    file.write(`${String(line).padStart(99, '0')}\n`);
  }
  expect(readdirSync(folder).sort()).toEqual([
    'agent.log',
    'agent.log.1',
    'agent.log.2',
    'agent.log.3',
  ]);
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)));
  expect(sizes.every((size) => size.size <= 1000 && (size.mode & 0o777) === 0o600)).toBe(true);
  const lines = ['.3', '.2', '.1', '']
    .map((ending) => readFileSync(join(folder, `agent.log${ending}`), 'utf8'))
    .join('')
    .trim()
    .split('\n');
  expect(lines.map(Number)).toEqual(Array.from({ length: 40 }, (_, n) => 960 + n));
});

test.each([
  ['a full disk', ['sh', '-c', 'exec "$0" "$@" 2>/dev/full']],
  ['a closed reader', ['bash', '-c', '"$0" "$@" 2> >(exec true); exit $?']],
])('survives %s behind standard error', (_, [shell = '', ...before]) => {
  const folder = makeFolder();
  const program = `
    const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, 'log.ts'))});
    const log = createLog('info', ${JSON.stringify(folder)});
    for (let line = 0; line < 2000; line++) {
      log.info({ line }, 'x'.repeat(500));
      if (line % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.stdout.write('to the end');`;
  const node = [process.execPath, '--input-type=module', '--eval', program];
  const done = spawnSync(shell, [...before, ...node], { encoding: 'utf8' });
  expect(done.stdout).toBe('to the end');
  const text = readFileSync(join(folder, 'agent.log'), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(2000);
});

test('survives a folder that cannot be written to', () => {
  const file = openRotatingFile('/dev/null/nowhere');
  expect(() => file.write('line\n')).not.toThrow();
});

test('redacts tokens in the file as well', () => {
  const folder = makeFolder();
  createLog('info', folder).info({ token: 'planted', at: { authorization: 'planted' } }, 'logged');
  const text = readFileSync(join(folder, 'agent.log'), 'utf8');
  expect(text).toContain('logged');
  expect(text).not.toContain('planted');
});
