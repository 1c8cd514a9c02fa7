// Agent and hub as services, under a real systemd on a machine of their own: what their units allow is enough for what they
// do, and after any aborted upgrade the agent runs again. GATEWARDEN_SERVICES=all for the long run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BootedMachine, bootMachine, whyNoBootedMachine } from '../support/booted-machine.ts';
import { asAdmin, type Installation, newInstallation } from '../support/installation.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../support/programs.ts';
import { awaitInShell } from '../support/waiting.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Longer than the waits of a test together, whose errors name what they waited for. */
const PATIENCE_MS = 900_000;
const reason = whyNoBootedMachine();
if (reason !== null) process.stdout.write(`Services were not tried under a systemd: ${reason}\n`);

/** The others take a minute and a half of two cores. */
const ALL = process.env.GATEWARDEN_SERVICES === 'all';
const itAtLength = it.runIf(ALL);
if (reason === null && !ALL) {
  process.stdout.write(
    'Of services, an upgrade by the archive, the proof and a backup restored are tried with GATEWARDEN_SERVICES=all\n',
  );
}

const folder = mkdtempSync(join(tmpdir(), 'gw-services-'));
const LOG = '/tmp/output';
let machine: BootedMachine;

beforeAll(async () => {
  if (reason === null) machine = await bootMachine({ [folder]: folder, [ROOT]: '/opt/gatewarden' });
}, PATIENCE_MS);
afterAll(async () => {
  await machine?.remove();
  rmSync(folder, { recursive: true, force: true });
}, PATIENCE_MS);

