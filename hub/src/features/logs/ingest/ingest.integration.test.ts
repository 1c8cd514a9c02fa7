// Log batches of nodes are stored once, completely or not at all, and every malformed line is reported by number and
// pointer.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  aRequestLine,
  aToolCallLine,
  type LogNode,
  minutesAgo,
  sendRaw,
} from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { row } from '../../../platform/db/database.ts';

let hub: TestHub;
let node: LogNode;
beforeAll(async () => {
  hub = await startTestHub();
  node = await aNode(hub, hub.tenantId);
});
afterAll(() => hub.stop());

async function stored(): Promise<number> {
  const found = await row(
    hub.context.database.db,
    sql<{ n: number }>`SELECT (SELECT count(*) FROM llm_requests)
      + (SELECT count(*) FROM mcp_tool_calls) + (SELECT count(*) FROM llm_request_ids)
      + (SELECT count(*) FROM mcp_tool_call_ids) AS n`,
  );
  return found?.n ?? -1;
}

const good = () => JSON.stringify(aRequestLine());
const { request, ...withoutRequest } = aRequestLine();

describe('malformed line', () => {
  it.each([
    ['{', 'line 2: / is not valid JSON'],
    ['[]', 'line 2: /'],
    ['null', 'line 2: /'],
    ['5', 'line 2: /'],
    [JSON.stringify(withoutRequest), 'line 2: /request is required'],
    [JSON.stringify({ request, app: 5 }), 'line 2: /app'],
    [JSON.stringify({ request, app: {} }), 'line 2: /app/name is required'],
    [JSON.stringify({ request, app: { name: ' \t' } }), 'line 2: /app/name is required'],
    [JSON.stringify({ request, app: { key_id: randomUUID() } }), 'line 2: /app/name is required'],
    [JSON.stringify(aRequestLine({ id: '' })), 'line 2: /request/id'],
    [
      JSON.stringify(aRequestLine({ timestamp: 'now' })),
      'line 2: /request/timestamp must be a time with',
    ],
    [
      JSON.stringify(aRequestLine({ timestamp: '2026-02-30T00:00:00Z' })),
      'line 2: /request/timestamp',
    ],
    [
      JSON.stringify(aRequestLine({ timestamp: minutesAgo(-60 * 48) })),
      'line 2: /request/timestamp is in the future',
    ],
    [
      JSON.stringify(aRequestLine({ id: `sk-${'proj-'}A1b2C3d4E5f6G7h8I9` })),
      'line 2: /request/id must not look like a credential',
    ],
    [JSON.stringify(aRequestLine({}, { tokens: { request: -1 } })), 'line 2: /tokens/request'],
    [
      JSON.stringify(
        aRequestLine({}, { guardrails: { actions_and_categories: { block: ['pii'] } } }),
      ),
      'line 2: /guardrails/actions_and_categories/block',
    ],
    // The message lists all allowed values.
    [
      JSON.stringify(aRequestLine({}, { payload: { request_text: 5 } })),
      'line 2: /payload/request_text must be object, array, string or null',
    ],
    [
      JSON.stringify(aRequestLine({ status_code: '200' as never })),
      'line 2: /request/status_code must be integer or null',
    ],
    [
      JSON.stringify(aRequestLine({}, { payload: { hydration_status: 'gone' } })),
      'line 2: /payload/hydration_status must be complete or missing_prediction',
    ],
    // A name may contain a line break.
    ...[{ 'bl\nock': 5 }, { block: { 'p\nii': 5 } }].map((actions): [string, string] => [
      JSON.stringify(aRequestLine({}, { guardrails: { actions_and_categories: actions } })),
      'line 2: /guardrails/actions_and_categories/',
    ]),
    [
      JSON.stringify(aRequestLine({}, { tenant_id: randomUUID() })),
      'line 2: /tenant_id does not match the tenant of the token',
    ],
    [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'line 2: / is nested deeper'],
  ])('rejects %.60s', async (line, message) => {
    const before = await stored();
    const answer = await sendRaw(hub, node.token, 'llm-requests', `${good()}\n${line}\n${good()}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.message.startsWith(message)).toBe(true);
    expect(await stored()).toBe(before);
  });
});

it.each([{}, { name: ' ' }])('rejects a tool call of the backend %j', async (backend) => {
  const before = await stored();
  const answer = await node.send('mcp-tool-calls', [
    aToolCallLine(),
    aToolCallLine({}, { backend }),
  ]);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(answer.body.error.message).toMatch(/^line 2: \/backend\/name is required/);
  expect(await stored()).toBe(before);
});

it('replaces odd characters by U+FFFD', async () => {
  const line = JSON.stringify(aRequestLine({ id: 'odd' }, { payload: { response_text: 'A' } }));
  const odd = Buffer.concat([
    Buffer.from(line.replace('"A"', '"\\u0000 \\ud800 ')).subarray(0, -2),
    Buffer.from([0xff, 0x22, 0x7d, 0x7d]),
  ]);
  const answer = await sendRaw(hub, node.token, 'llm-requests', odd);
  expect(answer.status).toBe(202);
  const { body } = await hub.console('GET', '/llm/requests?request_id=odd');
  expect(body.items[0].event.payload.response_text).toBe('\ufffd \ufffd \ufffd');
});

describe('sizes and encodings', () => {
  it('accepts gzip, answers 400 to damaged gzip and 413 to a bomb', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    const body = gzipSync(`${good()}\r\n\n${good()}\n`);
    expect((await sendRaw(hub, node.token, 'llm-requests', body, gzip)).body.accepted).toBe(2);
    const cut = await sendRaw(hub, node.token, 'llm-requests', body.subarray(0, 60), gzip);
    expect(cut.body.error.code).toBe('invalid_gzip');
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    expect((await sendRaw(hub, node.token, 'llm-requests', bomb, gzip)).status).toBe(413);
  });

  it('accepts 1000 lines, rejects another line and an empty batch', async () => {
    const lines = (n: number) => Array.from({ length: n }, good).join('\n');
    expect((await sendRaw(hub, node.token, 'llm-requests', lines(1000))).body.accepted).toBe(1000);
    expect((await sendRaw(hub, node.token, 'llm-requests', lines(1001))).status).toBe(400);
    expect((await sendRaw(hub, node.token, 'llm-requests', '\n \n')).status).toBe(400);
    const nothing = await call(`${hub.url}/node/v1/logs/llm-requests`, 'POST', {
      authorization: `Bearer ${node.token}`,
    });
    expect(nothing).toMatchObject({ status: 400, body: { error: { message: '/ has no lines' } } });
  });

  it('accepts a line of 7 MiB, rejects a body above 8 MiB', async () => {
    const text = (mib: number) =>
      JSON.stringify(
        aRequestLine({}, { payload: { request_text: 'x'.repeat(mib * 1024 * 1024) } }),
      );
    expect((await sendRaw(hub, node.token, 'llm-requests', text(7))).status).toBe(202);
    const refused = await sendRaw(hub, node.token, 'llm-requests', text(9));
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'body_too_large' } } });
  });

  it('rejects a malformed first line before a large body is complete', async () => {
    const many = Array.from({ length: 900 }, () =>
      JSON.stringify(aRequestLine({}, { payload: { request_text: 'x'.repeat(8_000) } })),
    );
    for (const encode of [(text: string) => text, (text: string) => gzipSync(text)]) {
      const body = encode(`{\n${many.join('\n')}`);
      const headers = typeof body === 'string' ? {} : { 'content-encoding': 'gzip' };
      const answer = await sendRaw(hub, node.token, 'llm-requests', body, headers);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^line 1: /);
      // The connection goes on.
      expect((await sendRaw(hub, node.token, 'llm-requests', good())).status).toBe(202);
    }
  });
});

describe('sender of log lines', () => {
  it('answers 401 without a node token, also to agents', async () => {
    for (const token of ['', 'x', hub.agentToken]) {
      const answer = await sendRaw(hub, token, 'llm-requests', good());
      expect(answer).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_node_token' } },
      });
    }
  });

  it('requires a tenant per line from a node of all tenants', async () => {
    const everywhere = await aNode(hub, null);
    const other = await hub.newTenant('Other');
    const lines = [hub.tenantId, other.tenantId.toUpperCase()].map((tenant_id) =>
      aRequestLine({ id: 'shared' }, { tenant_id }),
    );
    expect((await everywhere.send('llm-requests', lines)).body).toMatchObject({ accepted: 2 });
    const nowhere = aRequestLine({}, { tenant_id: randomUUID() });
    expect((await everywhere.send('llm-requests', [...lines, nowhere])).body.error.message).toBe(
      'line 3: /tenant_id is not a tenant of this server',
    );
    const unsaid = await everywhere.send('llm-requests', [aRequestLine()]);
    expect(unsaid.body.error.message).toContain('line 1: /tenant_id is required');
  });
});

it('stores a batch once that is sent ten times simultaneously', async () => {
  const lines = Array.from({ length: 50 }, () => aRequestLine());
  const before = await stored();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      node.send('llm-requests', i % 2 === 0 ? lines : lines.toReversed()),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  const sum = (of: 'accepted' | 'duplicates') =>
    answers.reduce((total, { body }) => total + body[of], 0);
  expect([sum('accepted'), sum('duplicates')]).toEqual([50, 450]);
  // Each row, and its id.
  expect((await stored()) - before).toBe(100);
});

it('accepts and discards rows beyond the retention', async () => {
  const before = await stored();
  const answer = await node.send('llm-requests', [
    aRequestLine({ timestamp: minutesAgo(60 * 24 * 16) }),
  ]);
  expect(answer).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0 } });
  expect(await stored()).toBe(before);
});

it('rejects malformed tool calls', async () => {
  const bad = aToolCallLine({}, { event_id: 'no uuid' });
  const answer = await node.send('mcp-tool-calls', [aToolCallLine(), bad]);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toMatch(/^line 2: \/event_id/);
  const noTime = aToolCallLine({ completed_at: '2026-02-30T00:00:00Z' });
  const second = await node.send('mcp-tool-calls', [aToolCallLine(), noTime]);
  expect(second.status).toBe(400);
  expect(second.body.error.message).toBe('line 2: /request/completed_at is not a valid time');
});

it('records last use and address of a gateway key in a request', async () => {
  const api = await manage(hub);
  const made = await makeApp(api, 'app with a used key');
  const { key_id } = made.body.key;
  const line = (id: string, timestamp: string, client_ip: string) => ({
    ...aRequestLine({ id, timestamp }, { metadata: { client_ip } }),
    app: { name: 'app with a used key', key_id },
  });
  await node.send('llm-requests', [
    line('late', minutesAgo(5), '192.0.2.7'),
    line('early', minutesAgo(9), '192.0.2.1'),
  ]);
  await node.send('llm-requests', [line('older', minutesAgo(60), '192.0.2.9')]);
  const read = await api.call('GET', `/apps/app%20with%20a%20used%20key/keys/${key_id}`);
  expect(read.body.key).toMatchObject({
    last_used_from: '192.0.2.7',
    version: made.body.key.version,
  });
  expect(read.body.key.last_used_at * 1000).toBeCloseTo(Date.now() - 5 * 60_000, -5);
});

it('redacts apparent credentials beside a key and in errors of a line', async () => {
  const api = await manage(hub);
  const { key_id } = (await makeApp(api, 'app with an odd address')).body.key;
  const secret = `sk-${'proj-'}A1b2C3d4E5f6G7h8I9`;
  const line = {
    ...aRequestLine({ timestamp: minutesAgo(5) }, { metadata: { client_ip: secret } }),
    app: { name: 'app with an odd address', key_id },
  };
  expect((await node.send('llm-requests', [line])).status).toBe(202);
  const read = await api.call('GET', `/apps/app%20with%20an%20odd%20address/keys/${key_id}`);
  expect(read.body.key.last_used_from).toBe('[REDACTED_API_KEY]');
  const bad = { actions_and_categories: { block: { [secret]: 5 } } };
  const answer = await node.send('llm-requests', [aRequestLine({}, { guardrails: bad })]);
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain(
    '/guardrails/actions_and_categories/block/[REDACTED_API_KEY]',
  );
});

it.each(['', 'ndjson', 'text/', 'application/x-ndjson; charset', 'text/plain'])(
  'reads lines with any Content-Type: “%s”',
  async (type) => {
    const plain = await aNode(hub, hub.tenantId, 'plain');
    const body = JSON.stringify(aRequestLine());
    const answer = await sendRaw(hub, plain.token, 'llm-requests', body, { 'content-type': type });
    expect([answer.status, answer.body.accepted]).toEqual([202, 1]);
  },
);

it('counts rows by node that become late during the upload', async () => {
  const slow = await aNode(hub, hub.tenantId, 'slow');
  const due = Date.now() - 15 * 60_000 + 1_500;
  const line = JSON.stringify(aRequestLine({ timestamp: new Date(due).toISOString() }));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = fetch(`${hub.url}/node/v1/logs/llm-requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slow.token}`, 'content-type': 'application/x-ndjson' },
    body: readable,
    duplex: 'half',
  } as RequestInit);
  const body = writable.getWriter();
  await body.write(Buffer.from(line.slice(0, 20)));
  await expect.poll(() => Date.now() - due, { timeout: 10_000 }).toBeGreaterThan(15 * 60_000);
  await body.write(Buffer.from(line.slice(20)));
  await body.close();
  expect((await sent).status).toBe(202);
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toContain('gatewarden_late_log_rows_total{kind="llm_request",node="slow"} 1');
});
