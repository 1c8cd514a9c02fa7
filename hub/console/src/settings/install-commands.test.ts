import { execFileSync } from 'node:child_process';
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

it('keeps what somebody typed one word of the shell', () => {
  const deb = INSTALLERS[0]?.command?.(machine) ?? '';
  const line = deb.slice(deb.indexOf('sudo GATEWARDEN'), deb.lastIndexOf('\nsudo rm'));
  const said = execFileSync(
    'sh',
    ['-c', `sudo() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${line}`],
    { encoding: 'utf8', cwd: '/' },
  );
  expect(said.split('\n')).toContain(`GATEWARDEN_SUBSCRIBER_ID=${machine.subscriberId}`);
});