/** Runs a script that must succeed, and returns its output. */
async function done(script: string, env: Record<string, string> = {}): Promise<string> {
  const { code, output } = await machine.run(script, env);
  if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${output}`);
  return output;
}

function build(version: string, only: string): string {
  const out = join(folder, version);
  execFileSync(
    process.execPath,
    [
      ...['installers/src/build.ts', '--out', out, '--version', version],
      ...['--only', only, '--fast'],
    ],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return out;
}

describe.skipIf(reason !== null)('the agent', { timeout: PATIENCE_MS }, () => {
  const env: NodeJS.ProcessEnv = { HUB_DATA_DIR: join(folder, 'hub'), BASE_URL: '' };
  let hub: Program;
  let at: Installation;
  let old: string;
  let fresh: string;

  const deb = (out: string) =>
    join(out, readdirSync(out).find((value) => value.endsWith('.deb')) ?? '');
  const isActive = 'systemctl is-active gatewarden-agent';
  const answers = awaitInShell(
    'the agent is at work',
    `gatewarden status --json 2>/dev/null | grep -q '"reachable":true'`,
    '/dev/null',
  );
  beforeAll(async () => {
    old = build('0.1.0', 'deb');
    fresh = build('0.2.0', ALL ? 'deb,tar' : 'deb');
    const port = await freePort();
    env.HUB_PORT = String(port);
    hub = await startProgram(HUB_MAIN, ['serve'], env);
    const url = `http://127.0.0.1:${port}`;
    at = await newInstallation({ main: HUB_MAIN, env, url }, 'Services', { enrolOnly: true });
    await done(`dpkg -i ${deb(fresh)}`, {
      DEBIAN_FRONTEND: 'noninteractive',
      GATEWARDEN_BASE_URL: at.url,
      GATEWARDEN_TENANT_ID: at.tenantId,
      GATEWARDEN_SUBSCRIBER_ID: 'alice@example.com',
      GATEWARDEN_AUTH_TOKEN: at.agentToken,
      GATEWARDEN_ENFORCEMENT: 'enforce',
    });
    // An enrolled device otherwise polls only after its ordinary interval.
    await done(
      `sed -i 's/^\\[agent\\]/[agent]\\ndelta_interval = "1s"/' /etc/gatewarden/agent.toml; systemctl restart gatewarden-agent`,
    );
  }, PATIENCE_MS);
  afterAll(async () => {
    await hub?.end('SIGTERM');
  });

  it('starts by its package, and answers every user of the machine', async () => {
    const output = await done(`${answers}
      ${isActive}; systemctl is-enabled gatewarden-agent
      setpriv --reuid=65534 --regid=65534 --clear-groups gatewarden status
      systemctl show -p NRestarts --value gatewarden-agent`);
    expect(output).toMatch(/^active\nenabled\nDevice .*0\.2\.0/);
    expect(output).toMatch(/\n0\n$/);
  });

  it('continues to run after a refused downgrade', async () => {
    const { code, output } = await machine.run(`dpkg -i ${deb(old)}; ${isActive}`);
    expect(output).toContain('0.1.0 is older and is refused');
    expect(output).toMatch(/\nactive\n$/);
    expect(code).toBe(0);
  });

  it('continues to run after an aborted upgrade, and completes it with the next upgrade', async () => {
    const pid = 'systemctl show -p MainPID --value gatewarden-agent';
    const output = await done(`
      before=$(${pid}); dpkg --unpack ${deb(fresh)}
      [ "$(${pid})" = "$before" ] && echo 'the same goes on'; gatewarden status | head -n 1
      dpkg --configure -a; ${answers}; ${isActive}
      [ "$(${pid})" = "$before" ] || echo 'and another after it'`);
    expect(output).toMatch(/\nthe same goes on\nDevice /);
    expect(output).toMatch(/\nactive\nand another after it\n$/);
  });

  const byArchive = [
    'the archive',
    () => `rm -rf /tmp/a; mkdir /tmp/a; tar -xzf ${fresh}/*.tar.gz -C /tmp/a; /tmp/a/*/install.sh`,
    'true',
  ] as const;
  it.each([
    ['the package', () => `dpkg -i ${deb(fresh)}`, 'dpkg --configure -a'] as const,
    ...(ALL ? [byArchive] : []),
  ])(
    'keeps the present configuration when an upgrade by %s brings an invalid configuration',
    async (_by, upgrade, mend) => {
      const before = await done('systemctl show -p MainPID --value gatewarden-agent');
      const output = await done(`
        cp /etc/gatewarden/agent.toml /tmp/before.toml
        echo GATEWARDEN_BASEURL=https://hub.example.com >/etc/gatewarden/install.env
        ${upgrade()}; echo "ended with $?"
        ${isActive}
        cmp /etc/gatewarden/agent.toml /tmp/before.toml && echo 'as before'
        rm /etc/gatewarden/install.env; ${mend}
        ${answers}; ${isActive}`);
      expect(output).toContain('GATEWARDEN_BASEURL is not known');
      expect(output).toMatch(/ended with 1\nactive\nas before\n/);
      expect(output).toMatch(/\nactive\n$/);
      // The new program is running.
      expect(await done('systemctl show -p MainPID --value gatewarden-agent')).not.toBe(before);
      expect(await done('dpkg --audit')).toBe('');
    },
  );

  it.each([
    ['the package', () => `dpkg -i ${deb(fresh)}`] as const,
    ...(ALL ? [[byArchive[0], byArchive[1]] as const] : []),
  ])(
    'stays off where an administrator switched it off before an upgrade by %s',
    async (_by, upgrade) => {
      for (const [off, on] of [
        ['disable --now', 'enable --now'],
        ['mask --now', 'unmask'],
      ]) {
        const output = await done(`
        systemctl ${off} gatewarden-agent
        ${upgrade()}
        systemctl is-enabled gatewarden-agent; ${isActive}
        systemctl ${on} gatewarden-agent; systemctl start gatewarden-agent; ${answers}`);
        expect(output).toContain('switched off here and stays so');
        expect(output).toMatch(/\n(disabled|masked)\ninactive\n/);
      }
      const output = await done(`
      systemctl disable gatewarden-agent
      ${upgrade()}
      systemctl is-enabled gatewarden-agent; ${answers}; ${isActive}; systemctl enable gatewarden-agent`);
      expect(output).toMatch(/\ndisabled\nactive\n/);
    },
  );

  it('enables the agent after an interrupted installation, and leaves a masked unit disabled', async () => {
    const output = await done(`
      dpkg -r gatewarden-agent; dpkg --unpack ${deb(fresh)}
      dpkg -i ${deb(fresh)}; systemctl is-enabled gatewarden-agent; ${answers}; ${isActive}
      dpkg -r gatewarden-agent; systemctl mask gatewarden-agent
      dpkg -i ${deb(fresh)}; echo "ended with $?"; ${isActive}
      systemctl unmask gatewarden-agent; systemctl enable --now gatewarden-agent; ${answers}`);
    expect(output).toMatch(/\nenabled\nactive\n/);
    expect(output).toMatch(/\nended with 0\ninactive\n/);
  });

  it('ends blocked programs, quarantines files within the limits of its unit, and restores them', async () => {
    await done(`for name in ended quarantined taken; do
        cp /usr/bin/sleep /usr/local/bin/gw-$name; echo $name >>/usr/local/bin/gw-$name
        systemd-run --quiet --unit=gw-$name /usr/local/bin/gw-$name 100000
      done`);
    for (const [name, policy] of [
      ['ended', 'block'],
      ['quarantined', 'quarantine'],
      ['taken', 'quarantine'],
    ]) {
      const sum = (await done(`sha256sum /usr/local/bin/gw-${name}`)).split(' ')[0];
      const created = await asAdmin(at, 'POST', '/overrides', {
        match: { executable_sha256: sum },
        ...{ approval_status: 'blocked', execution_policy: policy, reason: 'tried' },
        scope: { kind: 'tenant' },
      });
      expect(created.status).toBe(201);
    }
    const output = await done(`
      ${awaitInShell('all have ended', '! systemctl is-active --quiet gw-ended gw-quarantined gw-taken', '/dev/null')}
      ${awaitInShell('two are in quarantine', '[ ! -e /usr/local/bin/gw-quarantined ] && [ ! -e /usr/local/bin/gw-taken ]', '/dev/null')}
      gatewarden quarantine
      echo 'another file' >/usr/local/bin/gw-taken
      dpkg -P gatewarden-agent
      ls /usr/local/bin/gw-*; tail -n 1 /usr/local/bin/gw-taken
      find /var/lib/gatewarden-agent -name gw-taken -exec tail -c 6 {} +; ls -d /var/lib/gatewarden-agent/[a-p]*
      ${isActive}; systemctl is-enabled gatewarden-agent 2>&1 || true`);
    expect(output).toContain('2 in quarantine');
    // A file that cannot be restored is kept and named; no other file is left.
    expect(output).toContain('what could not be put back is left in /var/lib/gatewarden-agent');
    expect(output).toMatch(
      /gw-ended\n.*gw-quarantined\n.*gw-taken\nanother file\ntaken\n.*not-put-back\n/,
    );
    expect(output).not.toMatch(/(agent\.db|device\.json|people)/);
    expect(output).not.toMatch(/^(active|enabled)$/m);
  });
});

