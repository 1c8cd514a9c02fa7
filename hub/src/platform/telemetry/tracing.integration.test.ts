// A collector receives spans of a request and its statements in the client's trace, without values.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../test/support/hub.ts';
import { tracingOf } from '../config/tracing.ts';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const received: ReceivedSpan[] = [];
const services = new Set<string>();
const paths = new Set<string>();
const collector = createServer((request, response) => {
  paths.add(`${request.method} ${request.url} ${request.headers['x-key']}`);
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const attribute of resource.attributes) {
        if (attribute.key === 'service.name') services.add(attribute.value.stringValue);
      }
      for (const { spans } of scopeSpans) received.push(...spans);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

let hub: TestHub;
beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  // The exporter reads them itself.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-key=k1';
  const tracing = tracingOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), tracing });
});
afterAll(async () => {
  await hub.stop();
  collector.close();
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
});

const attribute = (span: ReceivedSpan, key: string) => {
  const value = span.attributes.find((item) => item.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};
const spansOf = (traceId: string) => received.filter((item) => item.traceId === traceId);

it("records a request as a span of the client's trace, with its statements below", async () => {
  const traceId = 'a1'.repeat(16);
  const answer = await hub.console('GET', '/devices?query=planted-word', {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  expect(answer.status).toBe(200);
  const serverSpan = () => spansOf(traceId).find(({ kind }) => kind === 2);
  await expect.poll(serverSpan).toBeDefined();
  await expect.poll(() => spansOf(traceId).length).toBeGreaterThan(1);
  const server = serverSpan();
  if (server === undefined) throw new Error('the request has no span');
  expect(server).toMatchObject({
    name: 'GET /console/api/v1/tenants/:tenant_id/devices',
    parentSpanId: '00f067aa0ba902b7',
  });
  expect(attribute(server, 'gatewarden.request_id')).toBe(answer.headers.get('x-request-id'));
  expect(attribute(server, 'http.response.status_code')).toBe(200);
  const statements = spansOf(traceId).filter((item) => item.kind === 3);
  expect(statements.length).toBeGreaterThan(0);
  for (const item of statements) expect(item.parentSpanId).toBe(server.spanId);
  expect(statements.map((item) => attribute(item, 'db.query.text')).join('\n')).toContain(
    // On a cluster nothing is searched for first.
    inject('postgres').isCitus ? 'FROM "devices"' : 'FROM (SELECT * FROM "devices"',
  );
  expect([...services]).toEqual(['gatewarden-hub']);
  expect([...paths]).toEqual(['POST /v1/traces k1']);
  const all = JSON.stringify(received);
  for (const value of ['planted-word', hub.tenantId, hub.adminToken]) {
    expect(all).not.toContain(value);
  }
});

it('leaves out unsampled requests, and starts a new trace for an invalid header', async () => {
  const silent = 'b2'.repeat(16);
  await hub.console('GET', '/devices', {
    headers: { traceparent: `00-${silent}-00f067aa0ba902b7-00` },
  });
  const before = received.length;
  await hub.console('GET', '/overrides', { headers: { traceparent: 'nonsense' } });
  await expect.poll(() => received.length).toBeGreaterThan(before);
  expect(spansOf(silent)).toEqual([]);
  const server = received.find((item) => item.name.endsWith('/overrides'));
  expect(server?.parentSpanId ?? '').toBe('');
});

it('answers alike whatever happens to the traces', async () => {
  collector.close();
  collector.closeAllConnections();
  for (let i = 0; i < 3; i += 1) expect((await hub.console('GET', '/devices')).status).toBe(200);
  expect((await hub.console('GET', '/devices?state=odd')).status).toBe(400);
});
