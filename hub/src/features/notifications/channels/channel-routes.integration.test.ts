// Notification channels are created, changed and deleted by administrators: permissions, validation, and secrets.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import {
  type HttpSink,
  openHttpSink,
  openSmtpSink,
  reaching,
  type SmtpSink,
} from '../../../../../test/support/sinks.ts';

let sink: HttpSink;
let smtp: SmtpSink;
let hub: TestHub;
let closed: TestHub;
beforeAll(async () => {
  sink = await openHttpSink();
  smtp = await openSmtpSink();
  hub = await startTestHub(reaching(hubConfig(await cloneDatabase()), smtp));
  closed = await startTestHub();
});
afterAll(async () => {
  await hub?.stop();
  await closed?.stop();
  await sink?.close();
  await smtp?.close();
});

const PATH = '/services/T0/B0/very-secret-path';
const aWebhook = (over: object = {}) => ({
  kind: 'webhook',
  name: 'Security',
  url: `${sink.url}${PATH}`,
  ...over,
});
const create = async (body: object) => (await hub.console('POST', '/alert-routes', { body })).body;
const ifMatch = (version: string) => ({ 'if-match': version });

describe('notification channel', () => {
  it('creates, lists, returns, changes and deletes a channel, each write with an audit event', async () => {
    const { route, secret } = await create(aWebhook());
    expect(route).toMatchObject({
      kind: 'webhook',
      name: 'Security',
      url_hint: sink.url,
      to: null,
      min_severity: 'low',
      group_id: null,
      enabled: true,
      health: { state: 'untried' },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const listed = await hub.console('GET', '/alert-routes');
    expect(listed.body.items).toContainEqual(route);
    const path = `/alert-routes/${route.route_id}`;
    const read = await hub.console('GET', path);
    expect(read.body.route).toEqual(route);
    expect(read.headers.get('etag')).toBe(route.version);

    const body = { name: 'Night shift', min_severity: 'critical', enabled: false };
    const changed = await hub.console('PATCH', path, { body, headers: ifMatch(route.version) });
    expect(changed.body.route).toMatchObject({ ...body, version: '"2"', url_hint: sink.url });
    const same = await hub.console('PATCH', path, { body, headers: ifMatch('"2"') });
    expect(same.body.route.version).toBe('"2"');
    expect(
      (await hub.console('PATCH', path, { body, headers: ifMatch(route.version) })).status,
    ).toBe(412);
    expect((await hub.console('PATCH', path, { body })).status).toBe(428);
    expect((await hub.console('DELETE', path)).status).toBe(428);
    const deleted = await hub.console('DELETE', path, { headers: ifMatch('"2"') });
    expect(deleted.body).toMatchObject({ route_id: route.route_id, deleted: true });
    expect((await hub.console('GET', path)).status).toBe(404);
    expect(await operations(route.route_id)).toEqual([
      'alert_route.create',
      'alert_route.update',
      'alert_route.delete',
    ]);
  });

  it('repeats a rotation whose response was lost, and keeps the secret that receivers still use', async () => {
    const { route } = await create(aWebhook());
    const path = `/alert-routes/${route.route_id}`;
    const rotation_id = randomUUID();
    const rotate = (version: string, id: string = rotation_id) =>
      hub.console('POST', `${path}/rotate-secret`, {
        body: { rotation_id: id },
        headers: ifMatch(version),
      });
    const first = await rotate('"1"');
    expect(first).toMatchObject({ status: 200, body: { route: { version: '"2"' } } });
    const sealed = async () =>
      (
        await hub.context.database.pool.query(
          'SELECT secret_sealed, previous_secret_sealed FROM notification_channels WHERE channel_id = $1',
          [route.route_id],
        )
      ).rows;
    const before = await sealed();
    for (const version of ['"1"', '"2"']) {
      const again = await rotate(version, rotation_id.toUpperCase());
      expect(again).toMatchObject({ status: 200, body: { secret: first.body.secret } });
      expect(again.body.route).toEqual(first.body.route);
    }
    expect(await sealed()).toEqual(before);
    expect((await rotate('"7"')).status).toBe(412);
    expect((await rotate('"1"', randomUUID())).status).toBe(412);
    expect(
      (await hub.console('POST', `${path}/rotate-secret`, { body: { rotation_id } })).status,
    ).toBe(428);
    const other = await rotate('"2"', randomUUID());
    expect(other.status).toBe(200);
    expect(other.body.secret).not.toBe(first.body.secret);
    // The first secret is no longer the current secret.
    expect((await rotate('"1"')).status).toBe(412);
    expect(await operations(route.route_id)).toEqual([
      ...['alert_route.create', 'alert_route.rotate_secret', 'alert_route.rotate_secret'],
    ]);
    const third = await rotate('"3"', rotation_id);
    await hub.context.database.pool.query(
      "UPDATE notification_channels SET updated_at = now() - interval '25 hours' WHERE channel_id = $1",
      [route.route_id],
    );
    const late = await rotate('"4"', rotation_id);
    expect(late.body.secret).not.toBe(third.body.secret);
  });

  it('reveals no URL or secret in responses, audit events and the database', async () => {
    const { route, secret } = await create(aWebhook());
    const path = `/alert-routes/${route.route_id}`;
    const rotated = await hub.console('POST', `${path}/rotate-secret`, {
      body: {},
      headers: ifMatch(route.version),
    });
    expect(rotated.body.secret).not.toBe(secret);
    expect(rotated.body.route.previous_secret_until).not.toBeNull();
    await hub.console('PATCH', path, {
      body: { url: `${sink.url}${PATH}-2` },
      headers: ifMatch(rotated.body.route.version),
    });
    const { pool } = hub.context.database;
    const stored = JSON.stringify([
      (await hub.console('GET', path)).body,
      (await hub.console('GET', '/alert-routes')).body,
      (await pool.query('SELECT * FROM audit_events')).rows,
      (await pool.query('SELECT * FROM notification_channels')).rows,
    ]);
    for (const hidden of ['very-secret-path', secret, rotated.body.secret]) {
      expect(stored).not.toContain(hidden);
    }
    const audited = await pool.query(
      "SELECT detail FROM audit_events WHERE resource ->> 'id' = $1 AND detail ? 'url_changed'",
      [route.route_id],
    );
    expect(audited.rows).toHaveLength(1);
  });

  it('cannot decrypt secrets that were moved to another row', async () => {
    const [item, other] = [(await create(aWebhook())).route, (await create(aWebhook())).route];
    const { pool } = hub.context.database;
    await pool.query(
      `UPDATE notification_channels o SET url_sealed = r.url_sealed FROM notification_channels r
       WHERE o.tenant_id = $3 AND o.channel_id = $2 AND r.tenant_id = $3 AND r.channel_id = $1`,
      [item.route_id, other.route_id, hub.tenantId],
    );
    await hub.console('POST', `/alert-routes/${other.route_id}/test`);
    const list = () => hub.console('GET', `/alert-routes/${other.route_id}/deliveries`);
    await expect
      .poll(async () => (await list()).body.items[0].last_error, { timeout: 5_000 })
      .toBe("not sent: the stored secret can't be decrypted");
    expect(sink.at(PATH)).toEqual([]);
  });

  it('lets Viewers read and only Admins write', async () => {
    const { route } = await create(aWebhook());
    const path = `/alert-routes/${route.route_id}`;
    const headers = ifMatch(route.version);
    for (const role of ['Viewer', 'Reviewer'] as const) {
      const token = await hub.tokenFor(role);
      expect((await hub.console('GET', path, { token })).status).toBe(200);
      expect((await hub.console('GET', `${path}/deliveries`, { token })).status).toBe(200);
      const writes = [
        hub.console('POST', '/alert-routes', { token, body: aWebhook() }),
        hub.console('PATCH', path, { token, headers, body: { name: 'x' } }),
        hub.console('POST', `${path}/test`, { token }),
        hub.console('POST', `${path}/rotate-secret`, { token, headers, body: {} }),
        hub.console('DELETE', path, { token, headers }),
      ];
      for (const write of writes) expect((await write).status).toBe(403);
    }
  });

  it('answers 404 for a channel of another tenant', async () => {
    const { route } = await create(aWebhook());
    const other = await hub.newTenant('Other');
    const as = { tenantId: other.tenantId, token: other.adminToken };
    const headers = ifMatch(route.version);
    const path = `/alert-routes/${route.route_id}`;
    expect((await hub.console('GET', '/alert-routes', as)).body.items).toEqual([]);
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/test`],
      ['DELETE', path],
    ] as const) {
      expect((await hub.console(method, at, { ...as, headers })).status).toBe(404);
    }
    expect((await hub.console('GET', path)).status).toBe(200);
  });
});

describe('invalid notification channel', () => {
  it.each([
    ['https://127.0.0.1/x', 'url_not_allowed'],
    ['https://0x7f.1/x', 'url_not_allowed'],
    ['https://2130706433/x', 'url_not_allowed'],
    ['https://[::ffff:127.0.0.1]/x', 'url_not_allowed'],
    ['https://169.254.169.254/latest', 'url_not_allowed'],
    ['http://hooks.example.com/x', 'url_not_allowed'],
    ['https://user:pw@hooks.example.com/x', 'url_not_allowed'],
    ['javascript:alert(1)', 'url_not_allowed'],
    ['hooks.example.com', 'url_not_allowed'],
    ['', 'invalid_request'],
  ])('rejects a webhook to %s with %s, without repeating the URL', async (url, code) => {
    const answer = await closed.console('POST', '/alert-routes', {
      body: { kind: 'chat', name: 'x', url },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(code);
    expect(answer.body.error.message).toMatch(/^\/url /);
    expect(answer.body.error.message).not.toContain('pw');
  });

  it('rejects the hub itself where its own network is allowed', async () => {
    const answer = await hub.console('POST', '/alert-routes', {
      body: aWebhook({ url: `${hub.url}/healthz` }),
    });
    expect(answer.body.error.code).toBe('url_not_allowed');
  });

  it('rejects e-mail without a mail server, with a clear message', async () => {
    const answer = await closed.console('POST', '/alert-routes', {
      body: { kind: 'email', name: 'x', to: ['a@example.com'] },
    });
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({
      code: 'mail_not_configured',
      message: expect.stringContaining('HUB_SMTP_URL'),
    });
  });

  it.each([
    [{ kind: 'pager', name: 'x' }, '/kind must be one of: webhook, chat, email'],
    [{ kind: 'webhook', name: 'x' }, '/url is required'],
    [{ kind: 'email', name: 'x', to: ['nobody'] }, '/to/0 must be an e-mail address'],
    [{ kind: 'email', name: 'x', to: ['a@b\r\nBcc: c@d'] }, '/to/0 must be an e-mail address'],
    [{ kind: 'email', name: 'x', to: [] }, '/to must NOT have fewer than 1 items'],
    [{ kind: 'email', name: 'x', to: ['a@b.c'], url: 'https://x' }, '/url is not a field'],
    [{ kind: 'chat', name: ' ', url: 'https://x.example' }, '/name must be 1 to 120'],
    [{ kind: 'chat', name: 'x', url: 'https://x.example', min_severity: 'bad' }, '/min_severity'],
  ])('rejects %j: %s', async (body, message) => {
    const answer = await hub.console('POST', '/alert-routes', { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
  });

  it('rejects a field of another kind in a change, and a new secret for a channel without secrets', async () => {
    const { route } = await create({ kind: 'email', name: 'x', to: ['a@example.com'] });
    const path = `/alert-routes/${route.route_id}`;
    const headers = ifMatch(route.version);
    const url = await hub.console('PATCH', path, { headers, body: { url: 'https://x.example' } });
    expect(url.body.error.message).toMatch(/^\/url /);
    const secret = await hub.console('POST', `${path}/rotate-secret`, { headers, body: {} });
    expect(secret.status).toBe(400);
    const unknown = await hub.console('GET', `/alert-routes/${randomUUID()}`);
    expect(unknown.status).toBe(404);
  });
});

async function operations(channelId: string): Promise<string[]> {
  const events = await hub.context.database.pool.query<{ operation: string }>(
    "SELECT operation FROM audit_events WHERE resource ->> 'id' = $1 ORDER BY at",
    [channelId],
  );
  return events.rows.map((row) => row.operation);
}
