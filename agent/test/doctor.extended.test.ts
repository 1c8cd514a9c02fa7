// Doctor names each common mistake and its remedy. The support bundle contains no secret.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { describeDiskSpace } from '../src/cli/doctor-checks.ts';
import { fileTokens } from '../src/config/token-store.ts';
import { openState } from '../src/store/state-store.ts';
import { openStore } from '../src/store/store-database.ts';
import { makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { damageFile } from './damaged-store.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { hasOpenssl, startTlsHub } from './tls-hub.ts';
import { putAlerts } from './waiting-alerts.ts';

interface Planted {
  dataDir: string;
  hub: HubDouble;
  /** Ends the service that runs. */
  end(): Promise<unknown>;
  /** Stops the process with SIGSTOP, and continues it. */
  stop(): void;
  resume(): void;
}

/** A device on which all is well. */
async function makeHealthy(): Promise<Planted> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  chmodSync(dataDir, 0o711);
  writeFileSync(writeConfig(dataDir, hub.url, 'monitor'), healthyConfig(dataDir, hub.url));
  await fileTokens(dataDir).write('agent_token', 'agent-token');
  const agent = await startAgent(dataDir);
  await until(() => agent.log().includes('the hub answers'));
  return {
    ...{ dataDir, hub, end: () => agent.end('SIGTERM') },
    stop: () => process.kill(agent.child.pid ?? 0, 'SIGSTOP'),
    resume: () => process.kill(agent.child.pid ?? 0, 'SIGCONT'),
  };
}

let rested: Promise<string> | undefined;

