import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INSTALLERS } from './install-commands.ts';

const machine = {
  baseUrl: 'https://hub.example.com',
  tenantId: '00000000-0000-4000-8000-000000000000',
  subscriberId: "o'brien; rm -rf / $(id)",
};

it('has a command for each platform that has an installer, with no secret in it', () => {
  for (const { command, tried } of INSTALLERS) {
    expect(command === null).toBe(tried === 'not_built');
    if (command === null) continue;
    const text = command(machine);
    expect(text).toContain('GATEWARDEN_AUTH_TOKEN_FILE=');
    expect(text).not.toContain('GATEWARDEN_AUTH_TOKEN=');
  }
});

it('asks for the token before the rest when all is pasted at once, and keeps what somebody typed one word', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-pasted-'));
  const file = join(folder, 'token');
  const deb = INSTALLERS[0]?.command?.(machine) ?? '';
  // The shell reads what is pasted from the same place as the command that asks.
  const pasted = `${deb.replaceAll('/root/gatewarden-token', file)}\ngwa_the-token\necho end`;
  const sudo = `sudo() { case "$1" in GATEWARDEN*) printf '%s\\n' "$@" && cat ${file};; *) "$@";; esac; }`;
  const said = execFileSync('bash', ['-s'], { input: `${sudo}\n${pasted}\n`, encoding: 'utf8' });
  const words = said.split('\n');
  expect(words).toContain(`GATEWARDEN_SUBSCRIBER_ID=${machine.subscriberId}`);
  expect(words.slice(-3)).toEqual(['gwa_the-token', 'end', '']);
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
