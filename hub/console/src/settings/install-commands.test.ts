import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INSTALLERS } from './install-commands.ts';

const machine = {
  baseUrl: 'https://hub.example.com',
  tenantId: '00000000-0000-4000-8000-000000000000',
  subscriberId: "o'brien; rm -rf / $(id)",
};

const commandFor = (key: string) =>
  INSTALLERS.find((item) => item.key === key)?.command(machine) ?? '';

it.each(INSTALLERS)('shows a command for $name that asks for the token', ({ command }) => {
  const text = command(machine);
  expect(text).toMatch(/Token/);
  // Of a secret only the shell's own name for it.
  const told = text.match(/GATEWARDEN_AUTH_TOKEN=\S*/g) ?? [];
  expect(told.every((item) => item === 'GATEWARDEN_AUTH_TOKEN=$token"')).toBe(true);
});

it('writes typed values on macOS into the file that the package reads, without the token', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw pasted '));
  const command = commandFor('macos').replaceAll('/Library/Application Support/Gatewarden', folder);
  const program = join(folder, 'gatewarden');
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"; cat\n', { mode: 0o755 });
  // The package's own script reads the file and hands it to the agent.
  const configure = 'sh installers/linux/configure </dev/null';
  const stubs = `sudo() { "$@"; }
    installer() { echo "installer $*"; stat -c %a "$FOLDER/install.env"
      GATEWARDEN_CONFIG_DIR=$FOLDER GATEWARDEN_PROGRAM=$FOLDER/gatewarden ${configure}; }`;
  const said = execFileSync('bash', ['-s'], {
    input: `${stubs}\n${command}\ngwa_the-token\necho; echo end\n`,
    env: { ...process.env, FOLDER: folder },
    encoding: 'utf8',
  });
  expect(said).toMatch(/installer -pkg gatewarden-desktop_.*\.pkg -target \/\n600\n/);
  expect(said.split('\n')).toEqual(
    expect.arrayContaining([machine.baseUrl, machine.tenantId, machine.subscriberId]),
  );
  expect(said).toMatch(/--auth-token-stdin\ngwa_the-token\nend\n$/);
  expect(existsSync(join(folder, 'install.env'))).toBe(false);
  rmSync(folder, { recursive: true });
});

it('quotes typed values for PowerShell as a single string', () => {
  const text = INSTALLERS.find((item) => item.key === 'windows')?.command({
    ...machine,
    subscriberId: "o'brien\u2019; $(calc)",
  });
  expect(text).toContain("'GATEWARDEN_SUBSCRIBER_ID=o''brien\u2019\u2019; $(calc)'");
});

it('asks for the token before the rest when all is pasted at once, and keeps what somebody typed one word', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-pasted-'));
  const file = join(folder, 'token');
  const deb = commandFor('deb');
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
