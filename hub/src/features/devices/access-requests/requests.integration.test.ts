// Users request exceptions on the page or with the agent, once and within limits; a granted exception takes effect.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
let reviewer: string;
beforeAll(async () => {
  hub = await startTestHub();
  reviewer = await hub.tokenFor('Reviewer');
});
afterAll(() => hub.stop());

const editor = anEntity('editor', { kind: 'application', source: 'desktop_entry' });
const WEEK = 7 * 86_400_000;
const inAWeek = () => new Date(Date.now() + WEEK).toISOString();

/** A device with a token of its own, enrolled for that person, with the editor on it. */
async function enrolled(subscriber = 'member@example.com') {
  const device = aDevice();
  const { body } = await deviceCall(hub, 'POST', '/ea/v1/enroll', {
    body: { device, subscriber_id: subscriber },
    headers: { 'x-subscriber-id': subscriber },
  });
  const post = (path: string, content: object, token: string = body.device_token) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, {
      body: { device, ...content },
      headers: { 'x-subscriber-id': subscriber, authorization: `Bearer ${token}` },
    });
  const held = async () =>
    (
      await deviceCall(hub, 'GET', '/ea/v1/sync/delta', {
        headers: {
          'x-subscriber-id': subscriber,
          'x-device-id': device.device_id,
          authorization: `Bearer ${body.device_token}`,
        },
      })
    ).body.overrides;
  await post('discovered-apps', aBatch(device, [editor]));
  return { device, post, held };
}

const own = async (method: string, body?: object, role: 'Member' | 'Viewer' = 'Member') =>
  hub.console(method, '/own/access-requests', {
    token: await hub.tokenFor(role),
    ...(body === undefined ? {} : { body }),
  });
const review = (method: string, path: string, body?: object, version?: string) =>
  hub.console(method, `/access-requests${path}`, {
    token: reviewer,
    ...(body === undefined ? {} : { body }),
    ...(version === undefined ? {} : { headers: { 'if-match': version } }),
  });
const decline = (waiting: { access_request_id: string; version: string }) =>
  review('POST', `/${waiting.access_request_id}/decline`, { reason: 'No' }, waiting.version);
const openOf = async (deviceId: string) =>
  (await review('GET', `?state=open&device_id=${deviceId}`)).body.items;
const block = async () =>
  (
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: editor.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
      },
    })
  ).body.override;

test('grants a request for a week, delivers it to the device and shows it to the user', async () => {
  const { device, held } = await enrolled();
  const blocking = await block();
  const asked = await own('POST', {
    device_id: device.device_id,
    entity_id: editor.entity_id,
    reason: '  For the quarterly report ',
  });
  expect(asked.status).toBe(201);
  expect(asked.body.access_request).toMatchObject({
    state: 'open',
    application_name: 'editor',
    reason: 'For the quarterly report',
    asked: 1,
  });
  const overview = await hub.console('GET', '/overview');
  expect(overview.body.review.access_requests).toBe(1);
  const [waiting] = await openOf(device.device_id);
  const listedFor = async (user: string) =>
    (await review('GET', `?subscriber_id=${user}`)).body.items.length;
  expect([await listedFor('Member@example.com'), await listedFor('a@example.com')]).toEqual([1, 0]);
  expect(waiting).toMatchObject({
    subscriber_id: 'member@example.com',
    via: 'console',
    exception: {
      policy: 'block',
      override_id: blocking.override_id,
      match: { entity_id: editor.entity_id },
    },
  });
  const expiresAt = inAWeek();
  const granted = await review(
    'POST',
    `/${waiting.access_request_id}/grant`,
    { match: waiting.exception.match, expires_at: expiresAt, reason: 'Until the report is done' },
    waiting.version,
  );
  expect(granted.status).toBe(200);
  const [mine] = (await own('GET')).body.items;
  expect(mine).toMatchObject({
    state: 'granted',
    decided_by: 'reviewer@example.com',
    answer: 'Until the report is done',
    ends_at: expiresAt,
  });
  expect(await held()).toContainEqual(
    expect.objectContaining({
      override_id: mine.override_id,
      scope_kind: 'device',
      execution_policy: 'allow',
      expires_at: expiresAt,
    }),
  );
  const { rows } = await hub.context.database.pool.query<{ operation: string; request_id: string }>(
    `SELECT operation, request_id FROM audit_events WHERE tenant_id = $1
     AND resource ->> 'id' IN ($2, $3) ORDER BY at, operation`,
    [hub.tenantId, mine.access_request_id, mine.override_id],
  );
  expect(rows.map((row) => row.operation).sort()).toEqual([
    'access_request.create',
    'access_request.grant',
    'override.create',
  ]);
  expect(new Set(rows.map((row) => row.request_id)).size).toBe(2);
});

