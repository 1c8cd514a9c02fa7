// The management gate checks requests in a documented order, authenticates, and limits bodies and concurrent requests.
import { type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  call,
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import {
  ADMIN_PREFIX,
  admin,
  manage,
  RESOURCE_PREFIX,
  resource,
} from '../../../../../test/support/management.ts';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('opens for a tenant that opts in, and closes on suspension without revoking keys', async () => {
  const first = await admin(hub, 'GET', '/settings');
  expect(first.body.settings).toMatchObject({ enabled: false, version: '"1"' });
  const early = await admin(hub, 'POST', '/keys', { body: { name: 'x', scopes: ['read'] } });
  expect(early.body.error.code).toBe('management_disabled_for_tenant');
  const body = { enabled: true };
  expect((await admin(hub, 'PATCH', '/settings', { body })).status).toBe(428);
  const on = await admin(hub, 'PATCH', '/settings', {
    body,
    ifMatch: first.headers.get('etag') ?? '',
  });
  expect(on.body.settings).toMatchObject({ enabled: true, version: '"2"' });
  const stale = await admin(hub, 'PATCH', '/settings', { body, ifMatch: '"1"' });
  expect(stale.status).toBe(412);
  const key = await manage(hub);
  expect((await key.call('GET', '/apps')).status).toBe(200);
  await admin(hub, 'PATCH', '/settings', { body: { enabled: false }, ifMatch: '"2"' });
  expect((await key.call('GET', '/apps')).body.error.code).toBe('management_disabled_for_tenant');
  expect((await admin(hub, 'GET', '/keys')).body.items).toHaveLength(1);
  const [{ key_id, version }] = (await admin(hub, 'GET', '/keys')).body.items;
  const edit = await admin(hub, 'PATCH', `/keys/${key_id}`, {
    ifMatch: version,
    body: { name: 'y' },
  });
  expect(edit.body.error.code).toBe('management_disabled_for_tenant');
  const gone = await admin(hub, 'DELETE', `/keys/${key_id}`, { ifMatch: version });
  expect(gone.body.key).toMatchObject({ status: 'revoked', revoked_at: expect.any(Number) });
  expect((await admin(hub, 'DELETE', `/keys/${key_id}`, { ifMatch: '"77"' })).status).toBe(200);
  expect((await admin(hub, 'DELETE', `/keys/${key_id}`)).status).toBe(428);
  expect((await key.call('GET', '/apps')).body.error.code).toBe('invalid_management_key');
});

test('issues a management key with a secret once, edits it by version, and records its use', async () => {
  await manage(hub);
  const issued = await admin(hub, 'POST', '/keys', {
    key: 'issue-1',
    body: { name: ' CI ', scopes: ['read'], expires_at: '2999-01-01T00:00:00+01:00' },
  });
  expect(issued.status).toBe(201);
  const { key, secret } = issued.body;
  expect(secret).toMatch(/^gwm_\w{46}$/);
  expect(key).toMatchObject({ name: 'CI', scopes: ['read'], status: 'active', secret });
  expect(key.expires_at).toBe(Date.parse('2998-12-31T23:00:00Z') / 1000);
  const replay = await admin(hub, 'POST', '/keys', {
    key: 'issue-1',
    body: { name: ' CI ', scopes: ['read'], expires_at: '2999-01-01T00:00:00+01:00' },
  });
  expect(replay.body).toEqual(issued.body);
  const listed = await admin(hub, 'GET', '/keys');
  expect(JSON.stringify(listed.body)).not.toContain(secret);
  const write = await resource(hub, secret, 'POST', '/providers', { body: {} });
  expect(write.body.error).toMatchObject({
    code: 'insufficient_scope',
    message: expect.stringContaining('providers:write'),
  });
  const edited = await admin(hub, 'PATCH', `/keys/${key.key_id}`, {
    ifMatch: key.version,
    body: { scopes: ['read', 'providers:write'], expires_at: null },
  });
  expect(edited.body.key).toMatchObject({ expires_at: null, name: 'CI' });
  const now = await resource(hub, secret, 'POST', '/providers', { body: {} });
  expect(now.status).toBe(400);
  const past = await admin(hub, 'POST', '/keys', {
    body: { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' },
  });
  expect(past.body.error.message).toContain('/expires_at');
  const twice = await admin(hub, 'POST', '/keys', {
    body: { name: 'x', scopes: ['read', 'read'] },
  });
  expect(twice.status).toBe(400);
  const stored = async () => {
    const { items } = (await admin(hub, 'GET', '/keys')).body;
    return items.find((item: { key_id: string }) => item.key_id === key.key_id);
  };
  await expect
    .poll(stored)
    .toMatchObject({ last_used_from: '127.0.0.1', version: edited.body.key.version });
});

test('lets an administrator act for the tenants of the token, and only with the role', async () => {
  const other = await hub.newTenant('Other');
  const foreign = await admin(hub, 'GET', '/settings', { token: other.adminToken });
  const unknown = await call(`${hub.url}${ADMIN_PREFIX}/tenants/nobody/settings`, 'GET', {
    authorization: `Bearer ${other.adminToken}`,
  });
  expect([foreign.status, unknown.status]).toEqual([403, 403]);
  expect((await admin(hub, 'GET', '/nothing')).status).toBe(404);
  const viewer = await admin(hub, 'GET', '/settings', { token: await hub.tokenFor('Viewer') });
  expect(viewer.body.error.code).toBe('forbidden');
  const bad = await admin(hub, 'GET', '/settings', { token: 'a.b.c' });
  expect(bad.body.error.code).toBe('invalid_token');
  const { secret } = await manage(hub);
  expect((await admin(hub, 'GET', '/settings', { token: secret })).status).toBe(401);
  expect((await resource(hub, hub.adminToken, 'GET', '/apps')).status).toBe(401);
});

test.each([
  ['no key', undefined, 401, 'invalid_management_key'],
  ['another kind of key', 'Bearer gwa_x', 401, 'invalid_management_key'],
  ['no scheme', 'gwm_x', 401, 'invalid_management_key'],
])('rejects %s before reading the body', async (_what, authorization, status, code) => {
  const answer = await fetch(`${hub.url}${RESOURCE_PREFIX}/apps`, {
    method: 'POST',
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      'content-type': 'text/plain',
    },
    body: 'not json',
  });
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as { error: { code: string } }).error.code).toBe(code);
});

