// An access request is sent once through each channel that includes access requests, in the channel's format.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  type ChannelBench,
  openChannelBench,
  SOON,
} from '../../../../../test/support/channel-bench.ts';
import { deviceCall } from '../../../../../test/support/hub.ts';

let bench: ChannelBench;
beforeAll(async () => {
  bench = await openChannelBench();
});
afterEach(() => bench.reset());
afterAll(() => bench?.close());

const WHO = 'ada@example.com';
const editor = anEntity('<b>editor</b>', { kind: 'application', source: 'desktop_entry' });

/** Enrolls a device of a user with an app. `ask` sends an access request like its agent. */
async function enrolled() {
  const { hub } = bench;
  const device = aDevice();
  const headers = { 'x-subscriber-id': WHO };
  const enrol = { body: { device, subscriber_id: WHO }, headers };
  const { body } = await deviceCall(hub, 'POST', '/ea/v1/enroll', enrol);
  const own = { ...headers, authorization: `Bearer ${body.device_token}` };
  const post = (path: string, content: object) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body: { device, ...content }, headers: own });
  await post('discovered-apps', aBatch(device, [editor]));
  return {
    device,
    async ask(id: string, about: object = { entity_id: editor.entity_id }) {
      const asked = { access_request_id: id, asked_at: new Date().toISOString() };
      const requests = [{ ...asked, reason: 'for the *report*', ...about }];
      const answer = await post('access-requests', { requests });
      expect(answer.body).toMatchObject({ accepted: [id], refused: [] });
    },
  };
}

it('sends a request once through each channel that includes requests, and through no other', async () => {
  const { hub, sink, smtp, webhook, create, deliveries, becomes } = bench;
  const { device, ask } = await enrolled();
  const alertsOnly = await webhook('/alerts');
  const others = await hub.console('POST', '/device-groups', { body: { name: 'Others' } });
  const elsewhere = await webhook('/elsewhere', {
    access_requests: true,
    group_id: others.body.group.group_id,
  });
  // The minimum severity concerns alerts only.
  const hook = await webhook('/hook', { access_requests: true, min_severity: 'critical' });
  await create({ kind: 'chat', url: `${sink.url}/chat`, access_requests: true });
  await create({ kind: 'email', to: ['team@example.org'], access_requests: true });
  const id = randomUUID();
  await ask(id);
  await becomes(hook.path, {
    state: 'delivered',
    alert_id: null,
    access_request_id: id,
    severity: null,
  });
  await expect.poll(() => [sink.at('/chat').length, smtp.mails.length], SOON).toEqual([1, 1]);
  const page = `${hub.url}/console/t/${hub.tenantId}/policies/access-requests?state=open&device_id=${device.device_id}`;
  // The message has these fields of the record only.
  expect(sink.at('/hook')[0]?.body).toEqual({
    type: 'access.requested',
    timestamp: expect.any(String),
    data: {
      tenant_id: hub.tenantId,
      route: { route_id: hook.id, name: 'Channel' },
      access_request: {
        access_request_id: id,
        device_id: device.device_id,
        hostname: device.hostname,
        subscriber_id: WHO,
        entity_id: editor.entity_id,
        application_name: '<b>editor</b>',
        process_name: null,
        reason: 'for the *report*',
        created_at: expect.any(String),
      },
      console_url: page,
    },
  });
  const chat = sink.at('/chat')[0]?.body.text as string;
  expect(chat).toContain('`‹b›editor‹/b›`');
  expect(chat).toContain(`Review request: ${page}`);
  expect(JSON.stringify(smtp.mails[0])).toContain('Access request');

  // A repeated message, and a repeated request of the user for the app, are the same access request.
  await ask(id);
  await ask(randomUUID());
  await ask(randomUUID(), { process_name: 'snake' });
  await expect.poll(() => sink.at('/hook').length, SOON).toBe(2);
  expect(sink.at('/hook')[1]?.body.data.access_request).toMatchObject({
    application_name: null,
    process_name: 'snake',
  });
  expect(await deliveries(hook.path)).toHaveLength(2);
  expect([await deliveries(alertsOnly.path), await deliveries(elsewhere.path)]).toEqual([[], []]);
});

it("follows the channel's setting to include requests", async () => {
  const { hub, sink, webhook, channelAt } = bench;
  const { ask } = await enrolled();
  const route = await webhook('/switched');
  const configure = async (access_requests: boolean) => {
    const headers = { 'if-match': (await channelAt(route.path)).version };
    const answer = await hub.console('PATCH', route.path, { headers, body: { access_requests } });
    expect(answer.body.route).toMatchObject({ access_requests });
  };
  await ask(randomUUID(), { process_name: 'one' });
  await configure(true);
  await ask(randomUUID(), { process_name: 'two' });
  await expect.poll(() => sink.at('/switched').length, SOON).toBe(1);
  await configure(false);
  await ask(randomUUID(), { process_name: 'three' });
  const { items } = (await hub.console('GET', `${route.path}/deliveries`)).body;
  expect(items).toHaveLength(1);
});
