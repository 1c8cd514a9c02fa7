// Commands of the README and of the tutorials that are marked for execution do what the page promises: they end with success.
import { globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findMarkedBlocks, runMarkedBlocks } from '../support/marked-blocks.ts';
import { freePort } from '../support/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const env = {
  ...process.env,
  HUB_PORT: String(await freePort()),
  PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
};

const marked = ['README.md', ...globSync('docs/tutorials/*.md', { cwd: ROOT })]
  .map((path) => ({ path, blocks: findMarkedBlocks(readFileSync(join(ROOT, path), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

test.each(marked)('runs the marked blocks of $path', async ({ blocks }) => {
  await runMarkedBlocks(blocks, { root: ROOT, env });
});

describe('runner of marked blocks', () => {
  const run = (text: string) => runMarkedBlocks(findMarkedBlocks(text), { root: ROOT, env });

  test('runs marked blocks in order in a copy of the checkout, and skips others', async () => {
    await run(
      [
        '```sh run\necho first > made-by-docs\n```',
        '```sh\nexit 1\n```',
        '```sh run\ngrep first made-by-docs && test -f package.json\n```',
      ].join('\n'),
    );
    expect(globSync('made-by-docs', { cwd: ROOT })).toEqual([]);
  });

  test('waits for the output of a block in the background, and ends it', async () => {
    await run(
      [
        '```sh run background until=ready',
        'echo $$ > pid; trap "exit 0" TERM; echo ready; while :; do read -t 1 || true; done < <(tail -f /dev/null)',
        '```',
        '```sh run\nkill -0 "$(cat pid)"\n```',
      ].join('\n'),
    );
  });

  test('reports the line and the output of a block that fails', async () => {
    await expect(run('text\n\n```sh run\necho planted; exit 3\n```\n')).rejects.toThrow(
      'The block in line 3 ended with 3:\nplanted',
    );
  });

  test('runs a command of the hub', async () => {
    await run('```sh run\nnpm run -s hub -- --version\n```\n');
  });
});
