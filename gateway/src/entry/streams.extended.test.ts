// A thousand open streams take little memory, and end normally after their app was disabled.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  chatChunks,
  encodeEvent,
  type LlmUpstream,
  startLlmUpstream,
} from '../../../test/support/llm-upstream.ts';
import { makeProvider, manage } from '../../../test/support/management.ts';
import { freePort, type Program, startProgram } from '../../../test/support/programs.ts';
import { awaitThat } from '../../../test/support/waiting.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const STREAMS = 1_000;
const GROWTH_MAX_MIB = 250;
const REFUSED_WITHIN_MS = 2_000;
/** A tenth of the events of an answer, so that a stream is in its middle. */
const PIECES = chatChunks(Array.from({ length: 10 }, (_, i) => `piece ${i} `));

let hub: TestHub;
let upstream: LlmUpstream;
let node: Program;
let url: string;
const dataDir = mkdtempSync(join(tmpdir(), 'gw-streams-'));
/** Streams of the provider that have not ended. */
const open: ServerResponse[] = [];

beforeAll(async () => {
  hub = await sharedTestHub();
  upstream = await startLlmUpstream((_call, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of PIECES.slice(0, 5)) response.write(encodeEvent(event));
    open.push(response);
  });
  const { token } = await createNodeToken(hub.context.database.db, {
    name: 'streams',
    tenantId: hub.tenantId,
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  node = await startProgram(MAIN, ['run'], {
    ...{ GATEWARDEN_NODE_TOKEN: token, GATEWAY_HUB_URL: hub.url, GATEWAY_PORT: String(port) },
    ...{ GATEWAY_DATA_DIR: dataDir, GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' },
  });
});
afterAll(async () => {
  await node.end('SIGKILL');
  await upstream.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns the resident memory of the node in MiB. */
function readMemory(): number {
  const status = readFileSync(`/proc/${node.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

test(`carries ${STREAMS} open streams, and ends them normally after their app was disabled`, async () => {
  const api = await manage(hub);
  await makeProvider(api, 'streams', {
    provider_settings: { api_key: 'k', base_url: upstream.url },
  });
  const { app, key } = (
    await api.call('POST', '/apps', { body: { name: 'streams', provider_labels: ['streams'] } })
  ).body;
  const dispatcher = new Agent({ connections: STREAMS + 10, bodyTimeout: 0, headersTimeout: 0 });
  const ask = () =>
    request(`${url}/v1/chat/completions`, {
      ...{ method: 'POST', dispatcher },
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'm', stream: true },
        messages: [{ role: 'user', content: 'x' }],
      }),
    });
  await awaitThat('the node knows the app', async () => {
    const models = await fetch(`${url}/v1/models`, {
      headers: { authorization: `Bearer ${key.secret}` },
    });
    return models.ok;
  });
  const before = readMemory();
  const answers = await Promise.all(Array.from({ length: STREAMS }, ask));
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(open).toHaveLength(STREAMS);
  expect(readMemory() - before).toBeLessThan(GROWTH_MAX_MIB);

  await api.call('PATCH', '/apps/streams', { ifMatch: app.version, body: { enabled: false } });
  const disabledAt = performance.now();
  await expect
    .poll(
      async () => {
        const { statusCode, body } = await ask();
        // A stream that was still admitted ends with the test.
        if (statusCode === 200) body.on('error', () => undefined);
        else await body.dump();
        return statusCode;
      },
      { interval: 20 },
    )
    .toBe(403);
  expect(performance.now() - disabledAt).toBeLessThan(REFUSED_WITHIN_MS);

  const texts = answers.map(({ body }) => body.text());
  for (const response of open) {
    for (const event of PIECES.slice(5)) response.write(encodeEvent(event));
    response.end();
  }
  for (const text of await Promise.all(texts)) {
    expect(text).toContain('piece 9');
    expect(text).toContain('[DONE]');
  }
  await awaitThat('the hub has a row of each stream', async () => {
    const { rows } = await hub.context.database.pool.query<{ count: string }>(
      'SELECT count(*) FROM llm_requests WHERE tenant_id = $1 AND status_code = 200',
      [hub.tenantId],
    );
    return Number(rows[0]?.count) >= STREAMS;
  });
  await dispatcher.destroy();
});
