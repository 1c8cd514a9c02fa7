// A call has a server span and a client span by the semantic conventions for MCP, and its backend continues the trace.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '@gatewarden/hub/src/platform/config/config.ts';
import { tracingOf } from '@gatewarden/hub/src/platform/config/tracing.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import { aPerson, aToken } from '../../../../../test/support/mcp-client.ts';
import { modern, send } from '../../../../../test/support/mcp-messages.ts';
import {
  aModernServer,
  anOldServer,
  type Running,
} from '../../../../../test/support/mcp-servers.ts';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const SERVER = 2;
const CLIENT = 3;

const received: ReceivedSpan[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const { spans } of scopeSpans) received.push(...spans);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

let hub: TestHub;
let token: string;
let modernServer: Running;
let oldServer: Running;
const backendIds: Record<string, string> = {};

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  // The exporter reads this variable from the environment.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  const tracing = tracingOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({
    ...hubConfig(await cloneDatabase()),
    allowedPrivateNetworks,
    tracing,
  });
  token = await aToken(hub, (await aPerson(hub)).email, { prefix: '/gwone' });
  modernServer = await aModernServer();
  oldServer = await anOldServer({
    'tools/list': () => ({ tools: [] }),
    'tools/call': ({ name }) => ({
      content: [{ type: 'text', text: 'planted-result' }],
      isError: name === 'fail',
    }),
  });
  for (const [slug, { url }] of [
    ['modern', modernServer],
    ['old', oldServer],
  ] as const) {
    const body = { slug, name: slug, url, auth: { kind: 'none' } };
    const { backend } = (await hub.console('POST', '/mcp/backends', { body })).body;
    backendIds[slug] = backend.id;
  }
});
afterAll(async () => {
  await hub.stop();
  await Promise.all([modernServer.close(), oldServer.close()]);
  collector.close();
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
});

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );

async function callTool(name: string, traceId: string): Promise<void> {
  const { headers, body } = modern({
    id: `call ${name}`,
    method: 'tools/call',
    params: {
      name,
      arguments: { note: 'planted-argument' },
      _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, baggage: 'team=blue' },
    },
  });
  expect((await send(hub, token, body, headers)).status).toBe(200);
}

async function callSpans(traceId: string): Promise<{ server: ReceivedSpan; client: ReceivedSpan }> {
  const find = (kind: number) =>
    received.find((span) => span.traceId === traceId && span.kind === kind && isCall(span));
  await expect.poll(() => find(SERVER)).toBeDefined();
  await expect.poll(() => find(CLIENT)).toBeDefined();
  return { server: find(SERVER) as ReceivedSpan, client: find(CLIENT) as ReceivedSpan };
}

const isCall = ({ name }: ReceivedSpan) => name.startsWith('tools/call');

function lastCall({ requests }: Running) {
  const call = requests.findLast(({ body }) => body.includes('"tools/call"'));
  if (call === undefined) throw new Error('The server received no call.');
  return { headers: call.headers, meta: JSON.parse(call.body).params._meta };
}

test('continues the trace of the client at a modern server, in the header and in _meta', async () => {
  const traceId = 'c1'.repeat(16);
  await callTool('modern__greet', traceId);
  const { server, client } = await callSpans(traceId);
  expect(server).toMatchObject({
    name: 'tools/call modern__greet',
    parentSpanId: '00f067aa0ba902b7',
  });
  expect(attributesOf(server)).toMatchObject({
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': '2026-07-28',
    'jsonrpc.request.id': 'call modern__greet',
    'gen_ai.tool.name': 'modern__greet',
    'gen_ai.operation.name': 'execute_tool',
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
  });
  expect(client).toMatchObject({ name: 'tools/call greet', parentSpanId: server.spanId });
  expect(attributesOf(client)).toMatchObject({
    'gen_ai.tool.name': 'greet',
    'gatewarden.mcp.backend_id': backendIds.modern,
  });
  const { headers, meta } = lastCall(modernServer);
  const traceparent = `00-${traceId}-${client.spanId}-01`;
  expect(headers.traceparent).toBe(traceparent);
  expect(meta).toMatchObject({ traceparent, baggage: 'team=blue' });
});

test('marks a failed tool as an error, and continues the trace at a legacy server', async () => {
  const traceId = 'd2'.repeat(16);
  await callTool('old__fail', traceId);
  const { server, client } = await callSpans(traceId);
  for (const span of [server, client]) {
    expect(span.status.code).toBe(2);
    expect(attributesOf(span)['error.type']).toBe('tool_error');
  }
  const { headers, meta } = lastCall(oldServer);
  const traceparent = `00-${traceId}-${client.spanId}-01`;
  expect(headers.traceparent).toBe(traceparent);
  expect(meta.traceparent).toBe(traceparent);
});

test('names the code of a refused call, and sends nothing to a backend', async () => {
  const traceId = 'e3'.repeat(16);
  await callTool('nowhere__say', traceId);
  const find = () => received.find((span) => span.traceId === traceId && isCall(span));
  await expect.poll(find).toBeDefined();
  expect(attributesOf(find() as ReceivedSpan)).toMatchObject({
    'error.type': '-32602',
    'rpc.response.status_code': '-32602',
  });
  const calls = received.filter((span) => span.traceId === traceId && isCall(span));
  expect(calls.map(({ kind }) => kind)).toEqual([SERVER]);
});

test('exports no arguments, results and tokens', async () => {
  const exported = JSON.stringify(received);
  for (const value of ['planted-argument', 'planted-result', token, modernServer.url]) {
    expect(exported).not.toContain(value);
  }
});

test('counts calls by backend and tool, and tools without a success as other', async () => {
  await callTool('old__never-listed', 'f4'.repeat(16));
  await callTool('old__fail', 'f5'.repeat(16));
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  const count = (labels: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`gatewarden_mcp_tool_calls_total{${labels}}`))
        ?.split(' ')
        .at(-1),
    );
  const { modern: modernId, old: oldId } = backendIds;
  expect(count(`backend="${modernId}",tool="greet",outcome="answered"`)).toBe(1);
  expect(count(`backend="${oldId}",tool="never-listed",outcome="answered"`)).toBe(1);
  expect(count(`backend="${oldId}",tool="other",outcome="tool_error"`)).toBe(2);
  expect(text).toContain(
    `gatewarden_mcp_tool_call_duration_seconds_count{backend="${modernId}",tool="greet"} 1`,
  );
});
