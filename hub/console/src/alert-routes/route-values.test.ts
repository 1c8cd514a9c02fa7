// The form of a route sends what was filled in, and nothing that would overwrite a stored URL by accident.
import type { AlertRoute } from '@gatewarden/shared/wire/console/alert-routes.ts';
import { expect, test } from 'vitest';
import { addressesOf, EMPTY_ROUTE, inputOf, patchOf, routeErrors } from './route-values.ts';

const webhook = { ...EMPTY_ROUTE, name: ' Team ', url: ' https://hooks.example.com/x ' };
const stored = { kind: 'webhook' } as AlertRoute;

test('requires a name and a target of its kind for a new route', () => {
  expect(Object.keys(routeErrors(EMPTY_ROUTE, null))).toEqual(['name', 'url']);
  expect(Object.keys(routeErrors({ ...EMPTY_ROUTE, kind: 'email' }, null))).toEqual(['name', 'to']);
  expect(routeErrors(webhook, null)).toEqual({});
  for (const digest of ['0', '1001', '2.5', 'many']) {
    expect(Object.keys(routeErrors({ ...webhook, url: 'hooks', digest }, null))).toEqual([
      'url',
      'digest',
    ]);
  }
});

test('sends trimmed values of the chosen kind only', () => {
  expect(inputOf(webhook)).toEqual({
    kind: 'webhook',
    name: 'Team',
    min_severity: 'high',
    group_id: null,
    digest_after: null,
    url: 'https://hooks.example.com/x',
  });
  const mail = inputOf({ ...webhook, kind: 'email', to: 'a@x.org, b@x.org\na@x.org', digest: '5' });
  expect(mail).toMatchObject({ kind: 'email', digest_after: 5, to: ['a@x.org', 'b@x.org'] });
  expect(mail).not.toHaveProperty('url');
});

test('keeps the stored URL when the field is empty', () => {
  expect(routeErrors({ ...webhook, url: '' }, stored)).toEqual({});
  expect(patchOf({ ...webhook, url: ' ' }, stored)).not.toHaveProperty('url');
  expect(patchOf(webhook, stored)).toMatchObject({ url: 'https://hooks.example.com/x' });
});

test('requests are spoken of where they are wanted, or were', () => {
  expect(inputOf({ ...webhook, requests: true })).toMatchObject({ access_requests: true });
  expect(patchOf(webhook, stored)).not.toHaveProperty('access_requests');
  const taking = { ...stored, access_requests: true };
  expect(patchOf(webhook, taking)).toMatchObject({ access_requests: false });
});

const chat = { ...webhook, kind: 'chat' as const };
const KEY = 'a1'.repeat(16);

test('sends the chat format only if it was chosen or changed', () => {
  expect(inputOf(chat)).not.toHaveProperty('format');
  expect(inputOf({ ...chat, format: 'teams' })).toMatchObject({ format: 'teams' });
  const teams = { kind: 'chat', format: 'teams' } as AlertRoute;
  expect(patchOf({ ...chat, format: 'teams' }, teams)).not.toHaveProperty('format');
  expect(patchOf({ ...chat, format: 'slack' }, teams)).toMatchObject({ format: 'slack' });
  expect(patchOf(chat, teams)).toMatchObject({ format: null });
});

test.each([
  [{ format: 'pagerduty' as const }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, routingKey: 'short' }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, routingKey: KEY }, null, []],
  [{ url: 'https://events.pagerduty.com/v2/enqueue' }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, url: '' }, stored, []],
  [{ format: 'pagerduty' as const, url: 'https://x.example' }, stored, ['routingKey']],
  [{ format: 'slack' as const }, null, []],
])('requires an integration key for a route with %j: %#', (over, original, fields) => {
  expect(Object.keys(routeErrors({ ...chat, ...over }, original))).toEqual(fields);
});

test('addresses may stand in lines, with commas, or both', () => {
  expect(addressesOf(' a@x.org;b@x.org ,\n\n c@x.org')).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
});
