// Updates on a machine of its own, with a real hub: a newer agent arrives and stays; a version that throws, a version that
// hangs and a version with an unknown signature do not.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicKeyText, signRelease } from '../../installers/src/sign.ts';
import { asAdmin, type Installation, newInstallation } from '../support/installation.ts';
import {
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  startProgram,
} from '../support/programs.ts';
import {
  openSecondMachine,
  type SecondMachine,
  whyNoSecondMachine,
} from '../support/second-machine.ts';
import { awaitInShell } from '../support/waiting.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Longer than the waits of a test together, whose errors name what they waited for. */
const PATIENCE_MS = 900_000;
const reason = whyNoSecondMachine();
if (reason !== null) process.stdout.write(`Updates were not tried: ${reason}\n`);

const folder = mkdtempSync(join(tmpdir(), 'gw-updates-'));
const vendor = generateKeyPairSync('ed25519').privateKey;
const VERSIONS = '/var/lib/gatewarden-agent/versions';
let machine: SecondMachine;
let env: NodeJS.ProcessEnv;
let url: string;
let hub: Program;
let at: Installation;
let deviceId: string;

function build(version: string, more: string[]): string {
  const out = join(folder, version);
  execFileSync(
    process.execPath,
    ['installers/src/build.ts', '--out', out, '--version', version, '--fast', ...more],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return out;
}

/** A release whose program is this text; for the rest it takes the installed Node. */
function makeRelease(version: string, program: string, key: KeyObject): string {
  const out = join(folder, version);
  const name = `gatewarden-agent-${version}-linux-${process.arch}`;
  const home = join(out, name, 'usr/lib/gatewarden-agent');
  for (const part of ['bin', 'app']) mkdirSync(join(home, part), { recursive: true });
  writeFileSync(join(home, 'version'), `${version}\n`);
  writeFileSync(join(home, 'app/main.js'), program);
  writeFileSync(
    join(home, 'bin/node'),
    '#!/bin/sh\nexec /usr/lib/gatewarden-agent/bin/node "$@"\n',
  );
  chmodSync(join(home, 'bin/node'), 0o755);
  const archive = join(out, `${name}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', out, name]);
  const machineKind = { version, platform: 'linux' as const, arch: process.arch };
  signRelease(archive, machineKind, out, {
    ...{ key, channel: 'stable', minimumVersion: '0.1.0', days: 1 },
  });
  return out;
}

async function offer(out: string, version: string): Promise<string> {
  const release = await jsonCommand<{ release_id: string }>(
    HUB_MAIN,
    [
      ...['release', 'add', join(out, `gatewarden-agent-${version}-linux-${process.arch}.tar.gz`)],
      ...['--manifest', join(out, 'manifest.json')],
      ...['--signature', join(out, 'manifest.json.sig'), '--ring', '100'],
    ],
    env,
  );
  return release.release_id;
}

async function listed(what: string) {
  const answer = await asAdmin(at, 'GET', `/${what}`);
  return answer.body.items;
}

/** Runs the service as its unit does, asks for an update, waits until `done` is true, and gives what it was then. */
async function serviceUntil(done: string, before = ''): Promise<Record<string, string>> {
  const ran = await machine.run(`
    ${before}
    gatewarden run --config /etc/gatewarden/agent.toml 2>/tmp/agent.log & pid=$!
    ${awaitInShell('the hub is reached', `gatewarden status --json 2>/dev/null | grep -q '"reachable":true'`, '/tmp/agent.log')}
    gatewarden update
    is() { gatewarden status --json 2>/dev/null | grep -q "$1"; }
    ${awaitInShell('the update is where it should be', done, '/tmp/agent.log')}
    echo "version=$(gatewarden --version)"
    echo "status=$(gatewarden status --json)"
    echo "doctor=$(gatewarden doctor --config /etc/gatewarden/agent.toml 2>/dev/null | grep updates)"
    kill -0 $pid && echo same=yes
    kill -TERM $pid; wait $pid; echo "code=$?"`);
  if (!ran.output.includes('same=yes')) throw new Error(ran.output);
  return Object.fromEntries(
    ran.output
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describe.skipIf(reason !== null)('updates', { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    const keyFile = join(folder, 'vendor.pem');
    writeFileSync(keyFile, vendor.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const installed = build('0.1.0', ['--only', 'deb', '--update-key', publicKeyText(vendor)]);
    build('0.2.0', ['--only', 'tar', '--sign', keyFile]);
    machine = openSecondMachine();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = { HUB_DATA_DIR: join(folder, 'hub'), HUB_PORT: String(port), BASE_URL: '' };
    hub = await startProgram(HUB_MAIN, ['serve'], env);
    at = await newInstallation({ main: HUB_MAIN, env, url }, 'Updates', { enrolOnly: true });
    const architecture = process.arch === 'x64' ? 'amd64' : 'arm64';
    const ran = await machine.run(
      `dpkg -i ${installed}/gatewarden-agent_0.1.0_${architecture}.deb &&
       sed -i 's/^\\[agent\\]/[agent]\\ndelta_interval = "1s"/' /etc/gatewarden/agent.toml`,
      {
        GATEWARDEN_BASE_URL: url,
        GATEWARDEN_TENANT_ID: at.tenantId,
        GATEWARDEN_SUBSCRIBER_ID: 'alice@example.com',
        GATEWARDEN_AUTH_TOKEN: at.agentToken,
        GATEWARDEN_ENFORCEMENT: 'monitor',
      },
    );
    expect(ran).toMatchObject({ code: 0 });
    const [device] = await listed('devices');
    deviceId = device.device_id;
  });
  afterAll(async () => {
    await hub?.end('SIGTERM');
    machine?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('replaces the running version in the same process with the same identity', async () => {
    await offer(join(folder, '0.2.0'), '0.2.0');
    const seen = await serviceUntil(
      `is '"agent_version":"0.2.0"' && [ ! -e ${VERSIONS}/trial ]`,
      'gatewarden off >/dev/null',
    );
    expect(seen).toMatchObject({ version: '0.2.0', same: 'yes', code: '0' });
    expect(seen.doctor).toMatch(/^ok +updates +on, channel stable/);
    expect(JSON.parse(seen.status ?? '')).toMatchObject({
      device_id: deviceId,
      enforcement: 'off',
      update: { off: null, refused: null, bad: [] },
    });
    expect(await listed('devices')).toMatchObject([
      { device_id: deviceId, agent_version: '0.2.0' },
    ]);
    // The kill switch was reported once, by the old version or the new.
    const alerts = await listed('alerts');
    expect(alerts.map((alert: { code: string }) => alert.code)).toEqual(['kill_switch']);
  });

  it.each([
    ['0.3.0', 'throws', 'throw new Error("broken on purpose");', /ended by itself with 1/],
    ['0.4.0', 'hangs', 'setInterval(() => {}, 1000);', /said nothing good for 3 seconds/],
  ])(
    'rolls %s, which %s, back to the version before, and notifies the hub',
    async (version, _, program, why) => {
      await offer(makeRelease(version, program, vendor), version);
      const seen = await serviceUntil(
        `[ -e ${VERSIONS}/bad/${version} ] && is '"agent_version":"0.2.0"' && is '"alerts_queued":0'`,
        "sed -i 's/^patience=.*/patience=3/' /usr/bin/gatewarden",
      );
      expect(seen).toMatchObject({ version: '0.2.0', same: 'yes', code: '0' });
      expect(seen.doctor).toMatch(new RegExp(`^BAD +updates +${version} did not work here`));
      const { update } = JSON.parse(seen.status ?? '');
      const bad = update.bad.find((item: { version: string }) => item.version === version);
      expect(bad.reason).toMatch(why);
      const alerts = await listed('alerts');
      const rollbacks = alerts.filter((alert: { message: string }) =>
        alert.message.includes(version),
      );
      expect(rollbacks).toMatchObject([{ code: 'update_rolled_back', severity: 'high' }]);
      expect(await listed('devices')).toMatchObject([
        { device_id: deviceId, agent_version: '0.2.0' },
      ]);
    },
  );

  it('does not install an update with another signature, and notifies administrators', async () => {
    const stranger = generateKeyPairSync('ed25519').privateKey;
    await offer(makeRelease('0.5.0', 'process.exit(0);', stranger), '0.5.0');
    const seen = await serviceUntil(`is '"refused":"the manifest' && is '"alerts_queued":0'`);
    expect(seen).toMatchObject({ version: '0.2.0', same: 'yes', code: '0' });
    expect(existsSync(join(machine.written, VERSIONS, '0.5.0'))).toBe(false);
    const codes = (await listed('alerts')).map((item: { code: string }) => item.code);
    expect(codes).toContain('update_refused');
  });

  it('removes downloaded versions together with the package', async () => {
    expect(existsSync(join(machine.written, VERSIONS, '0.2.0'))).toBe(true);
    expect(await machine.run('dpkg -r gatewarden-agent')).toMatchObject({ code: 0 });
    expect(existsSync(join(machine.written, VERSIONS))).toBe(false);
    expect(existsSync(join(machine.written, 'var/lib/gatewarden-agent/agent.db'))).toBe(true);
  });
});