/** The same after its service ended in order; made once, for a service takes its time to start. */
async function makeRested(): Promise<Pick<Planted, 'dataDir' | 'hub'>> {
  rested ??= makeHealthy().then(async ({ dataDir, hub, end }) => {
    await end();
    await hub.close();
    const kept = mkdtempSync(join(tmpdir(), 'gw-rested-'));
    cpSync(dataDir, kept, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    return kept;
  });
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  cpSync(await rested, dataDir, { recursive: true, preserveTimestamps: true });
  chmodSync(dataDir, 0o711);
  configure({ dataDir }, hub.url);
  return { dataDir, hub };
}
afterAll(async () => {
  if (rested !== undefined) rmSync(await rested, { recursive: true, force: true });
});

function healthyConfig(dataDir: string, url: string, more = ''): string {
  return `[backend]
base_url = "${url}"
tenant_id = "01900000-0000-7000-8000-000000000001"
subscriber_id = "planted.person@example.org"
${more}
[agent]
data_dir = "${dataDir}"
delta_interval = "1s"
[discovery]
sources = ["dpkg"]
`;
}

const configure = ({ dataDir }: Pick<Planted, 'dataDir'>, url: string, more = '') =>
  writeFileSync(join(dataDir, 'agent.toml'), healthyConfig(dataDir, url, more), { mode: 0o600 });

async function askDoctor(
  dataDir: string,
): Promise<Map<string, { check: string; ok: boolean; detail: string }>> {
  const { stdout, code } = await runCommand(['doctor', '--json', '--data-dir', dataDir]);
  const checks = JSON.parse(stdout).checks as { check: string; ok: boolean; detail: string }[];
  expect(code).toBe(checks.every((check) => check.ok) ? 0 : 1);
  return new Map(checks.map((check) => [check.check, check]));
}

const speak = (status: number, code: string) => () => ({
  status,
  body: { error: { code, message: code }, request_id: 'r' },
});

type Mistake = [string, string, RegExp, (planted: Pick<Planted, 'dataDir' | 'hub'>) => unknown];

const UNTRUSTED: Mistake = [
  'a certificate that nobody vouches for',
  'hub',
  // Nobody starts the service by Node's options.
  /^(?!.*use-system-ca).*not trusted here.*backend\.ca_file/,
  async (planted) => configure(planted, (await startTlsHub({})).url),
];

const PINNED: Mistake = [
  'a key that is not the pinned key',
  'hub',
  /shows another key .*ask its operator before backend\.pin_sha256 is changed/,
  async (planted) => {
    const { url, caFile } = await startTlsHub({});
    configure(planted, url, `ca_file = "${caFile}"\npin_sha256 = "${'0'.repeat(64)}"`);
  },
];

const OTHER_NAME: Mistake = [
  'a certificate for another name',
  'hub',
  /for another name: check backend\.base_url/,
  async (planted) => {
    const { url, caFile } = await startTlsHub({}, 'other.example');
    configure(planted, url, `ca_file = "${caFile}"`);
  },
];

const MISTAKES: Mistake[] = [
  [
    'a word in the configuration that is none',
    'configuration',
    /agent\.toml: agent\.delta_intervall is not a known key/,
    ({ dataDir }) =>
      writeFileSync(join(dataDir, 'agent.toml'), '[agent]\ndelta_intervall = "1m"\n'),
  ],
  [
    'a configuration that is no file',
    'configuration',
    /agent\.toml is no regular file/,
    ({ dataDir }) => {
      rmSync(join(dataDir, 'agent.toml'));
      execFileSync('mkfifo', [join(dataDir, 'agent.toml')]);
    },
  ],
  [
    'authorities that are not there',
    'hub',
    /backend\.ca_file cannot be used: ENOENT.*must name a file with your authority's certificate/,
    (planted) => configure(planted, 'https://hub.example', 'ca_file = "/nowhere/ca.pem"'),
  ],
  [
    'authorities that are no certificates',
    'hub',
    /backend\.ca_file contains no certificate.*in PEM/,
    (planted) => {
      const file = join(planted.dataDir, 'ca.der');
      writeFileSync(file, Buffer.from([0x30, 0x82, 1, 2, 3]));
      configure(planted, 'https://hub.example', `ca_file = "${file}"`);
    },
  ],
  [
    'authorities that are no file',
    'hub',
    /backend\.ca_file cannot be used: .*is no regular file/,
    (planted) => {
      const file = join(planted.dataDir, 'ca.pem');
      execFileSync('mkfifo', [file]);
      configure(planted, 'https://hub.example', `ca_file = "${file}"`);
    },
  ],
  [
    'a port that speaks no TLS',
    'hub',
    /wrong version number: what listens there speaks no TLS: check the port/,
    (planted) => configure(planted, planted.hub.url.replace('http:', 'https:')),
  ],
  [
    'a proxy that is not there',
    'hub',
    /the proxy 127\.0\.0\.1:9 is not reached: check backend\.proxy/,
    (planted) =>
      configure(planted, 'https://hub.example', 'proxy = "http://u:planted@127.0.0.1:9"'),
  ],
  [
    'a proxy that hangs up',
    'hub',
    /the proxy does not let it through: check backend\.proxy/,
    async (planted) => {
      const proxy = createServer((socket) => socket.once('data', () => socket.destroy()));
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        proxy.close();
      });
      const { port } = proxy.address() as AddressInfo;
      configure(planted, 'https://hub.example', `proxy = "http://127.0.0.1:${port}"`);
    },
  ],
  [
    'no hub in the configuration',
    'configuration',
    /run "enroll" first/,
    ({ dataDir }) => writeFileSync(join(dataDir, 'agent.toml'), '[agent]\n'),
  ],
  [
    'tokens that everybody can read',
    'secrets',
    /others can read .*tokens\.json: chmod 600/,
    ({ dataDir }) => chmodSync(join(dataDir, 'tokens.json'), 0o644),
  ],
  [
    'a data folder that everybody can write to',
    'data_folder',
    /others can write to/,
    ({ dataDir }) => chmodSync(dataDir, 0o777),
  ],
  [
    'a damaged store',
    'store',
    /agent\.db is damaged.*sets it aside/,
    ({ dataDir }) => {
      putAlerts(dataDir, 500);
      damageFile(dataDir);
    },
  ],
  [
    'no token',
    'token',
    /run "enroll --auth-token-stdin"/,
    async ({ dataDir }) => {
      await fileTokens(dataDir).write('agent_token', null);
      await fileTokens(dataDir).write('device_token', null);
    },
  ],
  ['a service that does not run', 'service', /start the service/, () => undefined],
  [
    'a kill switch that was forgotten',
    'kill_switch',
    /"gatewarden on" turns it on again/,
    ({ dataDir }) => runCommand(['off', '--data-dir', dataDir]),
  ],
  [
    'an address where nobody is',
    'hub',
    /ECONNREFUSED.*check backend\.base_url/,
    (planted) => configure(planted, 'http://127.0.0.1:9'),
  ],
  [
    'a token that was revoked',
    'hub',
    /401.*enroll with a new token/,
    ({ hub }) => {
      hub.intercept = speak(401, 'invalid_agent_token');
    },
  ],
  [
    'a token of another tenant',
    'hub',
    /403.*another tenant/,
    ({ hub }) => {
      hub.intercept = speak(403, 'tenant_mismatch');
    },
  ],
  ...(
    [
      ['a device that was retired', 403, 'device_retired', /retired this device.*readmission/],
      ['another person\u2019s device', 403, 'subscriber_mismatch', /backend\.subscriber_id/],
      ['a copied data folder', 403, 'device_token_required', /another token.*enroll/],
      ['a token that only enrols', 403, 'enrol_only_token', /start the service/],
      [
        'what the hub does not understand',
        400,
        'invalid_request',
        /the versions of hub and agent match/,
      ],
      ['a tenant that is none', 400, 'invalid_tenant_id', /check backend\.tenant_id/],
      ['a path where the hub is not', 404, 'not_found', /no device API.*backend\.base_url/],
      ['a hub that was restored', 410, 'cursor_expired', /automatically/],
      ['a hub that is asked too often', 429, 'too_many_requests', /automatically/],
      ['a hub without its database', 503, 'not_ready', /the hub is in trouble/],
      ['what nobody foresaw', 418, 'teapot', /the hub refused the request/],
    ] as const
  ).map(
    ([name, status, code, advice]): Mistake => [
      name,
      'hub',
      advice,
      ({ hub }) => {
        hub.intercept = speak(status, code);
      },
    ],
  ),
  [
    'a portal in the place of the hub',
    'hub',
    /this is no hub/,
    ({ hub }) => {
      hub.intercept = () => ({ status: 200, text: '<html>sign in</html>' });
    },
  ],
  [
    'an address from which the hub has moved',
    'hub',
    /it leads to https:\/\/hub\.example: redirects are not followed: .*backend\.base_url/,
    ({ hub }) => {
      const headers = { location: 'https://hub.example/ea?token=planted' };
      hub.intercept = () => ({ status: 301, text: 'moved', headers });
    },
  ],
  ...(hasOpenssl ? [UNTRUSTED, PINNED, OTHER_NAME] : []),
  [
    'a clock that is wrong',
    'clock',
    /this clock is 7\d\d\d s away/,
    ({ hub }) => {
      const page = {
        ...{ overrides: [], next_cursor: '1', has_more: false, poll_after_seconds: 60 },
        ...{ enforcement_ceiling: 'monitor', inventory_epoch: 'e', inventory_confirmed: true },
        server_time: new Date(Date.now() - 7_200_000).toISOString(),
      };
      hub.intercept = ({ path }) => (path.endsWith('/delta') ? { status: 200, body: page } : null);
    },
  ],
  [
    'a clock that is wrong, where the hub is not there to be asked',
    'clock',
    /this clock is 9\d\d\d s away/,
    ({ dataDir, hub }) => {
      const { db } = openStore(dataDir);
      const state = openState(db);
      const kept = state.get('hub_clock');
      if (kept !== null) state.set('hub_clock', { ...kept, hubMs: kept.hubMs - 9_100_000 });
      db.close();
      hub.intercept = speak(503, 'not_ready');
    },
  ],
];

