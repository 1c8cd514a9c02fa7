// Life cycle of the Debian package on a machine of its own: installed and enrolled without a prompt, running with a real
// hub, upgraded, not downgraded, removed, installed again, purged.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, type Installation, newInstallation } from '../support/installation.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../support/programs.ts';
import {
  openSecondMachine,
  type SecondMachine,
  type StayingProgram,
  whyNoSecondMachine,
} from '../support/second-machine.ts';
import { awaitInShell, awaitThat } from '../support/waiting.ts';

const ROOT = join(import.meta.dirname, '../..');
const UNIT = 'usr/lib/systemd/system/gatewarden-agent.service';
/** Longer than the waits of a test together, whose errors name what they waited for. */
const PATIENCE_MS = 900_000;
const reason = whyNoSecondMachine();
if (reason !== null) process.stdout.write(`The life of the package was skipped: ${reason}\n`);

const folder = mkdtempSync(join(tmpdir(), 'gw-deb-'));
let machine: SecondMachine;
let env: NodeJS.ProcessEnv;
let url: string;
let hub: Program;
let at: Installation;

function build(version: string): string {
  execFileSync(
    process.execPath,
    [
      'installers/src/build.ts',
      ...['--out', join(folder, version), '--version', version, '--only', 'deb', '--fast'],
    ],
    { cwd: ROOT, env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' } },
  );
  const [name = ''] = readdirSync(join(folder, version)).filter((value) => value.endsWith('.deb'));
  return join(folder, version, name);
}

async function devices(): Promise<
  { device_id: string; agent_version: string; entity_count: number; last_seen_at: string }[]
> {
  const answer = await asAdmin(at, 'GET', '/devices');
  return answer.body.items;
}

async function alerts(): Promise<{ alert_id: string }[]> {
  const answer = await asAdmin(at, 'GET', '/alerts');
  return answer.body.items;
}

/** Starts the service with the command and the environment of the package's unit. */
function service(): StayingProgram {
  const unit = readFileSync(join(machine.written, UNIT), 'utf8');
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1];
  expect(command).toBe('/usr/bin/gatewarden run --config /etc/gatewarden/agent.toml');
  return machine.start(command ?? '');
}

