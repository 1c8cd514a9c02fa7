// No file of ours is longer than 400 lines without saying why in its first comment.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

const LINES_MAX = 400;

/** Whether the file is short enough, says why it is not, or was made by a program. */
function mayBe(text: string): boolean {
  if (text.trimEnd().split('\n').length <= LINES_MAX) return true;
  const [head = ''] = text.split(/^(?!\/\/)/m);
  return /One file above the usual length|Not to be edited/.test(head);
}

test('every file is short, or says why it is not', () => {
  const files = globSync(
    '{agent,client,collector,hub,installers,scripts,shared,test}/**/*.{ts,tsx,css}',
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((one) => !mayBe(readFileSync(join(ROOT, one), 'utf8')))).toEqual([]);
});

test.each([
  ['has 400 lines', 400, '// What it is.\n', true],
  ['has one more', 401, '// What it is.\n', false],
  [
    'has more and says why',
    401,
    '// What it is.\n// One file above the usual length: a list.\n',
    true,
  ],
  [
    'says so only later',
    401,
    '// What it is.\n\n// One file above the usual length: a list.\n',
    false,
  ],
])('a file that %s', (_, lines, head, expected) => {
  const rest = 'x\n'.repeat(lines - head.trimEnd().split('\n').length);
  expect(mayBe(head + rest)).toBe(expected);
});
