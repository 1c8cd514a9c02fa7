// Every chat system receives its own payload for alerts, digests, tests and access requests. The format is selected, or
// derived from the URL.
import { randomUUID } from 'node:crypto';
import { CHAT_FORMATS, type ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

const KEY = 'a1'.repeat(16);

/** Paths by which each system's URLs are recognized without its host. */
const PATHS: Record<ChatFormat, string> = {
  teams: '/workflows/0a1b/triggers/manual/paths/invoke',
  slack: '/services/T00/B00/abc',
  google_chat: '/v1/spaces/AAA/messages',
  pagerduty: '/v2/enqueue',
  mattermost: '/hooks/abc',
};
const FIELDS: Record<ChatFormat, string[]> = {
  teams: ['attachments', 'type'],
  slack: ['blocks', 'mrkdwn', 'text'],
  google_chat: ['cardsV2', 'fallbackText'],
  pagerduty: [
    'client',
    'client_url',
    'dedup_key',
    'event_action',
    'links',
    'payload',
    'routing_key',
  ],
  mattermost: ['text'],
};
const keyOf = (format: ChatFormat) => (format === 'pagerduty' ? { routing_key: KEY } : {});
const create = (format: ChatFormat, path: string, over: object = {}) =>
  bench.create({ kind: 'chat', url: `${bench.sink.url}${path}`, ...keyOf(format), ...over });

const fieldsAt = (path: string) =>
  bench.sink.at(path).map((received) => Object.keys(received.body).sort());

describe.each(CHAT_FORMATS)('notification channel for %s', (format) => {
  it.each([
    ['chosen', '/any/path', { format }],
    ['named by the URL', PATHS[format], {}],
  ])(
    'sends a test, an alert, a digest and a request in the format that is %s',
    async (_how, path, chosen) => {
      const { hub, sink, raise, deliveries } = bench;
      sink.answer = (response) => response.writeHead(202).end();
      const channel = await create(format, path, {
        ...chosen,
        access_requests: true,
        digest_after: 1,
      });
      expect((await bench.channelAt(channel.path)).format).toBe(format);
      const test = await hub.console('POST', `${channel.path}/test`, { body: {} });
      expect(test.body.delivery.test_note).toMatch(/202 response doesn't confirm delivery/);
      await expect.poll(() => sink.at(path).length, SOON).toBe(1);
      await bench.becomes(channel.path, {
        state: 'delivered',
        last_status: 202,
        last_error: expect.stringContaining("doesn't confirm delivery"),
      });

      await raise({ application_name: 'Demo' });
      await expect.poll(() => sink.at(path).length, SOON).toBe(2);
      await raise();
      await raise();
      const digest = (await deliveries(channel.path)).find((row) => row.digest_alerts !== null);
      await hub.console('POST', `${channel.path}/deliveries/${digest.delivery_id}/retry`, {
        body: {},
      });
      await expect.poll(() => sink.at(path).length, SOON).toBe(3);

      await requestAccess();
      await expect.poll(() => sink.at(path).length, SOON).toBe(4);
      expect(fieldsAt(path)).toEqual(Array(4).fill(FIELDS[format]));
      const [, alert, , request] = sink.at(path).map((received) => received.raw);
      expect(alert).toContain('Demo');
      expect(request).toContain('Access request');
      if (format === 'pagerduty') {
        expect(sink.at(path).map((received) => received.body.routing_key)).toEqual(
          Array(4).fill(KEY),
        );
      }
    },
  );
});

/** Sends an access request like the agent of a device. */
async function requestAccess() {
  const { hub } = bench;
  const device = aDevice();
  const editor = anEntity('editor', { kind: 'application', source: 'desktop_entry' });
  const headers = { 'x-subscriber-id': 'ada@example.com' };
  const enroll = { body: { device, subscriber_id: 'ada@example.com' }, headers };
  const { body } = await deviceCall(hub, 'POST', '/ea/v1/enroll', enroll);
  const own = { ...headers, authorization: `Bearer ${body.device_token}` };
  const post = (path: string, content: object) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, { body: { device, ...content }, headers: own });
  await post('discovered-apps', aBatch(device, [editor]));
  const request = {
    access_request_id: randomUUID(),
    asked_at: new Date().toISOString(),
    reason: 'for the report',
    entity_id: editor.entity_id,
  };
  expect((await post('access-requests', { requests: [request] })).status).toBe(202);
}

describe('change of a notification channel', () => {
  const patch = async (path: string, body: object) =>
    bench.hub.console('PATCH', path, {
      headers: { 'if-match': (await bench.channelAt(path)).version },
      body,
    });

  it('derives the format of a new URL unless a format is selected', async () => {
    const { path } = await create('slack', PATHS.slack);
    const moved = await patch(path, { url: `${bench.sink.url}${PATHS.teams}` });
    expect(moved.body.route.format).toBe('teams');
    const chosen = await patch(path, { format: 'slack' });
    expect(chosen.body.route.format).toBe('slack');
    const derived = await patch(path, { format: null });
    expect(derived.body.route.format).toBe('teams');
  });

  it('replaces the routing key, and never returns it', async () => {
    const { path } = await create('pagerduty', PATHS.pagerduty);
    const key = 'b2'.repeat(16);
    const changed = await patch(path, { routing_key: key });
    expect(changed.status).toBe(200);
    expect(JSON.stringify(changed.body)).not.toMatch(/a1a1|b2b2/);
    await bench.hub.console('POST', `${path}/test`, { body: {} });
    await expect.poll(() => bench.sink.at(PATHS.pagerduty).length, SOON).toBe(1);
    expect(bench.sink.at(PATHS.pagerduty)[0]?.body.routing_key).toBe(key);
  });
});

describe('invalid notification channel', () => {
  it.each([
    [{ kind: 'chat', url: 'https://events.pagerduty.com/v2/enqueue' }, '/routing_key'],
    [{ kind: 'chat', url: 'https://x.example', format: 'pagerduty' }, '/routing_key'],
    [{ kind: 'chat', url: 'https://x.example', routing_key: KEY }, '/routing_key'],
    [{ kind: 'chat', url: 'https://x.example', routing_key: 'short' }, '/routing_key'],
    [{ kind: 'chat', url: 'https://x.example', format: 'irc' }, '/format'],
    [{ kind: 'webhook', url: 'https://x.example', format: 'slack' }, '/format'],
    [{ kind: 'email', to: ['a@example.com'], format: 'slack' }, '/format'],
  ])('rejects %j with the field', async (body, field) => {
    const answer = await bench.hub.console('POST', '/alert-routes', {
      body: { name: 'x', ...body },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(field);
  });

  it.each(['format', 'routing_key'])('rejects %s in a change of a webhook', async (field) => {
    const { path } = await bench.webhook('/hook');
    const answer = await bench.hub.console('PATCH', path, {
      headers: { 'if-match': '"1"' },
      body: { [field]: field === 'format' ? 'slack' : KEY },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(`/${field}`);
  });
});