/** An unreachable hub is reported here, too. */
const ALSO: Record<string, string[]> = { token: ['hub'], clock: ['hub'] };

test('finds nothing on a healthy device', async () => {
  const { dataDir, hub } = await makeHealthy();
  const checks = await askDoctor(dataDir);
  expect([...checks.values()].filter((check) => !check.ok)).toEqual([]);
  await hub.close();
});

test('reports a token that is still in the configuration before the service has run', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const checks = await askDoctor(dataDir);
  expect(checks.get('token')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/agent\.toml: the service moves it/),
  });
  expect(checks.get('hub')?.ok).toBe(true);
  expect(hub.seen[0]?.headers.authorization).toBe('Bearer agent-token');
  await hub.close();
});

test.each(MISTAKES)('finds %s', async (_, check, advice, plant) => {
  const planted = await makeRested();
  await plant(planted);
  const checks = await askDoctor(planted.dataDir);
  const found = checks.get(check);
  expect(found?.detail).toMatch(advice);
  expect(found?.detail).not.toContain('planted');
  // No other check fails; only the missing service is reported by all of these.
  const bad = [...checks.values()].filter((check) => !check.ok).map((check) => check.check);
  const consequences = ALSO[check] ?? [];
  expect(bad.filter((name) => ![check, 'service', ...consequences].includes(name))).toEqual([]);
  await planted.hub.close();
});

