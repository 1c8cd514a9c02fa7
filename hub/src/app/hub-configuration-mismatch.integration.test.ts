// Hubs with the same database and other settings log and show the difference; a delivery that a hub may not send is
// sent by another hub.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  type HttpSink,
  openHttpSink,
  openSmtpSink,
  reaching,
  type SmtpSink,
} from '../../../test/support/sinks.ts';
import type { Config } from '../platform/config/config.ts';
import { digestsOf } from '../platform/peers.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { startHub } from './server.ts';

let sink: HttpSink;
let smtp: SmtpSink;
let open: Config;
/** May reach public addresses only, and has no mail server. */
let narrow: TestHub;
let routes: { url: string; mail: string };
let admin: { tenantId: string; token: string };

beforeAll(async () => {
  sink = await openHttpSink();
  smtp = await openSmtpSink();
  open = reaching(hubConfig(await cloneDatabase()), smtp);
  const first = await startTestHub(open);
  const create = async (body: object) =>
    (await first.console('POST', '/alert-routes', { body: { name: 'r', ...body } })).body.route
      .route_id;
  const ids = [
    await create({ kind: 'webhook', url: `${sink.url}/hook` }),
    await create({ kind: 'email', to: ['a@example.com'] }),
  ];
  const { tenantId } = first;
  await first.stop();
  narrow = await startTestHub({ ...open, allowedPrivateNetworks: [], mail: null });
  admin = { tenantId, token: await narrow.tokenFor('Admin', tenantId) };
  routes = { url: `/alert-routes/${ids[0]}`, mail: `/alert-routes/${ids[1]}` };
});
afterAll(async () => {
  await narrow?.stop();
  await sink.close();
  await smtp.close();
});

const sendTest = async (path: string): Promise<string> => {
  const answer = await narrow.console('POST', `${path}/test`, { body: {}, ...admin });
  expect(answer.status).toBe(202);
  return `${path}/deliveries/${answer.body.delivery.delivery_id}`;
};
const delivery = async (path: string) => (await narrow.console('GET', path, admin)).body.delivery;

test('fails a delivery that no running hub may send', async () => {
  const path = await sendTest(routes.url);
  await expect
    .poll(async () => (await delivery(path)).last_error)
    .toContain('must point to public addresses');
});

test('leaves a delivery to a hub with other settings, without counting an attempt', async () => {
  // As a hub that runs, and is busy.
  await narrow.context.database.pool.query(
    'INSERT INTO hub_processes (process_id, seen_at, settings) VALUES ($1, now(), $2)',
    [randomUUID(), { HUB_ALLOWED_PRIVATE_NETWORKS: 'other', HUB_SMTP_URL: 'other' }],
  );
  const paths = [await sendTest(routes.url), await sendTest(routes.mail)];
  const { pool } = narrow.context.database;
  const left = async () =>
    (
      await pool.query(
        "SELECT DISTINCT data ->> 'delivery_id' AS id FROM pgboss.job WHERE data ? 'left_by'",
      )
    ).rows;
  await expect.poll(async () => (await left()).length).toBe(2);
  for (const path of paths) {
    expect(await delivery(path)).toMatchObject({ state: 'pending', attempts: 0, last_error: null });
  }
  const able = await startTestHub({ ...open, port: 0 });
  try {
    for (const path of paths) {
      await expect
        .poll(() => delivery(path))
        .toMatchObject({ state: 'delivered', attempts: 1, last_error: null });
    }
  } finally {
    await able.stop();
  }
  const id = `msg_${paths[0]?.split('/').at(-1)}`;
  const sent = sink.at('/hook').filter((received) => received.headers['webhook-id'] === id);
  expect(sent).toHaveLength(1);
  expect(smtp.mails).toHaveLength(1);
});

test('warns about other settings by name at start and in the health page', async () => {
  const lines: { event?: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  await narrow.context.database.pool.query('DELETE FROM hub_processes WHERE settings = $1', [
    { HUB_ALLOWED_PRIVATE_NETWORKS: 'other', HUB_SMTP_URL: 'other' },
  ]);
  const health = async () => (await narrow.console('GET', '/hub-health')).body.health;
  expect(await health()).toMatchObject({ settings_differ: [] });
  expect((await health()).problems).not.toContain('settings_differ');
  const second = await startHub({ ...open, port: 0, deviceRate: 7 }, log);
  const names = ['HUB_ALLOWED_PRIVATE_NETWORKS', 'HUB_SMTP_URL', 'HUB_DEVICE_RATE'];
  expect(lines.filter((line) => line.event === 'settings_differ')).toMatchObject([
    { settings: names },
  ]);
  expect(await health()).toMatchObject({ settings_differ: names });
  expect((await health()).problems).toContain('settings_differ');
  await second.stop();
  expect(await health()).toMatchObject({ settings_differ: [] });
});

const CHANGES: [string, Partial<Config>][] = [
  ['GATEWAY_BASE_URL', { baseUrl: 'https://other.example.com' }],
  ['HUB_ALLOWED_PRIVATE_NETWORKS', { allowedPrivateNetworks: [] }],
  ['HUB_SMTP_URL', { mail: null }],
  ['LLMGATEWAY_MANAGEMENT_API_ENABLED', { managementApi: { enabled: false, isSet: true } }],
  ['MCP_OAUTH_PKCE', { mcpPkce: 'off' }],
  ['COMPLETELY_NO_GPU', { noModelTests: true }],
  ['HUB_PROVIDER_NAMES', { providerNames: { D: 'Acme' } }],
  ['HUB_LLM_GATEWAY_URL', { llmGatewayUrl: 'https://llm.example.com' }],
  ['HUB_DEVICE_RATE', { deviceRate: 1 }],
  ['HUB_TOKEN_RATE', { tokenRate: 1 }],
  ['HUB_NODE_RATE', { nodeRate: 1 }],
  ['HUB_TENANT_STREAMS', { tenantStreams: 1 }],
  ['HUB_POLL_SECONDS_MAX', { pollSecondsMax: 7 }],
];
test.each(CHANGES)('reports another %s as a single difference', (name, change) => {
  const key = Buffer.alloc(32, 1);
  const [own, other] = [digestsOf(open, key), digestsOf({ ...open, ...change }, key)];
  expect(Object.keys(own).filter((each) => own[each] !== other[each])).toEqual([name]);
});

test('ignores settings that belong to a single hub', () => {
  const key = Buffer.alloc(32, 1);
  const own: Partial<Config> = {
    port: 1,
    host: '::',
    dataDir: '/x',
    logLevel: 'debug',
    metricsToken: 'x',
  };
  expect(digestsOf({ ...open, ...own }, key)).toEqual(digestsOf(open, key));
});