test('answers 400 to another content type, 413 to a large body, and accepts an empty body where the route allows it', async () => {
  const key = await manage(hub);
  const send = (path: string, init: RequestInit) =>
    fetch(`${hub.url}${RESOURCE_PREFIX}${path}`, {
      method: 'POST',
      ...init,
      headers: { authorization: `Bearer ${key.secret}`, 'idempotency-key': 'x', ...init.headers },
    });
  const typed = await send('/apps', { headers: { 'content-type': 'text/plain' }, body: '{}' });
  expect(typed.status).toBe(400);
  const untyped = await send('/apps', { headers: { 'content-type': ';;;' }, body: '{}' });
  expect(untyped.status).toBe(400);
  const large = await send('/apps', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }),
  });
  expect(large.status).toBe(413);
  const none = await send(`/operations/${crypto.randomUUID()}/recover`, {});
  expect(none.status).toBe(404);
  const empty = await send(`/operations/${crypto.randomUUID()}/recover`, {
    headers: { 'content-type': 'application/json' },
    body: '',
  });
  expect(empty.status).toBe(404);
});

test('treats an empty chunked body without a type as empty', async () => {
  const key = await manage(hub);
  const headers = { authorization: `Bearer ${key.secret}`, 'transfer-encoding': 'chunked' };
  const path = `/operations/${crypto.randomUUID()}/recover`;
  expect((await sent(path, '', headers)).status).toBe(404);
  expect((await sent(path, '{}', headers)).status).toBe(400);
});

