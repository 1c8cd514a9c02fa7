// The console lists logs, finds them by known facts, sums up their cost, and erases them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  aRequestLine,
  aToolCallLine,
  type LogNode,
  minutesAgo,
} from '../../../../../test/support/logs.ts';
import { type Management, makeApp, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;
let node: LogNode;
beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  await makeApp(api, 'logged');
  node = await aNode(hub, hub.tenantId);
});
afterAll(() => hub.stop());

const idsOf = (body: { items: { request_id: string }[] }) =>
  body.items.map((item) => item.request_id);

it('finds requests by id, user, conversation, app and block reason, newest first', async () => {
  await node.send('llm-requests', [
    aRequestLine(
      { id: 'first', timestamp: minutesAgo(3) },
      { metadata: { user_email: 'Ann@Example.com' } },
    ),
    aRequestLine(
      { id: 'two', timestamp: minutesAgo(2) },
      {
        metadata: { conversation_id: 'c-2' },
        guardrails: { is_blocked: true, actions_and_categories: { block: { pii: ['email'] } } },
      },
    ),
    aRequestLine({ id: 'three', timestamp: minutesAgo(1) }, { app: { name: 'ghost' } }),
  ]);
  const list = async (query: string) => (await hub.console('GET', `/llm/requests${query}`)).body;
  expect(idsOf(await list(''))).toEqual(['three', 'two', 'first']);
  expect(idsOf(await list('?request_id=first'))).toEqual(['first']);
  expect(idsOf(await list('?user=ann@example.com'))).toEqual(['first']);
  expect(idsOf(await list('?conversation_id=c-2'))).toEqual(['two']);
  expect(idsOf(await list('?app=LOGGED'))).toEqual(['two', 'first']);
  const blocked = await list('?blocked=true');
  expect(blocked.items).toMatchObject([
    {
      request_id: 'two',
      reasons: [{ action: 'block', category: 'pii', subcategories: ['email'] }],
    },
  ]);
  expect((await list('?app=ghost')).items[0].app).toEqual({
    id: null,
    name: 'ghost',
    known: false,
  });
  const first = await list('?limit=2');
  expect(first.total).toBe(3);
  expect(idsOf(await list(`?limit=2&cursor=${first.next_cursor}`))).toEqual(['first']);
  const oldest = await list('?limit=2&sort=time');
  expect(idsOf(oldest)).toEqual(['first', 'two']);
  expect(idsOf(await list(`?limit=2&sort=time&cursor=${oldest.next_cursor}`))).toEqual(['three']);
  const path = `/llm/requests?limit=2&cursor=${oldest.next_cursor}`;
  expect((await hub.console('GET', path)).body.error.code).toBe('invalid_cursor');
  expect((await list('?blocked=true')).total).toBe(1);
});

it('orders tool calls by time both ways, also those of the same moment', async () => {
  const tenant = await hub.newTenant('Ordered calls');
  const sender = await aNode(hub, tenant.tenantId);
  const started_at = minutesAgo(5);
  await sender.send(
    'mcp-tool-calls',
    ['a', 'b', 'c'].map((id) => aToolCallLine({ id, started_at })),
  );
  const read = async (query: string) => {
    const as = { tenantId: tenant.tenantId, token: tenant.adminToken };
    return (await hub.console('GET', `/mcp/tool-calls?limit=2${query}`, as)).body;
  };
  const walk = async (sort: string) => {
    const first = await read(`&sort=${sort}`);
    const rest = await read(`&sort=${sort}&cursor=${first.next_cursor}`);
    expect([first.total, rest.next_cursor]).toEqual([3, null]);
    return [...first.items, ...rest.items].map(({ log_id }: { log_id: number }) => log_id);
  };
  const newest = await walk('-time');
  expect(new Set(newest).size).toBe(3);
  expect(await walk('time')).toEqual(newest.toReversed());
});

it('finds requests and calls by time, server, provider and failure', async () => {
  const { tenantId, adminToken } = await hub.newTenant('Found');
  const other = await aNode(hub, tenantId);
  const at = (minutes: number) => minutesAgo(60 - minutes);
  const [early, middle, late] = [at(0), at(20), at(40)];
  await other.send('llm-requests', [
    aRequestLine({ id: 'refused', timestamp: early, status_code: 404, provider: 'vendorA' }),
    aRequestLine({ id: 'cut off', timestamp: middle, error_type: 'reset' }),
    aRequestLine(
      { id: 'stopped', timestamp: late, status_code: 403 },
      { guardrails: { is_blocked: true } },
    ),
    aRequestLine({ id: 'good', timestamp: late, status_code: 200 }),
  ]);
  const call = (id: string, started_at: string, success: boolean, name: string) =>
    aToolCallLine({ id, started_at }, { backend: { name }, response: { success } });
  await other.send('mcp-tool-calls', [
    call('a', early, true, 'Größe'),
    call('b', middle, false, 'weather'),
    call('c', late, true, 'weather'),
  ]);
  const list = async (path: string, query: Record<string, string>) => {
    const asked = `${path}?${new URLSearchParams(query)}`;
    const { status, body } = await hub.console('GET', asked, { tenantId, token: adminToken });
    return status === 200 ? idsOf(body).sort() : status;
  };
  const requests = (query: Record<string, string>) => list('/llm/requests', query);
  expect(await requests({ from: middle, to: late })).toEqual(['cut off']);
  expect(await requests({ from: late })).toEqual(['good', 'stopped']);
  expect(await requests({ to: middle })).toEqual(['refused']);
  expect(await requests({ failed: 'true' })).toEqual(['cut off', 'refused']);
  expect(await requests({ failed: 'false' })).toEqual(['good', 'stopped']);
  expect(await requests({ provider: 'vendorA' })).toEqual(['refused']);
  expect(await requests({ from: '2026-02-30T00:00:00Z' })).toBe(400);
  const calls = (query: Record<string, string>) => list('/mcp/tool-calls', query);
  expect(await calls({ from: middle, to: late })).toEqual(['b']);
  expect(await calls({ backend: ' GRÖSSE '.replace('SS', 'ß') })).toEqual(['a']);
  expect(await calls({ failed: 'true' })).toEqual(['b']);
  expect(await calls({ failed: 'false' })).toEqual(['a', 'c']);
});