test('declines with a reason once, and rejects a second answer', async () => {
  const { device } = await enrolled();
  await own('POST', { device_id: device.device_id, entity_id: editor.entity_id, reason: 'Please' });
  const [waiting] = await openOf(device.device_id);
  const at = `/${waiting.access_request_id}`;
  const nothing = await review('POST', `${at}/decline`, { reason: ' ' }, waiting.version);
  expect([nothing.status, nothing.body.error.message]).toEqual([
    400,
    '/reason must be 1 to 2000 characters that say why',
  ]);
  expect((await review('POST', `${at}/decline`, { reason: 'No' })).status).toBe(428);
  const both = await Promise.all(
    ['No', 'Never'].map((reason) => review('POST', `${at}/decline`, { reason }, waiting.version)),
  );
  expect(both.map((item) => item.status).sort()).toEqual([200, 412]);
  expect((await own('GET')).body.items[0]).toMatchObject({ state: 'declined' });
});

test('repeats an answer whose response was lost without a second change', async () => {
  const { device, held } = await enrolled();
  await block();
  const ask = () =>
    own('POST', { device_id: device.device_id, entity_id: editor.entity_id, reason: 'Please' });
  const made = async () =>
    (
      await hub.context.database.pool.query<{ operation: string }>(
        `SELECT operation FROM audit_events WHERE tenant_id = $1
         AND detail ->> 'device_id' = $2 AND operation LIKE 'access_request.%' ORDER BY at`,
        [hub.tenantId, device.device_id],
      )
    ).rows.map((row) => row.operation);

  await ask();
  const [first] = await openOf(device.device_id);
  const no = () =>
    review('POST', `/${first.access_request_id}/decline`, { reason: ' No ' }, first.version);
  const declined = await no();
  const toldAgain = await no();
  expect(toldAgain.status).toBe(200);
  expect(toldAgain.body.access_request).toEqual(declined.body.access_request);

  await ask();
  const [waiting] = await openOf(device.device_id);
  const body = { match: waiting.exception.match, expires_at: inAWeek(), reason: 'Until then' };
  const grant = (changes: object, version = waiting.version) =>
    review('POST', `/${waiting.access_request_id}/grant`, { ...body, ...changes }, version);
  const granted = await grant({});
  const again = await grant({});
  expect([granted.status, again.status]).toEqual([200, 200]);
  expect(again.body.access_request).toEqual(granted.body.access_request);
  const exceptions = (await held()).filter(
    (row: { scope_kind: string }) => row.scope_kind === 'device',
  );
  expect(exceptions).toHaveLength(1);
  expect(await made()).toEqual([
    'access_request.create',
    'access_request.decline',
    'access_request.create',
    'access_request.grant',
  ]);

  const others = [
    await grant({ reason: 'Something else' }),
    await grant({ expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
    await grant({}, granted.body.access_request.version),
    await no().then(() => review('POST', `/${first.access_request_id}/grant`, body, first.version)),
  ];
  expect(others.map((item) => item.status)).toEqual([412, 412, 412, 412]);
});

test('grants nothing when the effective override changed since the preview', async () => {
  const { device, held } = await enrolled();
  await own('POST', { device_id: device.device_id, entity_id: editor.entity_id, reason: 'Please' });
  const [waiting] = await openOf(device.device_id);
  await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: editor.entity_id, version_below: '9' },
      approval_status: 'blocked',
      execution_policy: 'block',
      scope: { kind: 'device', device_id: device.device_id },
    },
  });
  const body = { match: waiting.exception.match, expires_at: inAWeek() };
  const late = await review('POST', `/${waiting.access_request_id}/grant`, body, waiting.version);
  expect(late.status).toBe(412);
  const [again] = await openOf(device.device_id);
  expect(again.exception.match).toEqual({
    entity_id: editor.entity_id,
    version_below: '9',
    platform: 'linux',
  });
  expect((await held()).filter((item: { reason: string }) => item.reason === 'x')).toEqual([]);
});

test('rejects a request about a device or a product of another user', async () => {
  const { device, post } = await enrolled();
  const { activity_id: activityId } = anActivity();
  await post('activity', { events: [anActivity({ activity_id: activityId })] });
  const ask = (over: object, role: 'Member' | 'Viewer' = 'Member') =>
    own('POST', { device_id: device.device_id, reason: 'Please', ...over }, role);
  expect((await ask({ entity_id: editor.entity_id }, 'Viewer')).status).toBe(404);
  expect((await ask({ entity_id: anEntity('absent').entity_id })).status).toBe(404);
  expect((await ask({ activity_id: randomUUID() })).status).toBe(404);
  expect((await ask({})).body.error.message).toBe('/ requires either entity_id or activity_id');
  const stopped = await ask({ activity_id: activityId });
  expect(stopped.body.access_request).toMatchObject({ process_name: 'demo', entity_id: null });
  expect((await own('GET', undefined, 'Viewer')).body.items).toEqual([]);
  const asMember = await hub.console('GET', '/access-requests', {
    token: await hub.tokenFor('Member'),
  });
  expect(asMember.status).toBe(403);
});

