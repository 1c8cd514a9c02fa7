// Kills of the node and of its hub lose no row of a request that was answered with 200: rows are on disk before the answer
// ends, the next process of the node sends them, and a batch is repeated until the hub acknowledges it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  sendEvents,
  sendJson,
  startLlmUpstream,
} from '../../../test/support/llm-upstream.ts';
import { makeProvider, manage } from '../../../test/support/management.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../../../test/support/programs.ts';
import { awaitThat } from '../../../test/support/waiting.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const KILLS = Number(process.env.GATEWARDEN_KILLS ?? 50);
/** Each third kill ends the hub, and the node goes on. */
const HUB_KILLS_EACH = 3;
const CLIENTS = 8;
const PATIENCE_MS = Math.max(300_000, KILLS * 30_000);

let hub: TestHub;
let upstream: LlmUpstream;
let dataDir: string;
/** The hub that the node follows; it shares its database with the hub that the test asks. */
let doomed: Program;
let hubEnv: NodeJS.ProcessEnv;

beforeAll(async () => {
  hub = await startTestHub();
  const { databaseUrl, masterKey } = hub.config;
  hubEnv = {
    ...{ DATABASE_URL: databaseUrl ?? '', HUB_MASTER_KEY: (masterKey as { text: string }).text },
    ...{ HUB_PORT: String(await freePort()), BASE_URL: hub.url },
    HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
  };
  doomed = await startProgram(HUB_MAIN, ['serve'], hubEnv);
  upstream = await startLlmUpstream((call, response) => {
    if (call.json.stream === true) sendEvents(response, chatChunks(['a', 'b']));
    else sendJson(response, chatCompletion('ok'));
  });
  dataDir = mkdtempSync(join(tmpdir(), 'gw-kills-'));
});
afterAll(async () => {
  await upstream.stop();
  await doomed.end('SIGKILL');
  await hub.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test(
  `stores the row of every answered request over ${KILLS} kills of the node and the hub`,
  async () => {
    const key = await createApp();
    const { token } = await createNodeToken(hub.context.database.db, {
      name: 'killed',
      tenantId: hub.tenantId,
    });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...{
        GATEWARDEN_NODE_TOKEN: token,
        GATEWAY_HUB_URL: `http://127.0.0.1:${hubEnv.HUB_PORT}`,
        GATEWAY_PORT: String(port),
      },
      ...{ GATEWAY_DATA_DIR: dataDir, GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' },
    };
    const answered: string[] = [];
    let node = await startProgram(MAIN, ['run'], env);
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = answered.length + 5 + (kill % 10);
      const stop = new AbortController();
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        ask(url, key, { stream: i % 2 === 0, answered, signal: stop.signal }),
      );
      await awaitThat(
        'clients got answers',
        async () => answered.length >= enough,
        () => node.lines.join('\n'),
      );
      const isHub = kill % HUB_KILLS_EACH === HUB_KILLS_EACH - 1;
      await (isHub ? doomed : node).end('SIGKILL');
      stop.abort();
      await Promise.all(clients);
      if (isHub) doomed = await startProgram(HUB_MAIN, ['serve'], hubEnv);
      else node = await startProgram(MAIN, ['run'], env);
    }
    const stored = async () => {
      const { rows } = await hub.context.database.pool.query<{ request_id: string }>(
        'SELECT request_id FROM llm_requests WHERE tenant_id = $1',
        [hub.tenantId],
      );
      return new Set(rows.map(({ request_id }) => request_id));
    };
    await awaitThat('the hub has every row', async () => {
      const ids = await stored();
      return answered.every((id) => ids.has(id));
    });
    expect(answered.length).toBeGreaterThan(KILLS * 5);
    expect(await node.end('SIGTERM')).toBe(0);
  },
  PATIENCE_MS,
);

async function createApp(): Promise<string> {
  const api = await manage(hub);
  await makeProvider(api, 'killed', {
    provider_settings: { api_key: 'k', base_url: upstream.url },
  });
  const app = await api.call('POST', '/apps', {
    body: { name: 'killed', provider_labels: ['killed'] },
  });
  return app.body.key.secret;
}

interface Asking {
  stream: boolean;
  /** Ids of complete answers. */
  answered: string[];
  signal: AbortSignal;
}

/** Sends requests until the node or the test ends them, and collects the ids of complete answers. */
async function ask(url: string, key: string, { stream, answered, signal }: Asking): Promise<void> {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'x' }] }),
    signal,
  };
  try {
    for (;;) {
      const response = await fetch(`${url}/v1/chat/completions`, init);
      const text = await response.text();
      const isComplete = !stream || text.includes('[DONE]');
      if (response.status === 200 && isComplete) {
        answered.push(response.headers.get('x-request-id') ?? '');
      }
    }
  } catch {
    // The node was killed, or the test ended the request.
  }
}