describe.skipIf(reason !== null)('the hub', { timeout: PATIENCE_MS }, () => {
  let port: number;
  const isReady = () =>
    awaitInShell(
      'the hub is ready',
      `curl -sf http://127.0.0.1:${port}/readyz || { journalctl -q -u gatewarden-hub -n 20 --no-pager >${LOG}; tail -n 15 /var/lib/gatewarden-hub/postgres.log >>${LOG}; false; }`,
      LOG,
    );

  beforeAll(async () => {
    port = await freePort();
    const docs = readFileSync(join(ROOT, 'docs/how-to/install.md'), 'utf8');
    const steps = /```sh\n(useradd [\s\S]*?)```/.exec(docs)?.[1] ?? '';
    expect(steps).toContain('npm ci && npm prune --omit=dev');
    // The tree is already installed here, so the step that installs it is left out.
    await done(`set -e
      ${steps
        .replace('npm ci && npm prune --omit=dev', 'true')
        .replace(/^systemctl/m, `echo HUB_PORT=${port} >>/etc/gatewarden-hub.env\nsystemctl`)}
      ${isReady()}`);
  }, PATIENCE_MS);

  it('runs the hub command as its user, with its data and the given arguments', async () => {
    const name = '$HOME of "5%" \\n';
    const output = await done(
      `cd /root; gatewarden-hub tenant create --name "$NAME" && gatewarden-hub tenant list --json
       gatewarden-hub nonsense; echo "ended with $?"
       echo 'correct horse battery' | gatewarden-hub user create --email a@example.com --password-stdin \\
         --tenant $(gatewarden-hub tenant list --json | grep -oE '[0-9a-f-]{36}') && stat -c %U /var/lib/gatewarden-hub/*`,
      { NAME: name },
    );
    expect(output).toContain(`"name":${JSON.stringify(name)}`);
    expect(output).toContain("unknown command 'nonsense'\nended with 2\n");
    expect(output).toMatch(/user_id: .*\n(gatewarden\n)+$/);
  });

  itAtLength(
    'creating a tenant elsewhere begins an installation there, and reports that',
    async () => {
      const output = await done(
        `cd /opt/gatewarden; HUB_DATA_DIR=${folder}/other node_modules/.bin/node hub/src/main.ts tenant create --name Other`,
      );
      expect(output).toContain(`${folder}/other held no installation: a new one was begun there`);
    },
  );

  itAtLength('its weekly proof goes well beside it, and leaves its report', async () => {
    const output = await done(
      'systemctl start gatewarden-hub-proof; echo "ended with $?"; ls /var/lib/gatewarden-hub-proofs',
    );
    expect(output).toMatch(/^ended with 0\ngatewarden-proof-\S+\.json\n$/);
  });

  it('restarts after a kill, and shuts down in order with its database', async () => {
    const output = await done(`
      kill -KILL $(systemctl show -p MainPID --value gatewarden-hub)
      ${awaitInShell('it was started again', '[ $(systemctl show -p NRestarts --value gatewarden-hub) = 1 ]', LOG)}
      ${isReady()}; echo
      gatewarden-hub doctor >/dev/null && echo well
      systemctl stop gatewarden-hub
      systemctl show -p Result -p ExecMainStatus gatewarden-hub
      pgrep -u gatewarden || echo 'nothing runs'`);
    expect(output).toMatch(/\nwell\nResult=success\nExecMainStatus=0\nnothing runs\n$/);
  });

  itAtLength('a backup restored into an empty folder is what the service starts with', async () => {
    const output = await done(`
      gatewarden-hub backup before.backup && gatewarden-hub tenant list --json >/tmp/before
      mv /var/lib/gatewarden-hub /var/lib/gatewarden-hub.old
      install -m 0444 /var/lib/gatewarden-hub.old/before.backup /tmp/
      gatewarden-hub restore /tmp/before.backup && gatewarden-hub tenant list --json | cmp - /tmp/before
      systemctl start gatewarden-hub; ${isReady()}`);
    expect(output).toContain('migrated: none');
  });
});
