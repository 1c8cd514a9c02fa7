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
  token: 'gwa_the-token',
};

const commandFor = (key: string) =>
  INSTALLERS.find((item) => item.key === key)?.command(machine) ?? '';

it.each(INSTALLERS)('shows a command for $name with the token in it once', ({ command }) => {
  expect(command(machine).split(machine.token)).toHaveLength(2);
});

it('writes typed values on macOS into the file that the package reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw pasted '));
  const command = commandFor('macos').replaceAll('/Library/Application Support/Gatewarden', folder);
  const program = join(folder, 'gatewarden');
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@"; cat\n', { mode: 0o755 });
  // The package's own script reads the file and passes it to the agent.
  const configure = 'sh installers/linux/configure </dev/null';
  const stubs = `sudo() { "$@"; }
    installer() { echo "installer $*"; stat -c %a "$FOLDER/install.env"
      GATEWARDEN_CONFIG_DIR=$FOLDER GATEWARDEN_PROGRAM=$FOLDER/gatewarden ${configure}; }`;
  const output = execFileSync('bash', ['-s'], {
    input: `${stubs}\n${command}\necho; echo end\n`,
    env: { ...process.env, FOLDER: folder },
    encoding: 'utf8',
  });
  expect(output).toMatch(/installer -pkg gatewarden-desktop_.*\.pkg -target \/\n600\n/);
  expect(output.split('\n')).toEqual(
    expect.arrayContaining([machine.baseUrl, machine.tenantId, machine.subscriberId]),
  );
  expect(output).toMatch(/--auth-token-stdin\ngwa_the-token\nend\n$/);
  expect(existsSync(join(folder, 'install.env'))).toBe(false);
  rmSync(folder, { recursive: true });
});

it('quotes typed values for PowerShell as a single string', () => {
  const text = INSTALLERS.find((item) => item.key === 'windows')?.command({
    ...machine,
    subscriberId: "o'brien\u2019; $(calc)",
  });
  expect(text).toContain(`'SUBSCRIBER_ID="o''brien\u2019\u2019; $(calc)"'`);
});

it('passes the token of a package through a file, and keeps typed values a single word', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-pasted-'));
  const file = join(folder, 'token');
  const pasted = `${commandFor('deb').replaceAll('/root/gatewarden-token', file)}\necho end`;
  const sudo = `sudo() { case "$1" in GATEWARDEN*) printf '%s\\n' "$@" && cat ${file};; *) "$@";; esac; }`;
  const output = execFileSync('bash', ['-s'], { input: `${sudo}\n${pasted}\n`, encoding: 'utf8' });
  const words = output.split('\n');
  expect(words).toContain(`GATEWARDEN_SUBSCRIBER_ID=${machine.subscriberId}`);
  expect(words.slice(-3)).toEqual(['gwa_the-token', 'end', '']);
  expect(existsSync(file)).toBe(false);
  rmSync(folder, { recursive: true });
});

it('passes the token to an agent of a checkout by standard input', () => {
  const stub = 'npm() { printf "%s\\n" "$@"; case "$*" in *stdin) cat;; esac; }';
  const output = execFileSync('bash', ['-s'], {
    input: `${stub}\n${commandFor('source')}\n`,
    encoding: 'utf8',
  });
  expect(output).toContain(
    `${machine.subscriberId}\n--auth-token-stdin\ngwa_the-token\nrun\n-s\nagent\n`,
  );
});
