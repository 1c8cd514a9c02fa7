// A killed node loses no row of a request that it answered with 200: rows are on disk before the answer ends, and the next
// process sends them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  sendEvents,
  sendJson,
  startLlmUpstream,
} from '../../../test/support/llm-upstream.ts';
import { makeProvider, manage } from '../../../test/support/management.ts';
import { freePort, type Program, startProgram } from '../../../test/support/programs.ts';
import { awaitThat } from '../../../test/support/waiting.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const KILLS = 6;
const CLIENTS = 8;

let hub: TestHub;
let upstream: LlmUpstream;
let dataDir: string;

beforeAll(async () => {
  hub = await sharedTestHub();
  upstream = await startLlmUpstream((call, response) => {
    if (call.json.stream === true) sendEvents(response, chatChunks(['a', 'b']));
    else sendJson(response, chatCompletion('ok'));
  });
  dataDir = mkdtempSync(join(tmpdir(), 'gw-kills-'));
});
afterAll(async () => {
  await upstream.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test(`stores the row of every answered request over ${KILLS} kills of the node`, async () => {
  const key = await createApp();
  const { token } = await createNodeToken(hub.context.database.db, {
    name: 'killed',
    tenantId: hub.tenantId,
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ GATEWARDEN_NODE_TOKEN: token, GATEWAY_HUB_URL: hub.url, GATEWAY_PORT: String(port) },
    ...{ GATEWAY_DATA_DIR: dataDir, GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' },
  };
  const answered: string[] = [];
  let node: Program | null = null;
  for (let kill = 0; kill < KILLS; kill++) {
    node = await startProgram(MAIN, ['run'], env);
    const enough = answered.length + 10 + kill;
    const clients = Array.from({ length: CLIENTS }, (_, i) => ask(url, key, i % 2 === 0, answered));
    await awaitThat(
      'clients got answers',
      async () => answered.length >= enough,
      () => String(node?.lines.join('\n')),
    );
    await node.end('SIGKILL');
    await Promise.all(clients);
  }
  node = await startProgram(MAIN, ['run'], env);
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
  expect(answered.length).toBeGreaterThan(KILLS * 10);
  expect(await node.end('SIGTERM')).toBe(0);
});

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

/** Sends requests until the node ends, and collects the ids of complete answers. */
async function ask(url: string, key: string, stream: boolean, answered: string[]): Promise<void> {
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'x' }] }),
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
    // The node was killed.
  }
}
