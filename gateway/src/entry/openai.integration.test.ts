// The official OpenAI SDK through a gateway node, with a real hub and a double of the provider.
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { type TestApp, type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  encodeEvent,
  type LlmUpstream,
  sendEvents,
  sendJson,
} from '../../../test/support/llm-upstream.ts';

let gateway: TestGateway;
let upstream: LlmUpstream;
let app: TestApp;
let client: OpenAI;

useGateway(async (started) => {
  ({ gateway, upstream } = started);
  app = await gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream-secret', base_url: `${upstream.url}/v1` },
    selected_models: ['gpt-test', 'text-embedding-test'],
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: app.key, maxRetries: 0 });
});

const question = { model: 'gpt-test', messages: [{ role: 'user' as const, content: 'Hello?' }] };

test('completes a chat, and logs tokens, latencies and texts', async () => {
  upstream.answerWith((_call, response) => sendJson(response, chatCompletion('Hello!')));
  const { data, response } = await client.chat.completions
    .create({ ...question, max_completion_tokens: 50 })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe('Hello!');
  const [call] = upstream.calls;
  expect(call).toMatchObject({ method: 'POST', url: '/v1/chat/completions', json: question });
  expect(call?.headers.authorization).toBe('Bearer sk-upstream-secret');
  const row = await gateway.rowOf(response.headers.get('x-request-id') ?? '');
  expect(row).toMatchObject({
    app: { name: app.name },
    request: {
      ...{ endpoint: '/v1/chat/completions', model: 'gpt-test', provider: app.label },
      ...{ stream: false, status_code: 200, error_type: null },
    },
    tokens: { request: 11, response: 7, cache_read: 4, reasoning: 2, max_requested: 50 },
    payload: { hydration_status: 'complete', request_text: question },
    routing: { mode: 'direct' },
  });
  expect(row.latency_ms?.total).toBeGreaterThan(0);
});

test('logs the time of a streaming provider as time of the provider', async () => {
  const isRead = Promise.withResolvers<void>();
  upstream.answerWith(async (_call, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const [first, ...others] = chatChunks(['Hello!']).map(encodeEvent);
    response.write(first);
    await isRead.promise;
    response.end(others.join(''));
  });
  const { data, response } = await client.chat.completions
    .create({ ...question, stream: true })
    .withResponse();
  const chunks = data[Symbol.asyncIterator]();
  await chunks.next();
  const startedAt = performance.now();
  await expect.poll(() => performance.now() - startedAt, { interval: 20 }).toBeGreaterThan(300);
  isRead.resolve();
  while ((await chunks.next()).done !== true);
  const row = await gateway.rowOf(response.headers.get('x-request-id') ?? '');
  expect(row.latency_ms?.upstream).toBeGreaterThan(300);
});

test('streams a chat piece by piece', async () => {
  upstream.answerWith((_call, response) => sendEvents(response, chatChunks(['Hel', 'lo', '!'])));
  const { data, response } = await client.chat.completions
    .create({ ...question, stream: true })
    .withResponse();
  const pieces: string[] = [];
  for await (const chunk of data) pieces.push(chunk.choices[0]?.delta.content ?? '');
  expect(pieces.join('|')).toBe('|Hel|lo|!|');
  expect(await gateway.rowOf(response.headers.get('x-request-id') ?? '')).toMatchObject({
    request: { stream: true, status_code: 200 },
    payload: { response_text: 'Hello!' },
    telemetry: { processing_times: { tokens_estimated: true } },
  });
});