describe.skipIf(reason !== null)('the Debian package', { timeout: PATIENCE_MS }, () => {
  let old: string;
  let fresh: string;
  let deviceId: string;

  beforeAll(async () => {
    old = build('0.1.0');
    fresh = build('0.2.0');
    machine = openSecondMachine();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    env = { HUB_DATA_DIR: join(folder, 'hub'), HUB_PORT: String(port), BASE_URL: '' };
    hub = await startProgram(HUB_MAIN, ['serve'], env);
    at = await newInstallation({ main: HUB_MAIN, env, url }, 'Packages', { enrolOnly: true });
  });
  afterAll(async () => {
    await hub?.end('SIGTERM');
    machine?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('builds the same Debian package twice', () => {
    const first = readFileSync(old);
    rmSync(old);
    expect(readFileSync(build('0.1.0')).equals(first)).toBe(true);
  });

  it('installs and enrolls without prompts, and stores no token in clear text', async () => {
    writeFileSync(join(folder, 'token'), `${at.agentToken}\n`, { mode: 0o600 });
    // An enrolled device otherwise polls only after its ordinary interval.
    const soon = `sed -i 's/^\\[agent\\]/[agent]\\ndelta_interval = "1s"/' /etc/gatewarden/agent.toml`;
    const installed = await machine.run(`dpkg -i ${old} && ${soon}`, {
      DEBIAN_FRONTEND: 'noninteractive',
      GATEWARDEN_BASE_URL: url,
      GATEWARDEN_TENANT_ID: at.tenantId,
      GATEWARDEN_SUBSCRIBER_ID: 'alice@example.com',
      GATEWARDEN_AUTH_TOKEN_FILE: join(folder, 'token'),
      GATEWARDEN_ENFORCEMENT: 'monitor',
    });
    expect(installed).toMatchObject({ code: 0 });
    expect((await machine.run('gatewarden --version')).output.trim()).toBe('0.1.0');
    const config = readFileSync(join(machine.written, 'etc/gatewarden/agent.toml'), 'utf8');
    expect(config).toContain(url);
    expect(config).not.toContain(at.agentToken);
    const [device] = await devices();
    deviceId = device?.device_id ?? '';
    expect(deviceId).not.toBe('');
  });

  it("discovers the machine's software with the bundled Node, and reports it to the hub", async () => {
    const running = service();
    await awaitThat(
      'the hub has what is on the machine',
      async () => (await devices()).some((device) => device.entity_count > 50),
      running.log,
    );
    // Any user may query the machine's agent, though only root may read the configuration. A process that enters the machine
    // anew does not share the sockets of its programs, so the test only checks that the command uses the right path.
    const asNobody = 'setpriv --reuid=65534 --regid=65534 --clear-groups gatewarden';
    const { output } = await machine.run(`${asNobody} status`);
    expect(output).toBe('no agent runs on /var/lib/gatewarden-agent\n');
    const log = await running.stop();
    expect(log).not.toMatch(/"level":(50|60)/);
    expect(await devices()).toMatchObject([{ device_id: deviceId, agent_version: '0.1.0' }]);
  });

  it('preserves identity and queue over an upgrade', async () => {
    const port = env.HUB_PORT;
    await hub.end('SIGTERM');
    // "off" may come before the service, while it starts or after: one of both processes acts on it, and the alert waits in the queue.
    const alone = await machine.run(`
      gatewarden run --config /etc/gatewarden/agent.toml 2>/tmp/agent.log & pid=$!
      gatewarden off >/dev/null 2>>/tmp/agent.log || exit 2
      ${awaitInShell('an alert is queued', 'gatewarden queue --json 2>>/tmp/agent.log | grep -q alert_id', '/tmp/agent.log')}
      kill -TERM $pid; wait $pid || exit 4
      gatewarden queue --json`);
    expect(alone).toMatchObject({ code: 0 });
    const queued = JSON.parse(alone.output).alerts.map(
      (alert: { alert: { alert_id: string } }) => alert.alert.alert_id,
    );
    expect(queued.length).toBeGreaterThan(0);
    const upgraded = await machine.run(`dpkg -i ${fresh}`);
    expect(upgraded).toMatchObject({ code: 0 });
    hub = await startProgram(HUB_MAIN, ['serve'], { ...env, HUB_PORT: port });
    const running = service();
    await awaitThat(
      'the hub sees the new version',
      async () => (await devices())[0]?.agent_version === '0.2.0',
      running.log,
    );
    await awaitThat(
      `${queued.length} alerts have come`,
      async () => (await alerts()).length >= queued.length,
      running.log,
    );
    await running.stop();
    expect((await alerts()).map((alert) => alert.alert_id).sort()).toEqual(queued.sort());
    expect(await devices()).toMatchObject([{ device_id: deviceId, agent_version: '0.2.0' }]);
  });

  it('reports agents that systemd did not start in upgrade, doctor and removal', async () => {
    const { output } = await machine.run(`
      gatewarden run --config /etc/gatewarden/agent.toml 2>/tmp/agent.log & pid=$!
      ${awaitInShell('the agent answers', 'gatewarden status >/dev/null 2>&1', '/tmp/agent.log')}
      dpkg -r gatewarden-agent; echo "removed: $?"
      [ ! -x /usr/bin/systemctl ] || systemctl is-enabled gatewarden-agent.service || echo 'starts no more'
      versions=/var/lib/gatewarden-agent/versions
      mkdir -p $versions; cp -r /usr/lib/gatewarden-agent $versions/0.3.0
      echo 0.3.0 >$versions/0.3.0/version; ln -s 0.3.0 $versions/current
      GATEWARDEN_ALLOW_DOWNGRADE=1 dpkg -i ${old}; echo "changed: $?"
      ls $versions 2>&1
      gatewarden doctor --config /etc/gatewarden/agent.toml | grep ' service '
      kill -TERM $pid; wait $pid
      dpkg -i ${fresh}; echo "back: $?"`);
    expect(output).toMatch(/^removed: 1$/m);
    expect(output).not.toContain('starts no more');
    expect(output).toContain('systemd did not start it: stop it first');
    expect(output).toMatch(
      /is the one of before: restart it\n(?:Processing triggers .*\n)*changed: 0\nls: .*No such file.*\nBAD +service/,
    );
    expect(output).toMatch(/0\.2\.0 runs, 0\.1\.0 is installed/);
    expect(output).toMatch(/^back: 0$/m);
    expect((await machine.run('gatewarden --version')).output.trim()).toBe('0.2.0');
  });

  it('refuses a downgrade, and leaves the newer version intact', async () => {
    const refused = await machine.run(`dpkg -i ${old}`);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain('0.1.0 is older and is refused');
    expect((await machine.run('gatewarden --version')).output.trim()).toBe('0.2.0');
    expect((await machine.run('dpkg --audit')).output).toBe('');
  });

  it("keeps the device's identity after a removal, also when the package is installed again", async () => {
    expect(await machine.run('dpkg -r gatewarden-agent')).toMatchObject({ code: 0 });
    expect(existsSync(join(machine.written, 'usr/lib/gatewarden-agent'))).toBe(false);
    expect(existsSync(join(machine.written, 'var/lib/gatewarden-agent'))).toBe(true);
    expect(await machine.run(`dpkg -i ${fresh}`)).toMatchObject({ code: 0 });
    const running = service();
    const before = (await devices())[0]?.last_seen_at ?? '';
    await awaitThat(
      'the device is seen again',
      async () => ((await devices())[0]?.last_seen_at ?? '') > before,
      running.log,
    );
    await running.stop();
    expect(await devices()).toMatchObject([{ device_id: deviceId }]);
  });

  it('leaves no files after a purge', async () => {
    expect(await machine.run('dpkg -P gatewarden-agent')).toMatchObject({ code: 0 });
    const left = execFileSync('find', [machine.written, '-iname', '*gatewarden*'], {
      encoding: 'utf8',
    });
    expect(left).toBe('');
  });
});