describe('request by an agent', () => {
  const aRequest = (over: object = {}) => ({
    access_request_id: randomUUID(),
    asked_at: new Date().toISOString(),
    entity_id: editor.entity_id,
    reason: 'From the tray',
    ...over,
  });

  test('creates a request once, also when it is requested anew', async () => {
    const { device, post } = await enrolled();
    const request = aRequest();
    const unknown = aRequest({ entity_id: anEntity('absent').entity_id });
    const first = await post('access-requests', { requests: [request, unknown] });
    expect(first.status).toBe(202);
    expect(first.body.accepted).toEqual([request.access_request_id]);
    expect(first.body.refused).toMatchObject([{ access_request_id: unknown.access_request_id }]);
    await post('access-requests', { requests: [request] });
    expect(await openOf(device.device_id)).toMatchObject([{ asked: 1, via: 'agent' }]);
    await post('access-requests', { requests: [aRequest({ reason: 'Really' })] });
    const [waiting] = await openOf(device.device_id);
    expect(waiting).toMatchObject({ asked: 2, reason: 'Really' });
    await decline(waiting);
    // A repetition that arrives before the answer creates no second request.
    await post('access-requests', { requests: [request] });
    expect(await openOf(device.device_id)).toEqual([]);
  });

  test('creates a separate request for a copied data folder with the same id', async () => {
    const [copied, copy] = [await enrolled(), await enrolled('copier@example.com')];
    const batch = { requests: [aRequest()] };
    for (const { device, post } of [copied, copy]) {
      for (let times = 0; times < 2; times++) {
        expect((await post('access-requests', batch)).body.accepted).toHaveLength(1);
        expect(await openOf(device.device_id)).toMatchObject([{ asked: 1 }]);
      }
    }
    await copy.post('access-requests', { requests: [aRequest()] });
    await copy.post('access-requests', batch);
    expect(await openOf(copy.device.device_id)).toMatchObject([{ asked: 2 }]);
  });

  test('counts each request once in a replayed batch with duplicates', async () => {
    const { device, post } = await enrolled();
    const batch = { requests: [aRequest(), aRequest({ reason: 'Really' })] };
    await post('access-requests', batch);
    await post('access-requests', batch);
    const [waiting] = await openOf(device.device_id);
    expect(waiting).toMatchObject({ asked: 2, reason: 'Really' });
    await decline(waiting);
    const late = await post('access-requests', batch);
    expect(late.body.accepted).toHaveLength(2);
    expect(await openOf(device.device_id)).toEqual([]);
  });

  test("requires the agent's own token", async () => {
    const { post } = await enrolled();
    const shared = await post('access-requests', { requests: [aRequest()] }, hub.agentToken);
    expect([shared.status, shared.body.error.code]).toEqual([403, 'device_token_required']);
    const fresh = aDevice();
    const unbound = await deviceCall(hub, 'POST', '/ea/v1/sync/access-requests', {
      body: { device: fresh, requests: [aRequest()] },
    });
    expect(unbound.status).toBe(403);
  });

  test('counts requests of an agent against the limit of its user', async () => {
    const who = 'viewer@example.com';
    const { device, post } = await enrolled(who);
    const many = Array.from({ length: 21 }, (_, i) =>
      aRequest({ entity_id: null, process_name: `tool-${i}` }),
    );
    const sent = await post('access-requests', { requests: many });
    expect([sent.body.accepted.length, sent.body.refused.length]).toEqual([20, 1]);
    const body = { device_id: device.device_id, entity_id: editor.entity_id, reason: 'x' };
    const page = await own('POST', body, 'Viewer');
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '3600']);
  });
});

test('closes requests of a retired or moved device, and deletes those of an erased user', async () => {
  const who = 'leaver@example.com';
  const { device, post } = await enrolled(who);
  const request = {
    access_request_id: randomUUID(),
    asked_at: new Date().toISOString(),
    process_name: 'game',
    reason: 'secret-of-the-leaver',
  };
  await post('access-requests', { requests: [request] });
  await hub.console('POST', `/devices/${device.device_id}/move`, {
    body: { subscriber_id: 'heir@example.com' },
  });
  expect((await review('GET', `?device_id=${device.device_id}`)).body.items).toMatchObject([
    { state: 'withdrawn', exception: null },
  ]);
  expect((await hub.console('POST', `/people/${who}/erase`, { body: {} })).status).toBe(200);
  expect((await review('GET', `?device_id=${device.device_id}`)).body.items).toEqual([]);
  const { rows } = await hub.context.database.pool.query(
    'SELECT 1 FROM audit_events WHERE tenant_id = $1 AND strpos(detail::text, $2) > 0',
    [hub.tenantId, who],
  );
  expect(rows).toEqual([]);
});
