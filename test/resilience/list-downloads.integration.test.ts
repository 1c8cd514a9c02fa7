// The file of each downloadable list contains the same rows as its pages, and nothing of another tenant.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anActivity,
  anAlert,
  anEntity,
  anUnknownProcess,
} from '../support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine, minutesAgo } from '../support/logs.ts';

const HOSTILE = '=cmd|"x"\n\u202e,;';
const LISTS = [
  '/devices',
  '/discovered-apps',
  '/overrides',
  '/alerts',
  '/activity',
  '/unknown-processes',
  '/llm/requests',
  '/mcp/tool-calls',
  '/audit',
];

let hub: TestHub;
let empty: { tenantId: string; adminToken: string };
beforeAll(async () => {
  hub = await sharedTestHub();
  empty = await hub.newTenant('Empty');
  const post = (path: string, body: unknown) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body });
  for (const name of ['first', 'second', HOSTILE]) {
    const device = aDevice({ hostname: name });
    const app = anEntity(name, { kind: 'ai_tool', executables: [] });
    await post('discovered-apps', aBatch(device, [app]));
    await post('alerts', { device, alerts: [anAlert({ message: name }), anAlert()] });
    await post('activity', { device, events: [anActivity()] });
    await post('unknown-processes', {
      batch_id: randomUUID(),
      device,
      processes: [anUnknownProcess(name)],
    });
    const decision = await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: app.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        reason: name,
        scope: { kind: 'tenant' },
      },
    });
    expect(decision.status).toBe(201);
  }
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine(), aRequestLine({}, { app: { name: HOSTILE } })]);
  await node.send('mcp-tool-calls', [
    aToolCallLine(),
    aToolCallLine({}, { tool: { name: HOSTILE } }),
  ]);
});
afterAll(() => hub.stop());

/** All of a list by its pages. */
async function allOf(path: string, search = ''): Promise<object[]> {
  const items: object[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await hub.console('GET', `${path}?limit=2${search}${at}`);
    expect(status).toBe(200);
    items.push(...body.items);
    cursor = body.next_cursor;
  }
  return items;
}

/** Parses the rows of a CSV file; a quoted cell may contain line ends. */
const rowsOf = (csv: string) =>
  csv
    .trimEnd()
    .split(/\r\n(?=")/)
    .slice(1);

it.each(LISTS)('downloads the rows of %s', async (path) => {
  const items = await allOf(path);
  expect(items.length).toBeGreaterThan(1);
  const json = await hub.console('GET', `${path}/download?format=json`);
  expect(json.headers.get('content-type')).toContain('application/json');
  // The trail grows by what is downloaded of the logs.
  expect(json.body).toMatchObject(items);
  const csv = await hub.console('GET', `${path}/download?format=csv`);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
  expect(rowsOf(String(csv.body))).toHaveLength(items.length);
  expect(String(csv.body)).not.toMatch(/(^|[\r\n,])"?[=+\-@]cmd/);
  const { tenantId, adminToken: token } = empty;
  const other = await hub.console('GET', `${path}/download?format=json`, { tenantId, token });
  for (const item of items) expect(other.body).not.toContainEqual(item);
  expect((await hub.console('GET', `${path}/download?format=xml`)).status).toBe(400);
  expect((await hub.console('GET', `${path}/download`)).status).toBe(400);
  expect((await hub.console('GET', `${path}/download?format=csv&usr=x`)).status).toBe(400);
});

it('filters a file like its list', async () => {
  const device = (await allOf('/devices'))[0] as { device_id: string };
  for (const [path, search] of [
    ['/devices', '&query=two'],
    ['/alerts', `&device_id=${device.device_id}`],
    ['/activity', `&device_id=${device.device_id}`],
    ['/overrides', '&state=withdrawn'],
    ['/llm/requests', `&to=${minutesAgo(60)}`],
    ['/mcp/tool-calls', '&tool=nothing'],
  ] as const) {
    const all = await allOf(path);
    const some = await allOf(path, search);
    expect(some.length).toBeLessThan(all.length);
    const file = await hub.console('GET', `${path}/download?format=json${search}`);
    expect(file.body).toEqual(some.map((item) => expect.objectContaining(item)));
  }
});

it('downloads the software of a device, and audits the access', async () => {
  const [device] = (await allOf('/devices')) as { device_id: string; hostname: string }[];
  const path = `/devices/${device?.device_id}/entities`;
  const file = await hub.console('GET', `${path}/download?format=json`);
  expect(file.body).toEqual(await allOf(path));
  expect(file.body).toHaveLength(1);
  expect((await hub.console('GET', `${path}/download?format=json&query=nothing`)).body).toEqual([]);
  const trail = await hub.console('GET', `/audit?resource_id=${device?.device_id}`);
  expect(trail.body.items[0]).toMatchObject({ operation: 'device.view' });
  const nobodys = `/devices/${randomUUID()}/entities/download?format=csv`;
  expect((await hub.console('GET', nobodys)).status).toBe(404);
});

it('names the products and devices of overrides in the file', async () => {
  const file = await hub.console('GET', '/overrides/download?format=json');
  expect(file.body.map((app: { application_name: string }) => app.application_name)).toEqual(
    expect.arrayContaining(['first', 'second']),
  );
});

it('audits the download of logs with its filter', async () => {
  await hub.console('GET', '/llm/requests/download?format=csv&user=Ann@Example.com');
  const head = '/llm/requests/download?format=csv&user=nobody@example.com';
  expect((await hub.console('HEAD', head)).status).toBe(404);
  const trail = await hub.console('GET', '/audit?operation=log.download');
  expect(trail.body.items[0]).toMatchObject({
    resource: { kind: 'log', id: 'llm_requests' },
    detail: { format: 'csv', email: 'ann@example.com' },
  });
});

it('bounds a page of large events, and writes all events to the file', async () => {
  const { tenantId, adminToken: token } = await hub.newTenant('Large');
  const node = await aNode(hub, tenantId);
  const text = 'many words '.repeat(200_000);
  for (let n = 0; n < 4; n += 1) {
    const sent = await node.send('llm-requests', [
      aRequestLine(
        { id: `large-${n}`, timestamp: minutesAgo(n + 1) },
        { payload: { request_text: text } },
      ),
    ]);
    expect(sent.status).toBe(202);
  }
  const page = await hub.console('GET', '/llm/requests?limit=200', { tenantId, token });
  expect(page.body.items.length).toBeLessThan(4);
  expect(page.body.next_cursor).not.toBeNull();
  const path = '/llm/requests/download?format=csv';
  const file = await hub.console('GET', path, { tenantId, token });
  expect(rowsOf(String(file.body))).toHaveLength(4);
});
