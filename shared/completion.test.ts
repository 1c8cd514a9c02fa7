// Completion in a real shell offers commands and options where these are valid, and file names elsewhere.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CompletedCommand, completionFor, SHELLS } from './completion.ts';

const command = (
  name: string,
  description: string,
  more: Partial<Pick<CompletedCommand, 'commands' | 'options'>> = {},
): CompletedCommand => ({
  name: () => name,
  description: () => description,
  ...{ commands: [], options: [], ...more },
});
const option = (long: string, more: object = {}) => ({
  ...{ long, description: 'how', hidden: false, ...more },
});
const program = command('thing', "A thing's commands", {
  options: [option('--data-dir')],
  commands: [
    command('token', 'tokens', {
      commands: [
        command('agent', "an agent's", {
          options: [option('--mode', { argChoices: ['monitor', 'enforce'] })],
        }),
        command('node', 'a node’s', { options: [option('--secret', { hidden: true })] }),
      ],
    }),
    command('backup', 'backs "up" $HOME `x`'),
  ],
});

/** Returns the words that bash offers after `words`. */
function offered(...words: string[]): string[] {
  const script = `${completionFor('bash', program, 'thing')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _thing; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', script, 'bash', 'thing', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

test.each([
  [[''], ['token', 'backup', '--data-dir', '--help']],
  [['t'], ['token']],
  [
    ['token', ''],
    ['agent', 'node', '--help'],
  ],
  [
    ['token', '--help', ''],
    ['agent', 'node', '--help'],
  ],
  [
    ['token', 'agent', '--'],
    ['--mode', '--help'],
  ],
  [
    ['token', 'agent', '--mode', ''],
    ['monitor', 'enforce'],
  ],
  [['token', 'agent', '--mode', 'e'], ['enforce']],
  [['token', 'node', '--s'], []],
  [['backup', './'], []],
  [
    ['; rm', ''],
    ['token', 'backup', '--data-dir', '--help'],
  ],
])('completes in bash: %j', (words, wanted) => {
  expect(offered(...words)).toEqual(wanted);
});

test('completes file names in bash where no command fits', () => {
  expect(completionFor('bash', program, 'thing')).toContain('complete -o default -F _thing thing');
});

test.each(SHELLS)('generates a valid %s script for any descriptions', (shell) => {
  const script = completionFor(shell, program, 'thing');
  for (const word of ['token', 'agent', 'backup', 'data-dir']) expect(script).toContain(word);
  const checker = { bash: 'bash', zsh: 'zsh', fish: 'fish', pwsh: 'pwsh' }[shell];
  const file = join(mkdtempSync(join(tmpdir(), 'gw-completion-')), 'script');
  writeFileSync(file, script);
  const checked = spawnSync(checker, ['-n', file], { encoding: 'utf8' });
  // Only bash is on every machine.
  if (checked.error !== undefined || shell === 'pwsh') {
    console.log(`${shell} is not here: its script was not checked by it`);
    return;
  }
  expect([checked.status, checked.stderr]).toEqual([0, '']);
});