it('finds an app by its name in any case, known or not', async () => {
  await makeApp(api, 'Münster İstanbul');
  await node.send('llm-requests', [
    aRequestLine({ id: 'known' }, { app: { name: 'münster i\u0307stanbul' } }),
    aRequestLine({ id: 'not known' }, { app: { name: 'Gêister' } }),
  ]);
  const found = async (app: string) =>
    idsOf((await hub.console('GET', `/llm/requests?app=${encodeURIComponent(app)}`)).body);
  const written = (name: string) => [name, ` ${name} `, name.normalize('NFD'), name.toLowerCase()];
  for (const app of written('Münster İstanbul')) expect(await found(app)).toEqual(['known']);
  for (const app of written('Gêister')) expect(await found(app)).toEqual(['not known']);
  expect(await found('Munster')).toEqual([]);
});

it('sums up cost and use by day, app, user and model, as JSON and CSV', async () => {
  await api.call('POST', '/providers', {
    body: {
      label: 'priced',
      provider_name: 'vendorC',
      provider_settings: { api_key: 'a key' },
      selected_models: ['big'],
      model_costs: { big: { input_per_1m: 2, output_per_1m: 10, cache_per_1m: 0.5 } },
    },
  });
  const tenant = hub.tenantId;
  const line = (more: object) =>
    aRequestLine(
      { provider: 'priced', model: 'big', timestamp: minutesAgo(1) },
      { tokens: { request: 1_000_000, response: 100_000, cache_read: 400_000 }, ...more },
    );
  await node.send('llm-requests', [line({}), line({}), line({ app: { name: '=cmd()' } })]);
  const { body } = await hub.console('GET', '/llm/usage?by=app,model');
  const row = body.items.find(
    (item: { app: string; model: string }) => item.app === 'logged' && item.model === 'big',
  );
  expect(row).toMatchObject({ requests: 2, tokens_request: 2_000_000, without_price: 0 });
  // 600 000 fresh at 2, 400 000 from the cache at 0.5, 100 000 out at 10, each for a million.
  expect(row.cost_usd).toBeCloseTo(2 * 2.4);
  expect(body.totals.requests).toBeGreaterThanOrEqual(3);
  const csv = await fetch(
    `${hub.url}/console/api/v1/tenants/${tenant}/llm/usage?by=app&format=csv`,
    {
      headers: { authorization: `Bearer ${hub.adminToken}` },
    },
  );
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(await csv.text()).toContain(`"'=cmd()",1,`);
  expect((await hub.console('GET', '/llm/usage?from=2026-13-01')).status).toBe(400);
});

it.each([
  '/llm/usage?from=9999-12-31&to=9999-12-31',
  '/llm/usage?to=9999-12-31',
  '/llm/metrics?end_time=9999-12-31T23:59:59-23:59',
])('accepts a time beyond all calendars: %s', async (path) => {
  expect((await hub.console('GET', path)).status).toBe(200);
});