test('finds a service that is stuck, and a service whose socket was deleted', async () => {
  const { dataDir, hub, stop, resume } = await makeHealthy();
  const bad = async () =>
    [...(await askDoctor(dataDir))].flatMap(([check, { ok, detail }]) =>
      ok ? [] : [{ check, detail }],
    );
  stop();
  expect(await bad()).toMatchObject([
    { check: 'service', detail: expect.stringMatching(/does not answer.*restart the service/) },
  ]);
  // A stopped process cannot open the socket again.
  rmSync(join(dataDir, 'status.sock'));
  expect(await bad()).toMatchObject([
    { check: 'service', detail: expect.stringMatching(/socket is gone .*restart the service/) },
  ]);
  resume();
  await until(async () => (await bad()).length === 0);
  await hub.close();
});

test.runIf(hasOpenssl)(
  'trusts an authority of the system store without configuration, and still checks a pin',
  async () => {
    const dataDir = makeFolder();
    chmodSync(dataDir, 0o711);
    writeConfig(dataDir, 'http://localhost', 'monitor');
    const server = await startTlsHub({
      overrides: [],
      next_cursor: '0',
      has_more: false,
      server_time: new Date().toISOString(),
      poll_after_seconds: 60,
      enforcement_ceiling: 'monitor',
      inventory_epoch: '0',
      inventory_confirmed: false,
    });
    const token = 'auth_token = "agent-token"\n';
    const ask = async (more: string, store: string | undefined) => {
      configure({ dataDir }, server.url, token + more);
      const { stdout } = await runCommand(['doctor', '--json', '--data-dir', dataDir], '', {
        env: store === undefined ? {} : { SSL_CERT_FILE: store },
      });
      const checks = JSON.parse(stdout).checks as { check: string; detail: string }[];
      return checks.find((check) => check.check === 'hub')?.detail;
    };
    expect(await ask('', undefined)).toMatch(/not trusted here/);
    expect(await ask('', server.caFile)).toBe(`${server.url} answers`);
    const wrong = `pin_sha256 = "${'0'.repeat(64)}"`;
    expect(await ask(wrong, server.caFile)).toMatch(/shows another key/);
  },
);

test('warns that a disk is nearly full', () => {
  expect(describeDiskSpace(60 * 1024 * 1024, '/x')).toBe('60 MB left');
  expect(() => describeDiskSpace(10 * 1024 * 1024, '/x')).toThrow('10 MB left for /x');
});

test('includes the state but no secret in the bundle', async () => {
  const planted = await makeHealthy();
  const { dataDir, hub, end } = planted;
  const { stdout: scanned } = await runCommand(['status', '--json', '--data-dir', dataDir]);
  await end();
  putAlerts(dataDir, 3);
  const { db } = openStore(dataDir);
  db.close();
  const secrets = ['planted-agent-token-123', 'ghp_plantedplantedplanted0123456789abcd'];
  await fileTokens(dataDir).write('agent_token', secrets[0] ?? '');
  const log = join(dataDir, 'logs', 'agent.log');
  expect(existsSync(log)).toBe(true);
  const logged = `ask https://user:planted-password@hub.example/x?key=planted-value with ${secrets.join(' ')} for planted.person@example.org in /root/planted-home`;
  writeFileSync(log, `${JSON.stringify({ msg: logged })}\nno JSON: token=planted-in-text\n`, {
    flag: 'a',
  });
  const output = join(makeFolder(), 'bundle.json');
  const made = await runCommand([
    'support-bundle',
    '--json',
    '--output',
    output,
    '--data-dir',
    dataDir,
  ]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).toEqual({ file: output });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const text = readFileSync(output, 'utf8');
  const leaks = [
    ...secrets,
    'planted.person',
    'planted-password',
    'planted-value',
    'planted-in-text',
  ];
  expect(leaks.filter((leak) => text.includes(leak))).toEqual([]);
  expect(text).not.toContain('/root/planted');
  const bundle = JSON.parse(text);
  expect(bundle).toMatchObject({
    status: 'not running',
    queue: { 'critical block': 3 },
    configuration: { backend: { baseUrl: hub.url, hasTokenInFile: false } },
  });
  const { device_id } = JSON.parse(scanned);
  expect(device_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(bundle.log.some((line: { msg?: string }) => line.msg === 'ready')).toBe(true);
  expect(bundle.doctor.length).toBeGreaterThan(8);
  expect(Date.parse(bundle.data_folder[0].changed_at)).toBeGreaterThan(0);
  const again = await runCommand(['support-bundle', '--output', output, '--data-dir', dataDir]);
  expect(again.stderr).toMatch(/^cannot write [^\n]+EEXIST[^\n]+\n$/);
  await hub.close();
});
