// The life of the RPM with its scripts, on a machine of its own whose packages are Debian's: rpm's database begins empty.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openSecondMachine,
  type SecondMachine,
  whyNoSecondMachine,
} from '../support/second-machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const hasRpm = spawnSync('rpmbuild', ['--version']).status === 0;
const reason = whyNoSecondMachine() ?? (hasRpm ? null : 'there is no rpmbuild here');
if (reason !== null) process.stdout.write(`The RPM was skipped: ${reason}\n`);

const folder = mkdtempSync(join(tmpdir(), 'gw-rpm-life-'));
const ENV = {
  GATEWARDEN_BASE_URL: 'https://hub.example.com',
  GATEWARDEN_TENANT_ID: '01900000-0000-7000-8000-000000000001',
  GATEWARDEN_SUBSCRIBER_ID: 'alice@example.com',
};

function build(version: string): string {
  const out = join(folder, version);
  execFileSync(
    process.execPath,
    ['installers/src/build.ts', ...['--out', out, '--version', version, '--only', 'rpm', '--fast']],
    { cwd: ROOT, env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' } },
  );
  const name = readdirSync(out).find((value) => value.endsWith('.rpm')) ?? '';
  return join(out, name);
}

describe.skipIf(reason !== null)('the RPM', () => {
  let machine: SecondMachine;
  let old: string;
  let fresh: string;
  // The packages that it requires are not in this machine's RPM database, so dependencies are not checked.
  const rpm = (args: string, env: Record<string, string> = {}) =>
    machine.run(`rpm --nodeps ${args}`, env);
  const version = async () => (await machine.run('gatewarden --version')).output.trim();
  const written = (path: string) => join(machine.written, path);

  beforeAll(async () => {
    old = build('0.1.0');
    fresh = build('0.2.0');
    machine = openSecondMachine();
    expect(await machine.run('rpm --initdb')).toMatchObject({ code: 0 });
  });
  afterAll(() => {
    machine?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('builds the same RPM twice', () => {
    const first = readFileSync(old);
    rmSync(old);
    expect(readFileSync(build('0.1.0')).equals(first)).toBe(true);
  });

  it('contains its Node and its service, and needs no Node of the machine', () => {
    const listed = execFileSync('rpm', ['-qlp', old], { encoding: 'utf8' }).split('\n');
    expect(listed).toContain('/usr/lib/gatewarden-agent/bin/node');
    expect(listed).toContain('/usr/lib/systemd/system/gatewarden-agent.service');
    const needs = execFileSync('rpm', ['-qRp', old], { encoding: 'utf8' });
    expect(needs).not.toMatch(/node/i);
  });

  it('installs and configures without prompts', async () => {
    expect(await rpm(`-i ${old}`, ENV)).toMatchObject({ code: 0 });
    expect(await version()).toBe('0.1.0');
    expect(readFileSync(written('etc/gatewarden/agent.toml'), 'utf8')).toContain(
      ENV.GATEWARDEN_BASE_URL,
    );
    const scan = await machine.run('gatewarden scan --json 2>/dev/null');
    expect(JSON.parse(scan.output).entities.length).toBeGreaterThan(50);
  });

  it('preserves identity and configuration over an upgrade of the RPM', async () => {
    const identity = readFileSync(written('var/lib/gatewarden-agent/device.json'), 'utf8');
    const config = readFileSync(written('etc/gatewarden/agent.toml'), 'utf8');
    expect(await rpm(`-U ${fresh}`)).toMatchObject({ code: 0 });
    expect(await version()).toBe('0.2.0');
    expect(readFileSync(written('var/lib/gatewarden-agent/device.json'), 'utf8')).toBe(identity);
    expect(readFileSync(written('etc/gatewarden/agent.toml'), 'utf8')).toBe(config);
    expect(existsSync(written('usr/lib/systemd/system/gatewarden-agent.service'))).toBe(true);
  });

  it('refuses an older RPM, and leaves the newer version intact', async () => {
    const refused = await rpm(`-U ${old}`);
    expect(refused.code).not.toBe(0);
    expect(await version()).toBe('0.2.0');
    expect(await machine.run('rpm -V --nodeps gatewarden-agent')).toMatchObject({ code: 0 });
  });

  it("keeps the device's identity after an erasure, also when the package is installed again", async () => {
    const identity = readFileSync(written('var/lib/gatewarden-agent/device.json'), 'utf8');
    expect(await rpm('-e gatewarden-agent')).toMatchObject({ code: 0 });
    expect(existsSync(written('usr/lib/gatewarden-agent'))).toBe(false);
    expect(existsSync(written('usr/bin/gatewarden'))).toBe(false);
    expect(await rpm(`-i ${fresh}`)).toMatchObject({ code: 0 });
    expect(await version()).toBe('0.2.0');
    expect(readFileSync(written('var/lib/gatewarden-agent/device.json'), 'utf8')).toBe(identity);
  });
});
