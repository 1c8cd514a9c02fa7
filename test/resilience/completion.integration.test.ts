// The completion scripts that both programs print complete their commands in a real bash.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { EXIT } from '@gatewarden/shared/exit-codes.ts';
import { expect, test } from 'vitest';
import { AGENT_MAIN, HUB_MAIN, runCommand } from '../support/programs.ts';

const GATEWARDEN = join(import.meta.dirname, '../../scripts/gatewarden.ts');

const offered = (script: string, words: string[]) =>
  execFileSync(
    'bash',
    [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $(complete -p "$1" | sed 's/.*-F //; s/ .*//'); printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n');

test.each([
  ['the hub', HUB_MAIN, ['gatewarden-hub', 'token', 'a'], ['agent', 'admin']],
  ['gatewarden', GATEWARDEN, ['gatewarden', 'hub', 'device', 'r'], ['retire']],
  ['the agent', AGENT_MAIN, ['gatewarden', 'sup'], ['support-bundle']],
] as const)(
  'completes commands of %s in bash, and rejects an unknown shell or name',
  async (_, main, words, wanted) => {
    const script = await runCommand(main, ['completion', 'bash'], {});
    expect(script.code).toBe(0);
    expect(offered(script.out, [...words]).sort()).toEqual([...wanted].sort());
    expect((await runCommand(main, ['completion', 'tcsh'], {})).code).toBe(EXIT.usage);
    const odd = await runCommand(main, ['completion', 'bash', '--name', 'x; rm'], {});
    expect([odd.code, odd.out]).toEqual([EXIT.usage, '']);
  },
);
