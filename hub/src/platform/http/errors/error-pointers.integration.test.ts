// Every 400 names the location as a JSON pointer into the body, /query, /path or /header, and describes the expected
// value.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anAlert } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const override = (over: object) => ({
  match: { name: 'demo' },
  approval_status: 'blocked',
  execution_policy: 'block',
  scope: { kind: 'tenant' },
  ...over,
});

it.each([
  ['a scope that lacks its id', { scope: { kind: 'device' } }, '/scope/device_id is required'],
  [
    'a scope of no known kind',
    { scope: { kind: 'planet' } },
    '/scope/kind must be one of: tenant, group, subscriber, device',
  ],
  [
    'a scope with a bad id',
    { scope: { kind: 'device', device_id: 'x' } },
    '/scope/device_id must be a UUID',
  ],
  ['no match', { match: undefined }, '/match is required'],
  ['an unknown field', { colour: 'red' }, '/colour is not a field of this request'],
  ['an unknown policy', { execution_policy: 'burn' }, '/execution_policy must be one of: allow'],
  ['an invalid time', { expires_at: 'soon' }, '/expires_at must be a time in UTC like'],
  ['a wrong type', { reason: 5 }, '/reason must be string'],
])('points into the body for %s', async (_what, over, message) => {
  const answer = await hub.console('POST', '/overrides', { body: override(over) });
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('invalid_request');
  expect(answer.body.error.message.slice(0, message.length)).toBe(message);
});

it.each([
  ['/devices?limit=0', 'invalid_request', '/query/limit must be a whole number from 1 to 200'],
  ['/devices?colour=red', 'invalid_request', '/query/colour is not a field of this request'],
  ['/devices?cursor=abc', 'invalid_cursor', '/query/cursor is not a valid cursor of this list.'],
  ['/devices/5', 'invalid_request', '/path/device_id must be a UUID'],
  ['/devices?query=%00', 'invalid_request', '/query/query must not contain a NUL character'],
])('points into the address for %s', async (path, code, message) => {
  const answer = await hub.console('GET', path);
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
    400,
    code,
    message,
  ]);
});

it.each([
  ['no JSON', '{"a":1,}', 'invalid_json', /^\/ is not valid JSON, from character 7 on\.$/],
  ['nothing', '', 'invalid_json', /^\/ is empty\.$/],
  ['a poisoned name', '{"a":{"__proto__":1}}', 'invalid_json', /^\/a\/__proto__ /],
])('points into an unreadable body for %s', async (_what, text, code, message) => {
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { raw: gzipSync(text) });
  expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  expect(answer.body.error.message).toMatch(message);
});

it('points into the headers of a device', async () => {
  const body = { device: aDevice(), alerts: [anAlert()] };
  const call = (headers: Record<string, string>) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body, headers });
  const messages = await Promise.all(
    [{ 'x-tenant-id': 'x' }, { 'x-subscriber-id': '' }, { 'x-device-id': 'x' }].map(
      async (headers) => (await call(headers as Record<string, string>)).body.error.message,
    ),
  );
  expect(messages.map((message) => message.split(' ')[0])).toEqual([
    '/header/x-tenant-id',
    '/header/x-subscriber-id',
    '/header/x-device-id',
  ]);
});

it.each([';;;', 'json', ''])(
  'reports an invalid content type (%j) to people, and ignores it for devices',
  async (type) => {
    const headers = { 'content-type': type };
    const body = { device: aDevice(), alerts: [anAlert()] };
    const accepted = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body, headers });
    expect(accepted.status).toBe(202);
    const rejected = await hub.console('POST', '/overrides', { body, headers });
    expect([rejected.status, rejected.body.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(rejected.body.error.message).toContain('Content-Type');
  },
);

it('never quotes the body, which may contain a secret', async () => {
  const raw = gzipSync('{"token": secret-of-mine}');
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { raw });
  expect(answer.body.error.message).not.toContain('secret');
});

it('answers 404 for a missing resource, whatever body was sent', async () => {
  const answer = await fetch(`${hub.url}/ea/v1/sync/nothing`, { method: 'POST', body: '{' });
  expect(answer.status).toBe(404);
});
