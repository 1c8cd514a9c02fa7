// An alert of a device reaches its recipients signed and once, and is retried until it arrives.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anAlert } from '../../../../../test/support/builders.ts';
import {
  type ChannelBench,
  openChannelBench,
  SOON,
} from '../../../../../test/support/channel-bench.ts';
import { deviceCall } from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';

let { hub, sink, smtp, device, create, webhook, raise, deliveries, channelAt, becomes } =
  {} as ChannelBench;
let bench: ChannelBench;
beforeAll(async () => {
  bench = await openChannelBench();
  ({ hub, sink, smtp, device, create, webhook, raise, deliveries, channelAt, becomes } = bench);
});
afterEach(() => bench.reset());
afterAll(() => bench?.close());

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

describe('webhook', () => {
  it("signs a delivery that the receiver's library accepts only with the secret", async () => {
    const { path, secret } = await webhook('/signed');
    const alert = await raise({ application_name: 'Snake' });
    await becomes(path, { state: 'delivered', attempts: 1, last_status: 204, last_error: null });
    const [got] = sink.at('/signed');
    const headers = got?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(got?.raw ?? '', headers)).toMatchObject({
      type: 'alert.raised',
      data: {
        tenant_id: hub.tenantId,
        alert: {
          alert_id: alert.alert_id,
          device_id: device.device_id,
          hostname: device.hostname,
          application_name: 'Snake',
          severity: 'high',
        },
        console_url: `${hub.url}/console/t/${hub.tenantId}/activity/alerts?alert=${alert.alert_id}.${device.device_id}`,
      },
    });
    const [delivery] = await deliveries(path);
    expect(headers['webhook-id']).toBe(`msg_${delivery.delivery_id}`);
    const other = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(() => other.verify(got?.raw ?? '', headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${got?.raw} `, headers)).toThrow();
  });

  it('signs with both secrets during a rotation', async () => {
    const { path, secret } = await webhook('/rotated');
    const headers = { 'if-match': '"1"' };
    const turned = await hub.console('POST', `${path}/rotate-secret`, { headers, body: {} });
    await raise();
    await becomes(path, { state: 'delivered' });
    const [got] = sink.at('/rotated');
    for (const item of [secret, turned.body.secret]) {
      new Webhook(item).verify(got?.raw ?? '', got?.headers as Record<string, string>);
    }
    const ended = await hub.console('POST', `${path}/rotate-secret`, {
      headers: { 'if-match': '"2"' },
      body: { overlap_hours: 0 },
    });
    await raise();
    await expect.poll(() => sink.at('/rotated').length, SOON).toBe(2);
    const last = sink.at('/rotated')[1];
    const sent = last?.headers as Record<string, string>;
    new Webhook(ended.body.secret).verify(last?.raw ?? '', sent);
    expect(() => new Webhook(turned.body.secret).verify(last?.raw ?? '', sent)).toThrow();
  });

  it('sends a repeated alert once', async () => {
    const { path } = await webhook('/once');
    const alert = await raise();
    await becomes(path, { state: 'delivered' });
    const body = { device, alerts: [alert, anAlert()] };
    await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body });
    await expect.poll(() => sink.at('/once').length, SOON).toBe(2);
    const ids = sink.at('/once').map((item) => item.body.data.alert.alert_id);
    expect(ids.filter((id) => id === alert.alert_id)).toHaveLength(1);
    expect(await deliveries(path)).toHaveLength(2);
  });

  it('sends only alerts that match severity, group and state', async () => {
    const high = await webhook('/high', { min_severity: 'high' });
    const created = await hub.console('POST', '/device-groups', { body: { name: 'Others' } });
    const groupId = created.body.group.group_id;
    const grouped = await webhook('/grouped', { group_id: groupId });
    const off = await webhook('/off', { enabled: false });
    const all = await webhook('/all');
    for (const severity of ['low', 'medium', 'high', 'critical'] as const) {
      await raise({ severity });
    }
    await expect.poll(() => sink.at('/all').length, SOON).toBe(4);
    await expect.poll(() => sink.at('/high').length, SOON).toBe(2);
    expect(await deliveries(all.path)).toHaveLength(4);
    expect(await deliveries(high.path)).toHaveLength(2);
    expect([await deliveries(grouped.path), await deliveries(off.path)]).toEqual([[], []]);
    // The channel sends alerts of the device once the device is in the group.
    await hub.console('PUT', `/device-groups/${groupId}/devices/${device.device_id}`, { body: {} });
    await raise({ severity: 'low' });
    await expect.poll(() => sink.at('/grouped').length, SOON).toBe(1);
    const group = (await hub.console('GET', `/device-groups/${groupId}`)).body.group;
    const headers = { 'if-match': group.version };
    const rejected = await hub.console('DELETE', `/device-groups/${groupId}`, { headers });
    expect([rejected.status, rejected.body.error.code]).toEqual([409, 'group_in_use']);
    const nowhere = { kind: 'webhook', name: 'X', url: `${sink.url}/x`, group_id: randomUUID() };
    const refused = await hub.console('POST', '/alert-routes', { body: nowhere });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      '/group_id must be an existing device group',
    ]);
  });
});

describe('chat and mail', () => {
  it('sends a single text to a chat', async () => {
    const { path } = await create({ kind: 'chat', url: `${sink.url}/chat` });
    await raise({ application_name: '<!channel> @here' });
    await becomes(path, { state: 'delivered' });
    const [got] = sink.at('/chat');
    expect(Object.keys(got?.body)).toEqual(['text']);
    expect(got?.body.text).toContain('*HIGH alert, blocked:* `‹!channel› ＠here`');
    expect(got?.headers['webhook-signature']).toBeUndefined();
  });

  it('sends mail to every address', async () => {
    const to = ['one@example.com', 'two@example.com'];
    const { path } = await create({ kind: 'email', to });
    await raise({ application_name: 'Demo', message: 'Demo was ended' });
    await becomes(path, { state: 'delivered', last_status: 250 });
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]).toMatchObject({ from: 'hub@example.com', to });
    expect(smtp.mails[0]?.text).toContain('Subject: [Gatewarden] HIGH alert, blocked: Demo');
    expect(smtp.mails[0]?.text).toContain('Demo was ended');
  });

  it.each([
    ['as it goes out', 'two@example.com', 'two@example.com'],
    ['with capitals in its domain', 'two@Example.COM', 'two@example.com'],
    // The mail server returns the address in the spelling in which it was sent.
    ['in letters beyond ASCII', 'two@bücher.example', 'two@bücher.example'],
  ])(
    'does not resend mail to accepted recipients when another address, %s, is refused',
    async (_how, named, written) => {
      smtp.refused.add(written);
      const to = ['one@example.com', named];
      const { path } = await create({ kind: 'email', to });
      await raise();
      await becomes(path, {
        state: 'pending',
        attempts: 1,
        last_error: 'the mail server rejected 1 of 2 recipients',
      });
      smtp.refused.clear();
      // The second attempt follows after five seconds.
      await becomes(path, { state: 'delivered', attempts: 2 });
      expect(smtp.mails.map((mail) => mail.to)).toEqual([['one@example.com'], [written]]);
    },
  );
});

describe('test delivery', () => {
  it('sends a test through a disabled channel as well, and shows its outcome', async () => {
    const { path } = await webhook('/test', { enabled: false });
    const sent = await hub.console('POST', `${path}/test`);
    expect(sent.status).toBe(202);
    expect(sent.body.delivery).toMatchObject({ is_test: true, alert_id: null, state: 'pending' });
    await becomes(path, { state: 'delivered', is_test: true });
    expect(sink.at('/test')[0]?.body.type).toBe('alert.test');
    expect(await channelAt(path)).toMatchObject({ version: '"1"', health: { state: 'ok' } });
    const item = await hub.console('GET', `${path}/deliveries/${sent.body.delivery.delivery_id}`);
    expect(item.body.delivery.state).toBe('delivered');
  });
});

describe('failed delivery', () => {
  it('retries under the same id, and marks the channel until a delivery arrives', async () => {
    const { path } = await webhook('/flaky');
    sink.answer = status(500);
    await raise();
    await becomes(path, { state: 'pending', attempts: 1, last_error: 'answered 500' });
    expect((await channelAt(path)).health).toMatchObject({
      state: 'retrying',
      last_status: 500,
      last_error: 'answered 500',
    });
    sink.answer = status(204);
    await becomes(path, { state: 'delivered', attempts: 2, last_error: null });
    const ids = sink.at('/flaky').map((item) => item.headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect((await channelAt(path)).health).toMatchObject({ state: 'ok', failing_since: null });
  });

  it('waits for the Retry-After of the target unless a user retries the delivery', async () => {
    const { path } = await webhook('/busy');
    sink.answer = status(429, { 'retry-after': '7200' });
    await raise();
    await becomes(path, { attempts: 1, last_error: 'answered 429' });
    const [waiting] = await deliveries(path);
    const waits = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.last_attempt_at);
    expect(waits).toBeGreaterThanOrEqual(7_199_000);
    sink.answer = status(204);
    const now = `${path}/deliveries/${waiting.delivery_id}/retry`;
    expect((await hub.console('POST', now)).status).toBe(202);
    await becomes(path, { state: 'delivered', attempts: 2 });
    const again = await hub.console('POST', now);
    expect([again.status, again.body.error.code]).toEqual([409, 'already_delivered']);
    expect(sink.at('/busy')).toHaveLength(2);
  });

  it('fails after ten attempts, marks the channel, and can be retried by a user', async () => {
    const { path, id } = await webhook('/dead');
    sink.answer = status(500);
    await raise();
    await becomes(path, { attempts: 1, last_error: 'answered 500' });
    const { pool } = hub.context.database;
    await pool.query('UPDATE notification_deliveries SET attempts = 9 WHERE channel_id = $1', [id]);
    const [waiting] = await deliveries(path);
    await hub.console('POST', `${path}/deliveries/${waiting.delivery_id}/retry`);
    await becomes(path, { state: 'failed', attempts: 10, next_attempt_at: null });
    expect((await channelAt(path)).health.state).toBe('failing');
    const failed = await hub.console('GET', `${path}/deliveries?state=failed`);
    expect(failed.body.items).toHaveLength(1);
    sink.answer = status(204);
    await hub.console('POST', `${path}/deliveries/${waiting.delivery_id}/retry`);
    await becomes(path, { state: 'delivered', attempts: 11 });
    expect((await channelAt(path)).health.state).toBe('ok');
  });

  it('makes ten attempts again after a retry by a user', async () => {
    const { path, id } = await webhook('/weak');
    sink.answer = status(500);
    await raise();
    await becomes(path, { attempts: 1, last_error: 'answered 500' });
    const { pool } = hub.context.database;
    const giveUp = (attempts: number) =>
      pool.query(
        "UPDATE notification_deliveries SET state = 'failed', attempts = $2, next_attempt_at = NULL WHERE channel_id = $1",
        [id, attempts],
      );
    await giveUp(10);
    const [{ delivery_id: deliveryId }] = await deliveries(path);
    sink.answer = status(503);
    const body = { from: '2020-01-01T00:00:00Z', to: '2900-01-01T00:00:00Z' };
    expect((await hub.console('POST', `${path}/replay`, { body })).body.replayed).toBe(1);
    await becomes(path, { state: 'pending', attempts: 11, last_error: 'answered 503' });
    await giveUp(20);
    sink.answer = status(502);
    await hub.console('POST', `${path}/deliveries/${deliveryId}/retry`);
    await becomes(path, { state: 'pending', attempts: 21, last_error: 'answered 502' });
    // A retry of a pending delivery counts as an attempt of its schedule.
    await pool.query('UPDATE notification_deliveries SET attempts = 29 WHERE channel_id = $1', [
      id,
    ]);
    await hub.console('POST', `${path}/deliveries/${deliveryId}/retry`);
    await becomes(path, { state: 'failed', attempts: 30, next_attempt_at: null });
  });

  it('fails without marking the channel if the alert is deleted, unless it was delivered before', async () => {
    const { path, id } = await webhook('/erased');
    await raise();
    await becomes(path, { state: 'delivered' });
    const [{ delivered_at: arrived }] = await deliveries(path);
    const { pool } = hub.context.database;
    await pool.query(
      'DELETE FROM alerts WHERE alert_id IN (SELECT alert_id FROM notification_deliveries WHERE channel_id = $1)',
      [id],
    );
    const again = async (body: object) =>
      (await hub.console('POST', `${path}/replay`, { body })).body.replayed;
    const always = { from: '2020-01-01T00:00:00Z', to: '2900-01-01T00:00:00Z' };
    expect(await again({ ...always, delivered: true })).toBe(1);
    const why = { attempts: 2, last_error: expect.stringContaining('no longer stored') };
    await becomes(path, { state: 'delivered', delivered_at: arrived, last_status: 204, ...why });
    await pool.query(
      "UPDATE notification_deliveries SET state = 'failed', delivered_at = NULL WHERE channel_id = $1",
      [id],
    );
    expect(await again(always)).toBe(1);
    await becomes(path, { state: 'failed', ...why, attempts: 3 });
    expect((await channelAt(path)).health).toMatchObject({ state: 'ok', failing_since: null });
  });

  it('resends deliveries that failed in a period, or all of the period, for an administrator', async () => {
    const { path, id } = await webhook('/again');
    const { pool } = hub.context.database;
    for (let i = 0; i < 3; i += 1) await raise();
    await expect
      .poll(async () => (await deliveries(path, '?state=delivered')).length, SOON)
      .toBe(3);
    await hub.console('POST', `${path}/test`);
    await becomes(path, { is_test: true, state: 'delivered' });
    const [, last, middle] = await deliveries(path);
    // The first delivery is an hour old, the second has failed.
    await sql`
      UPDATE notification_deliveries SET created_at = ${shiftTime('created_at', '-1 hour')}
      WHERE channel_id = ${id} AND delivery_id <> ALL (${[last.delivery_id, middle.delivery_id]}::uuid[])
        AND NOT is_test`.execute(hub.context.database.db);
    await pool.query(
      "UPDATE notification_deliveries SET state = 'failed', delivered_at = NULL WHERE delivery_id = $1",
      [middle.delivery_id],
    );
    const replay = (minutes: number, over: object = {}) =>
      hub.console('POST', `${path}/replay`, {
        body: {
          from: new Date(Date.now() - minutes * 60_000).toISOString(),
          to: new Date(Date.now() + 60_000).toISOString(),
          ...over,
        },
      });
    const came = () => sink.at('/again').map((item) => item.headers['webhook-id']);
    const before = came().length;
    expect((await replay(30)).body).toMatchObject({ replayed: 1, more_from: null });
    await expect.poll(() => came().slice(before), SOON).toEqual([`msg_${middle.delivery_id}`]);
    await expect
      .poll(async () => (await deliveries(path, '?state=delivered')).length, SOON)
      .toBe(4);
    expect((await replay(30)).body.replayed).toBe(0);
    expect((await replay(30, { delivered: true })).body.replayed).toBe(2);
    await expect
      .poll(async () => (await deliveries(path, '?state=delivered')).length, SOON)
      .toBe(4);
    expect((await replay(90, { delivered: true })).body.replayed).toBe(3);
    await expect.poll(() => came().length, SOON).toBe(before + 6);
    expect((await replay(30, { to: '2001-01-01T00:00:00Z' })).status).toBe(400);
    const token = await hub.tokenFor('Reviewer');
    const refused = await hub.console('POST', `${path}/replay`, { token, body: {} });
    expect(refused.status).toBe(403);
    const trail = await hub.console('GET', '/audit?operation=alert_route.replay');
    expect(trail.body.items[0].detail).toMatchObject({ delivered: true, deliveries: 3 });
  });

  it('disables the channel after a 410 with an audit event, and clears its health when it is enabled', async () => {
    const { path, id } = await webhook('/gone');
    sink.answer = status(410);
    await raise();
    await becomes(path, { state: 'failed', attempts: 1, last_status: 410 });
    const disabled = await channelAt(path);
    expect(disabled).toMatchObject({ enabled: false, version: '"2"', health: { state: 'gone' } });
    await raise();
    expect(await deliveries(path)).toHaveLength(1);
    const { rows } = await hub.context.database.pool.query(
      "SELECT actor ->> 'kind' AS kind FROM audit_events WHERE resource ->> 'id' = $1 AND operation = 'alert_route.disable'",
      [id],
    );
    expect(rows).toEqual([{ kind: 'hub' }]);
    const headers = { 'if-match': disabled.version };
    const on = await hub.console('PATCH', path, { headers, body: { enabled: true } });
    expect(on.body.route).toMatchObject({ enabled: true, health: { state: 'untried' } });
  });

  it('waits while the channel is disabled and continues once it is enabled', async () => {
    const { path } = await webhook('/paused');
    sink.answer = status(503, { 'retry-after': '1' });
    await raise();
    await becomes(path, { attempts: 1, last_error: 'answered 503' });
    const patch = async (enabled: boolean) => {
      const headers = { 'if-match': (await channelAt(path)).version };
      await hub.console('PATCH', path, { headers, body: { enabled } });
    };
    await patch(false);
    sink.answer = status(204);
    const [waiting] = await deliveries(path);
    await hub.console('POST', `${path}/deliveries/${waiting.delivery_id}/retry`);
    expect((await deliveries(path))[0]).toMatchObject({ state: 'pending', attempts: 1 });
    await patch(true);
    await becomes(path, { state: 'delivered', attempts: 2 });
  });

  it.each([
    [302, "responded with 302; redirects aren't followed"],
    [404, 'answered 404'],
  ])('reports a response of %i and follows no redirect', async (code, words) => {
    const { path } = await webhook(`/answers-${code}`);
    sink.answer = status(code, { location: `${sink.url}/elsewhere` });
    await hub.console('POST', `${path}/test`);
    await becomes(path, { state: 'pending', last_status: code, last_error: words });
    expect(sink.at('/elsewhere')).toEqual([]);
  });

  it('reports a refused connection without repeating the URL', async () => {
    const { path } = await create({ kind: 'webhook', url: 'http://127.0.0.1:1/secret-path' });
    await hub.console('POST', `${path}/test`);
    await becomes(path, { last_error: 'connection refused', last_status: null });
    expect(JSON.stringify(await deliveries(path))).not.toContain('secret-path');
  });
});
