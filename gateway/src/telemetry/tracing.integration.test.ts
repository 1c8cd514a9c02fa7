// A collector receives the spans of a request in the client's trace, and the provider gets the context of its attempt.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import { chatCompletion, type LlmUpstream, sendJson } from '../../../test/support/llm-upstream.ts';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const SERVER = 2;
const CLIENT = 3;
const received: ReceivedSpan[] = [];
const collector = createServer(async (request, response) => {
  const body = (await json(request)) as {
    resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
  };
  for (const { scopeSpans } of body.resourceSpans) {
    for (const { spans } of scopeSpans) received.push(...spans);
  }
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
// The exporter reads it itself.
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
afterAll(() => {
  collector.close();
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
});

let gateway: TestGateway;
let upstream: LlmUpstream;
useGateway(
  (started) => {
    ({ gateway, upstream } = started);
  },
  () => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }),
);

const attributesOf = (span: ReceivedSpan | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );

async function spansOf(traceId: string, count: number): Promise<ReceivedSpan[]> {
  const spans = () => received.filter((span) => span.traceId === traceId);
  await expect.poll(() => spans().length).toBe(count);
  return spans();
}

async function ask(traceId: string, models: string[] = ['gpt-test']) {
  const app = await gateway.makeApp({
    provider_settings: { api_key: 'sk-planted', base_url: upstream.url },
    selected_models: models,
    app:
      models.length === 1
        ? {}
        : {
            routing: {
              routing_groups: [
                {
                  ...{ group_name: 'smart', group_kind: 'chat_completion' },
                  models: models.map((model_name) => ({
                    ...{ provider_name: 'vendorA', model_name, weight: 50 },
                  })),
                },
              ],
            },
          },
  });
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${app.key}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({
      ...{ model: models.length === 1 ? models[0] : 'smart', max_tokens: 50 },
      messages: [{ role: 'user', content: 'planted-text' }],
    }),
  });
}

test('traces a request and its attempt with the attributes of GenAI, without texts', async () => {
  upstream.answerWith((_call, response) => sendJson(response, chatCompletion('planted-answer')));
  const traceId = 'a1'.repeat(16);
  const response = await ask(traceId);
  const spans = await spansOf(traceId, 2);
  const server = spans.find(({ kind }) => kind === SERVER);
  const client = spans.find(({ kind }) => kind === CLIENT);
  expect(server).toMatchObject({
    name: 'POST /v1/chat/completions',
    parentSpanId: '00f067aa0ba902b7',
  });
  expect(attributesOf(server)).toMatchObject({
    'http.response.status_code': 200,
    'gatewarden.request_id': response.headers.get('x-request-id'),
  });
  expect(client).toMatchObject({ name: 'chat gpt-test', parentSpanId: server?.spanId });
  expect(attributesOf(client)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-test',
    'gen_ai.request.max_tokens': 50,
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 7,
    'server.address': '127.0.0.1',
  });
  expect(upstream.calls[0]?.headers.traceparent).toBe(`00-${traceId}-${client?.spanId}-01`);
  expect(JSON.stringify(received)).not.toContain('planted');
});

test('records each attempt of a failover with its result', async () => {
  let calls = 0;
  upstream.answerWith((call, response) => {
    if (calls++ === 0) sendJson(response, { error: { message: 'busy' } }, 503);
    else sendJson(response, chatCompletion('fine', call.json.model));
  });
  const traceId = 'b2'.repeat(16);
  expect((await ask(traceId, ['m1', 'm2'])).status).toBe(200);
  const attempts = (await spansOf(traceId, 3)).filter(({ kind }) => kind === CLIENT);
  expect(attempts.map((span) => attributesOf(span)['error.type'])).toEqual(['503', undefined]);
});