/** Sends a POST that fetch cannot send. */
function sent(path: string, body: string, headers: OutgoingHttpHeaders) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(
      `${hub.url}${RESOURCE_PREFIX}${path}`,
      { method: 'POST', headers },
      async (answer) => resolve({ status: answer.statusCode, text: await text(answer) }),
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

test('answers 400 to a duplicate key in the body and to a duplicate Idempotency-Key', async () => {
  const key = await manage(hub);
  const send = (body: string, keys: string[]) =>
    sent('/apps', body, {
      authorization: `Bearer ${key.secret}`,
      'content-type': 'application/json',
      'idempotency-key': keys,
    });
  const twice = await send('{"name":"first","mode":"sdk","name":"last"}', ['a']);
  expect([twice.status, twice.text]).toEqual([
    400,
    expect.stringContaining('/name is a duplicate'),
  ]);
  const two = await send('{"name":"two keys","mode":"sdk"}', ['a', 'b']);
  expect([two.status, two.text]).toEqual([400, expect.stringContaining('/header/idempotency-key')]);
  const { body } = await key.call('GET', '/apps');
  expect(body.items).toEqual([]);
});

test('decodes paths once, and answers 400 to bad escapes and duplicate names, 404 to an empty name', async () => {
  const key = await manage(hub);
  const status = async (path: string) => (await key.call('GET', path)).status;
  expect(await status('/apps/a%2Fb')).toBe(404);
  expect(await status('/apps/%zz')).toBe(400);
  expect(await status('/app?app_name=%zz')).toBe(400);
  expect(await status('/app?app_name=a&app_name=b')).toBe(400);
  expect(await status('/app')).toBe(400);
  expect(await status('/app?app_name=')).toBe(404);
  expect(await status('/apps?limit=0')).toBe(400);
  expect(await status('/apps?limit=201')).toBe(400);
  expect(await status('/apps?what=1')).toBe(400);
  expect(await status('/apps?enabled=yes')).toBe(400);
  expect(await status('/apps?cursor=abc')).toBe(400);
  expect(await status('/nothing')).toBe(404);
});

test('admits 32 requests at once, and the next when a request has ended', async () => {
  const key = await manage(hub);
  const url = new URL(hub.url);
  const openSockets = new Set<Socket>();
  const sendIncompleteBody = () => {
    const socket = connect(Number(url.port), url.hostname);
    openSockets.add(socket);
    socket.write(
      `POST ${RESOURCE_PREFIX}/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    // The GET below may occupy the last slot: the server refuses this socket, and another takes over.
    socket.once('data', () => {
      socket.destroy();
      if (openSockets.delete(socket)) sendIncompleteBody();
    });
  };
  for (let i = 0; i < 32; i++) sendIncompleteBody();
  let refused = await key.call('GET', '/apps');
  while (refused.status === 200) refused = await key.call('GET', '/apps');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  for (const socket of openSockets) socket.destroy();
  openSockets.clear();
  let answer = refused;
  while (answer.status === 429) answer = await key.call('GET', '/apps');
  expect(answer.status).toBe(200);
});

test('answers a body that is incomplete after ten seconds with a 408 in JSON, and closes', async () => {
  const key = await manage(hub);
  const url = new URL(hub.url);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(
    `POST ${RESOURCE_PREFIX}/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  const response = Buffer.concat(parts).toString();
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response.toLowerCase()).toContain('connection: close');
  expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({
    error: { code: 'request_timeout' },
    request_id: expect.any(String),
  });
  expect((await key.call('GET', '/apps')).status).toBe(200);
}, 30_000);

test('answers an unauthenticated request once, whatever follows of its body', async () => {
  const url = new URL(hub.url);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(
    `POST ${RESOURCE_PREFIX}/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const parts: string[] = [];
  for await (const part of socket) {
    if (parts.length === 0) socket.write('no size of a chunk\r\n');
    parts.push(String(part));
  }
  expect(parts.join('').match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
});

test('answers "not central" on every path of such a hub, and 404 where management is off', async () => {
  const base = hubConfig(await cloneDatabase());
  const regional = await startTestHub({ ...base, role: 'regional' });
  const paths = [
    RESOURCE_PREFIX,
    `${RESOURCE_PREFIX}/apps`,
    `${RESOURCE_PREFIX}/x/y`,
    `${RESOURCE_PREFIX}/apps/%zz`,
    `${ADMIN_PREFIX}/tenants/x/keys`,
  ];
  try {
    for (const path of paths) {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await call(`${regional.url}${path}`, method, {});
        expect([answer.status, answer.body.error.code]).toEqual([503, 'central_service_required']);
      }
    }
  } finally {
    await regional.stop();
  }
  const off = await startTestHub({ ...base, managementApi: { enabled: false, isSet: true } });
  try {
    for (const path of paths) {
      expect((await call(`${off.url}${path}`, 'GET', {})).status).toBe(404);
    }
    expect((await off.console('GET', '/gateway/apps')).body.items).toEqual([]);
  } finally {
    await off.stop();
  }
});

test('serves the same routes in the console, by role', async () => {
  const label = {
    label: 'by a person',
    provider_name: 'vendorA',
    provider_settings: { api_key: 'k' },
  };
  const headers = { 'idempotency-key': 'person' };
  const made = await hub.console('POST', '/gateway/providers', { body: label, headers });
  expect(made.status).toBe(201);
  const viewer = await hub.tokenFor('Viewer');
  const read = await hub.console('GET', '/gateway/providers/by%20a%20person', { token: viewer });
  expect(read.status).toBe(200);
  const refused = await hub.console('POST', '/gateway/providers', {
    body: label,
    headers,
    token: viewer,
  });
  expect(refused.status).toBe(403);
});