it.each([
  '/llm/requests',
  '/llm/requests/download?format=json',
  '/llm/usage',
  '/llm/metrics',
  '/mcp/tool-calls',
  '/mcp/tool-calls/download?format=csv',
  '/log-export-keys',
])('rejects an unknown parameter at %s, which would otherwise return all rows', async (path) => {
  const query = path.includes('?') ? '&usr=a@example.com' : '?usr=a@example.com';
  const { status, body } = await hub.console('GET', `${path}${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  expect(body.error.message).toContain('usr');
  expect((await hub.console('GET', path)).status).toBe(200);
});

it('limits sums to the largest exact number', async () => {
  const tokens = { request: Number.MAX_SAFE_INTEGER, response: Number.MAX_SAFE_INTEGER };
  const many = () =>
    Array.from({ length: 600 }, () => aRequestLine({}, { app: { name: 'greedy' }, tokens }));
  for (let i = 0; i < 2; i++) await node.send('llm-requests', many());
  const { status, body } = await hub.console('GET', '/llm/usage?by=app');
  expect(status).toBe(200);
  expect(body.totals.tokens_request).toBe(Number.MAX_SAFE_INTEGER);
  expect(body.items.find((item: { app: string }) => item.app === 'greedy')).toMatchObject({
    requests: 1200,
    tokens_response: Number.MAX_SAFE_INTEGER,
  });
});

it('rejects a CSV that would be truncated, and marks truncated JSON', async () => {
  const tenant = await hub.newTenant('Many');
  const asked = { tenantId: tenant.tenantId, token: tenant.adminToken };
  await hub.context.database.pool.query(
    `INSERT INTO llm_requests (tenant_id, at, request_id, app_name, is_failed, is_blocked,
       is_anonymized, findings, tokens_cache_read, received_at, redaction_version, event_bytes, event)
     SELECT $1, now(), i, 'app ' || i, false, false, false, 0, 0, now(), 1000, 2, '{}'
     FROM generate_series(1, 10001) i`,
    [tenant.tenantId],
  );
  const csv = await hub.console('GET', '/llm/usage?by=app&format=csv', asked);
  expect(csv).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  const json = await hub.console('GET', '/llm/usage?by=app', asked);
  expect(json.body.is_cut).toBe(true);
  expect(json.body.items).toHaveLength(10_000);
});

it('stores no payloads where the tenant disables them, and shortens the retention', async () => {
  const before = await hub.console('GET', '/log-settings');
  const body = { store_payloads: false, retention_days: 2 };
  expect((await hub.console('PUT', '/log-settings', { body })).status).toBe(428);
  const headers = { 'if-match': before.body.settings.version };
  const changed = await hub.console('PUT', '/log-settings', { body, headers });
  expect(changed.body.settings).toMatchObject(body);
  expect((await hub.console('PUT', '/log-settings', { body, headers })).status).toBe(412);
  await node.send('llm-requests', [
    aRequestLine(
      { id: 'bare', timestamp: minutesAgo(1) },
      { payload: { request_text: 'secret plan' } },
    ),
  ]);
  const { body: list } = await hub.console('GET', '/llm/requests?request_id=bare');
  expect(list.items[0].event.payload).toEqual({
    hydration_status: 'missing_prediction',
    request_text: null,
    response_text: null,
  });
});

it('stores and finds names longer than an index allows', async () => {
  // Characters of three bytes in random order, which cannot be compressed.
  const long = (first: string) =>
    first +
    String.fromCodePoint(
      ...Array.from({ length: 980 }, (_, i) => 0x4e00 + ((i * i * 7919) % 20_000)),
    );
  const [user, conversation] = [long('user '), long('conversation ')];
  const wide = `a${'\u{1f600}'.repeat(1_000)}`;
  const sent = await node.send('llm-requests', [
    aRequestLine({ id: 'long' }, { metadata: { user_email: user, conversation_id: conversation } }),
    aRequestLine({ id: 'wide' }, { metadata: { extra_data: { conversation_id: wide } } }),
  ]);
  expect([sent.status, sent.body.accepted]).toEqual([202, 2]);
  const found = async (query: string) => (await hub.console('GET', `/llm/requests?${query}`)).body;
  for (const query of [
    `user=${encodeURIComponent(user)}`,
    `conversation_id=${encodeURIComponent(conversation)}`,
  ]) {
    const { items } = await found(query);
    expect(items).toMatchObject([
      { event: { metadata: { user_email: user, conversation_id: conversation } } },
    ]);
  }
  const { items } = await found('request_id=wide');
  expect(items[0].event.metadata.conversation_id.isWellFormed()).toBe(true);
});

it("erases a user's rows, in whatever field they are named", async () => {
  await node.send('llm-requests', [
    aRequestLine({ id: 'e1' }, { metadata: { user_email: 'Gone@Example.com' } }),
    aRequestLine(
      { id: 'e2' },
      { metadata: { user_email: 'x@example.com', extra_data: { user_email: 'gone@example.com' } } },
    ),
    aRequestLine({ id: 'e3' }, { metadata: { user_email: 'stays@example.com' } }),
  ]);
  await node.send('mcp-tool-calls', [
    aToolCallLine({}, { metadata: { user_email: 'gone@example.com' } }),
  ]);
  const erased = await hub.console('POST', '/people/gone@example.com/erase');
  expect(erased).toMatchObject({ status: 200, body: { devices: 0, log_rows: 3 } });
  const { body } = await hub.console('GET', '/llm/requests');
  expect(idsOf(body)).toContain('e3');
  expect(idsOf(body)).not.toContain('e1');
  expect((await hub.console('POST', '/people/gone@example.com/erase')).status).toBe(404);
});

it('finds tool calls by tool and user', async () => {
  await node.send('mcp-tool-calls', [
    aToolCallLine({}, { tool: { name: 'forecast' }, metadata: { user_email: 'ann@example.com' } }),
  ]);
  const { body } = await hub.console('GET', '/mcp/tool-calls?tool=forecast&user=ANN@example.com');
  expect(body.items).toMatchObject([
    { tool: 'forecast', backend: { name: 'weather', known: false } },
  ]);
});
