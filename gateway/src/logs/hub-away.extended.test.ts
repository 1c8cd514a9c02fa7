// An hour without a hub costs no row and no control: the node enforces its last configuration, also after a restart from the
// sealed copy, and its spool has room for the rows. The requests of the hour are sent as fast as the machine allows.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  chatCompletion,
  type LlmUpstream,
  sendJson,
  startLlmUpstream,
} from '../../../test/support/llm-upstream.ts';
import { type Management, makeProvider, manage } from '../../../test/support/management.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../../../test/support/programs.ts';
import { awaitThat } from '../../../test/support/waiting.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
/** An hour of a request every three seconds. */
const REQUESTS = Number(process.env.GATEWARDEN_AWAY_REQUESTS ?? 1_200);
const CLIENTS = 16;
/** A question of a kilobyte, as a short conversation has. */
const QUESTION = 'Please summarize the following notes of the meeting. '.repeat(20);
const CARD = '4111 1111 1111 1111';
const PATIENCE_MS = 900_000;

let hub: TestHub;
let api: Management;
let upstream: LlmUpstream;
let dataDir: string;
/** The hub that the node follows; it shares its database with the hub that the test asks. */
let followed: Program;
let hubEnv: NodeJS.ProcessEnv;

beforeAll(async () => {
  hub = await startTestHub();
  const { databaseUrl, masterKey } = hub.config;
  hubEnv = {
    ...{ DATABASE_URL: databaseUrl ?? '', HUB_MASTER_KEY: (masterKey as { text: string }).text },
    ...{ HUB_PORT: String(await freePort()), BASE_URL: hub.url },
    HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
  };
  followed = await startProgram(HUB_MAIN, ['serve'], hubEnv);
  upstream = await startLlmUpstream((_call, response) => sendJson(response, chatCompletion('ok')));
  dataDir = mkdtempSync(join(tmpdir(), 'gw-away-'));
  api = await manage(hub);
  await makeProvider(api, 'main', { provider_settings: { api_key: 'k', base_url: upstream.url } });
});
afterAll(async () => {
  await upstream.stop();
  await followed.end('SIGKILL');
  await hub.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test(
  `serves ${REQUESTS} requests without the hub, and delivers every row afterwards`,
  async () => {
    const keys = await createApps();
    const { token } = await createNodeToken(hub.context.database.db, {
      name: 'away',
      tenantId: hub.tenantId,
    });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...{ GATEWARDEN_NODE_TOKEN: token, GATEWAY_PORT: String(port), GATEWAY_DATA_DIR: dataDir },
      GATEWAY_HUB_URL: `http://127.0.0.1:${hubEnv.HUB_PORT}`,
      GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
      GATEWAY_SHUTDOWN_GRACE_MS: '1000',
    };
    let node = await startProgram(MAIN, ['run'], env);
    await awaitThat(
      'the node knows its apps',
      async () => (await ask(url, keys.open)).status === 200,
    );

    await followed.end('SIGTERM');
    await awaitThat(
      'the node misses its hub',
      async () => (await readMetric(url, 'gateway_configuration_current')) === 0,
    );
    const half = Math.ceil(REQUESTS / 2);
    const answered = await askMany(url, keys.open, half);
    expect(await readMetric(url, 'gateway_spool_rows')).toBeGreaterThanOrEqual(half);

    expect(await node.end('SIGTERM')).toBe(0);
    node = await startProgram(MAIN, ['run'], env);
    answered.push(...(await askMany(url, keys.open, REQUESTS - half)));
    await expectConfigurationInForce(url, keys);
    expect(await readMetric(url, 'gateway_spool_rows')).toBeGreaterThanOrEqual(REQUESTS);
    expect(await readMetric(url, 'gateway_spool_dropped_rows_total')).toBe(0);
    expect(spoolBytes()).toBeLessThan(REQUESTS * 10_000);

    await api.call('PATCH', '/apps/closed%20later', {
      ifMatch: keys.closedLaterVersion,
      body: { enabled: false },
    });
    expect((await ask(url, keys.closedLater)).status).toBe(200);
    followed = await startProgram(HUB_MAIN, ['serve'], hubEnv);
    await awaitThat(
      'the node follows the change of the hour',
      async () => (await ask(url, keys.closedLater)).status === 403,
    );
    await awaitThat('the hub has every row', async () => {
      const { rows } = await hub.context.database.pool.query<{ request_id: string }>(
        'SELECT request_id FROM llm_requests WHERE tenant_id = $1',
        [hub.tenantId],
      );
      const stored = new Set(rows.map(({ request_id }) => request_id));
      return answered.every((id) => stored.has(id));
    });
    expect(new Set(answered).size).toBe(REQUESTS);
    expect(await readMetric(url, 'gateway_rejected_rows_total')).toBe(0);
    expect(await node.end('SIGTERM')).toBe(0);
  },
  PATIENCE_MS,
);

interface Keys {
  open: string;
  guarded: string;
  limited: string;
  closedLater: string;
  closedLaterVersion: string;
}

async function createApps(): Promise<Keys> {
  const create = async (name: string, settings: object) => {
    const { body } = await api.call('POST', '/apps', {
      body: { name, provider_labels: ['main'], ...settings },
    });
    return { key: body.key.secret as string, version: body.app.version as string };
  };
  const detection = { enabled_categories: { pci: true }, category_actions: { pci: 'block' } };
  const rate_limit = { value: 1, duration: 'hour' };
  const closedLater = await create('closed later', {});
  return {
    open: (await create('open', {})).key,
    guarded: (await create('guarded', { detection })).key,
    limited: (await create('limited', { limits: { rate_limit } })).key,
    closedLater: closedLater.key,
    closedLaterVersion: closedLater.version,
  };
}

async function expectConfigurationInForce(url: string, keys: Keys): Promise<void> {
  expect((await ask(url, keys.guarded, `My card is ${CARD}.`)).status).toBe(403);
  expect((await ask(url, keys.guarded)).status).toBe(200);
  expect((await ask(url, keys.limited)).status).toBe(200);
  expect((await ask(url, keys.limited)).status).toBe(429);
  expect((await ask(url, 'gwk_unknown')).status).toBe(401);
}

async function ask(
  url: string,
  key: string,
  content = 'Hello',
): Promise<{ status: number; id: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') ?? '' };
}

/** Sends requests of several clients, and returns the ids of the answers. Every request is answered with 200. */
async function askMany(url: string, key: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left--;
      const { status, id } = await ask(url, key, QUESTION);
      expect(status).toBe(200);
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return ids;
}

async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

function spoolBytes(): number {
  const spool = join(dataDir, 'spool');
  return readdirSync(spool).reduce((sum, name) => sum + statSync(join(spool, name)).size, 0);
}
