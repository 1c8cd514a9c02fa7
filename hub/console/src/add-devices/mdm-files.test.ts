// The files for device management set what the installers read.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MDM_FILES } from './mdm-files.ts';

const fleet = {
  baseUrl: 'https://hub.example.com',
  tenantId: '00000000-0000-4000-8000-000000000000',
  token: 'gwa_the-token',
  emailDomain: 'example.com',
};
const contentOf = (key: string) => MDM_FILES.find((file) => file.key === key)?.content(fleet) ?? '';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-mdm-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns what `installers/linux/configure`, which macOS uses, too, passes to the agent. */
function configured(): string {
  const program = join(folder, 'gatewarden');
  writeFileSync(program, '#!/bin/sh\necho "$@"; cat\n', { mode: 0o755 });
  return execFileSync('sh', ['installers/linux/configure'], {
    env: { ...process.env, GATEWARDEN_CONFIG_DIR: folder, GATEWARDEN_PROGRAM: program },
    encoding: 'utf8',
  });
}

const enrolled = (owner: string) =>
  `enroll --config ${folder}/agent.toml --base-url ${fleet.baseUrl} --tenant-id ${fleet.tenantId} --subscriber-id ${owner} --auth-token-stdin\n${fleet.token}`;

it('writes a file for Linux that the package reads', () => {
  writeFileSync(join(folder, 'install.env'), contentOf('env'));
  expect(configured()).toBe(enrolled('OWNER@example.com'));
});

it.each([
  ['jamf', ['/', 'laptop', 'grace'], 'grace'],
  ['kandji', [], 'ada'],
] as const)('writes a script for %s with a file that the package reads', (key, args, account) => {
  const script = contentOf(key).replaceAll('/Library/Application Support/Gatewarden', folder);
  execFileSync('sh', ['-s', '--', ...args], { input: `stat() { echo ada; }\n${script}` });
  expect(statSync(join(folder, 'install.env')).mode & 0o777).toBe(0o600);
  expect(configured()).toBe(enrolled(`${account}@example.com`));
});

it('refuses a Mac on which nobody is signed in', () => {
  const script = contentOf('kandji').replaceAll('/Library/Application Support/Gatewarden', folder);
  const input = `stat() { echo root; }\n${script}`;
  expect(() => execFileSync('sh', ['-s'], { input, stdio: 'pipe' })).toThrow(
    /no user is signed in/,
  );
});

it.each(['intune', 'gpo'])('writes a script for %s that sets properties of the MSI', (key) => {
  const text = contentOf(key);
  const names = [...text.matchAll(/\b([A-Z_]+)=`?"/g)].map((match) => match[1] ?? '');
  expect(names).toEqual(['BASE_URL', 'TENANT_ID', 'SUBSCRIBER_ID', 'AUTH_TOKEN']);
  const packager = readFileSync('installers/src/msi.ts', 'utf8');
  for (const name of names) expect(packager).toContain(`  ${name}: '--`);
  expect(text).toContain(`'AUTH_TOKEN="${fleet.token}"'`);
  expect(text).toContain("(Join-Path $PSScriptRoot 'gatewarden-agent_*_x64.msi')");
  expect(text).toContain(`$account -split '\\\\')[-1] + '@example.com'`);
});
