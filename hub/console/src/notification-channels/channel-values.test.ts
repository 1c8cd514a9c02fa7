// The form of a channel validates its values, and sends no field that would overwrite a stored URL by accident.
import type { NotificationChannel } from '@gatewarden/shared/wire/console/notification-channels.ts';
import { expect, test } from 'vitest';
import {
  EMPTY_CHANNEL,
  parseAddresses,
  toInput,
  toPatch,
  validateChannel,
} from './channel-values.ts';

const webhook = { ...EMPTY_CHANNEL, name: ' Team ', url: ' https://hooks.example.com/x ' };
const stored = { kind: 'webhook' } as NotificationChannel;

test('requires a name and a target of its kind for a new channel', () => {
  expect(Object.keys(validateChannel(EMPTY_CHANNEL, null))).toEqual(['name', 'url']);
  expect(Object.keys(validateChannel({ ...EMPTY_CHANNEL, kind: 'email' }, null))).toEqual([
    'name',
    'to',
  ]);
  expect(validateChannel(webhook, null)).toEqual({});
  for (const digest of ['0', '1001', '2.5', 'many']) {
    expect(Object.keys(validateChannel({ ...webhook, url: 'hooks', digest }, null))).toEqual([
      'url',
      'digest',
    ]);
  }
});

test('sends trimmed values of the chosen kind only', () => {
  expect(toInput(webhook)).toEqual({
    kind: 'webhook',
    name: 'Team',
    min_severity: 'high',
    group_id: null,
    digest_after: null,
    url: 'https://hooks.example.com/x',
  });
  const mail = toInput({ ...webhook, kind: 'email', to: 'a@x.org, b@x.org\na@x.org', digest: '5' });
  expect(mail).toMatchObject({ kind: 'email', digest_after: 5, to: ['a@x.org', 'b@x.org'] });
  expect(mail).not.toHaveProperty('url');
});

test('keeps the stored URL when the field is empty', () => {
  expect(validateChannel({ ...webhook, url: '' }, stored)).toEqual({});
  expect(toPatch({ ...webhook, url: ' ' }, stored)).not.toHaveProperty('url');
  expect(toPatch(webhook, stored)).toMatchObject({ url: 'https://hooks.example.com/x' });
});

test('sends access_requests only if it is selected now, or was selected before', () => {
  expect(toInput({ ...webhook, requests: true })).toMatchObject({ access_requests: true });
  expect(toPatch(webhook, stored)).not.toHaveProperty('access_requests');
  const selected = { ...stored, access_requests: true };
  expect(toPatch(webhook, selected)).toMatchObject({ access_requests: false });
});

const chat = { ...webhook, kind: 'chat' as const };
const KEY = 'a1'.repeat(16);

test('sends the chat format only if it was chosen or changed', () => {
  expect(toInput(chat)).not.toHaveProperty('format');
  expect(toInput({ ...chat, format: 'teams' })).toMatchObject({ format: 'teams' });
  const teams = { kind: 'chat', format: 'teams' } as NotificationChannel;
  expect(toPatch({ ...chat, format: 'teams' }, teams)).not.toHaveProperty('format');
  expect(toPatch({ ...chat, format: 'slack' }, teams)).toMatchObject({ format: 'slack' });
  expect(toPatch(chat, teams)).toMatchObject({ format: null });
});

test.each([
  [{ format: 'pagerduty' as const }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, routingKey: 'short' }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, routingKey: KEY }, null, []],
  [{ url: 'https://events.pagerduty.com/v2/enqueue' }, null, ['routingKey']],
  [{ format: 'pagerduty' as const, url: '' }, stored, []],
  [{ format: 'pagerduty' as const, url: 'https://x.example' }, stored, ['routingKey']],
  [{ format: 'slack' as const }, null, []],
])('requires an integration key for a channel with %j: %#', (over, original, fields) => {
  expect(Object.keys(validateChannel({ ...chat, ...over }, original))).toEqual(fields);
});

test('parses addresses in lines, with commas, or both', () => {
  expect(parseAddresses(' a@x.org;b@x.org ,\n\n c@x.org')).toEqual([
    'a@x.org',
    'b@x.org',
    'c@x.org',
  ]);
});
