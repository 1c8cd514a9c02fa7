// A notification channel selects its alerts, validates changes, and shows its state.
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../../platform/crypto/seal.ts';
import {
  applyChannelPatch,
  type ChannelTools,
  createChannel,
  matchesAlert,
  rotateSecret,
  toChannelAnswer,
} from './channel-rules.ts';
import { createChannelSecrets } from './channel-secrets.ts';
import type { ChannelRecord } from './channel-store.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const by = { tenantId: 't', channelId: 'r', email: 'a@example.com', now: NOW };
const tools: ChannelTools = {
  secrets: createChannelSecrets(createSealer(() => [{ id: 'k', bytes: Buffer.alloc(32, 1) }])),
  checkUrl: (url) => new URL(url),
  hasMail: true,
};
const URL_TEXT = 'https://hooks.example.com/secret';

function record(over: Partial<ChannelRecord> = {}): ChannelRecord {
  const { channel } = createChannel({ kind: 'webhook', name: 'Channel', url: URL_TEXT }, by, tools);
  return {
    ...channel,
    version: 1,
    gone: false,
    last_attempt_at: null,
    last_delivered_at: null,
    last_status: null,
    last_error: null,
    failing_since: null,
    gave_up_at: null,
    ...over,
  };
}

it('sends alerts of its minimum severity and above, from all devices or from its group', () => {
  const severity = fc.constantFrom(...SEVERITIES);
  const group = fc.constantFrom('g1', 'g2', 'g3');
  fc.assert(
    fc.property(
      severity,
      severity,
      fc.option(group),
      fc.uniqueArray(group),
      (least, sent, of, groups) => {
        const channel = {
          channel_id: 'r',
          kind: 'chat' as const,
          min_severity: least,
          group_id: of,
          digest_after: null,
          failing_since: null,
        };
        const isSevere = SEVERITIES.indexOf(sent) <= SEVERITIES.indexOf(least);
        const isHere = of === null || groups.includes(of);
        expect(matchesAlert(channel, sent, groups)).toBe(isSevere && isHere);
      },
    ),
  );
});

describe('change of a notification channel', () => {
  it('ignores a change to the same values, also to the same URL', () => {
    expect(applyChannelPatch(record(), {}, by, tools)).toBeNull();
    expect(applyChannelPatch(record(), { url: URL_TEXT, name: ' Channel ' }, by, tools)).toBeNull();
  });

  it('clears the failure state for a new target or on enabling, not for a new name', () => {
    const resetHealth = (before: ChannelRecord, patch: object) =>
      applyChannelPatch(before, patch, by, tools)?.resetHealth;
    expect(resetHealth(record(), { url: 'https://other.example.com/' })).toBe(true);
    expect(resetHealth(record({ enabled: false }), { enabled: true })).toBe(true);
    expect(resetHealth(record(), { enabled: false })).toBe(false);
    expect(resetHealth(record(), { name: 'Other' })).toBe(false);
  });

  it('requires a mail server only for an enabled mail channel', () => {
    const mail = { ...record(), kind: 'email' as const, recipients: ['a@x.org'], enabled: false };
    const without = { ...tools, hasMail: false };
    expect(() => applyChannelPatch(mail, { enabled: true }, by, without)).toThrow(/HUB_SMTP_URL/);
    expect(applyChannelPatch(mail, { name: 'Other' }, by, without)).not.toBeNull();
  });
});

it('keeps the previous secret for the overlap of a rotation, and not without an overlap', () => {
  const before = record();
  const place = { tenantId: 't', channelId: 'r' };
  const former = tools.secrets.unseal(before.secret_sealed ?? '', place, 'secret');
  const { change, secret } = rotateSecret(
    before,
    { overlapHours: 24, rotationId: undefined },
    by,
    tools.secrets,
  );
  const {
    secret_sealed: now,
    previous_secret_sealed: previous,
    previous_secret_until: until,
  } = change.after;
  expect(tools.secrets.unseal(now ?? '', place, 'secret')).toBe(secret);
  expect(tools.secrets.unseal(previous ?? '', place, 'previous_secret')).toBe(former);
  expect(until).toEqual(new Date('2026-11-22T12:00:00Z'));
  // A secret that is sealed for a field can't be decrypted as another field.
  expect(() => tools.secrets.unseal(previous ?? '', place, 'secret')).toThrow();
  const none = rotateSecret(before, { overlapHours: 0, rotationId: undefined }, by, tools.secrets)
    .change.after;
  expect([none.previous_secret_sealed, none.previous_secret_until]).toEqual([null, null]);
});

it.each([
  ['untried', {}],
  ['ok', { last_delivered_at: NOW }],
  ['retrying', { last_delivered_at: NOW, failing_since: NOW }],
  ['failing', { failing_since: NOW, gave_up_at: NOW }],
  ['gone', { failing_since: NOW, gave_up_at: NOW, gone: true }],
] as const)('shows the state %s', (state, over) => {
  const row = toChannelAnswer(record(over), null);
  expect(row.health.state).toBe(state);
  expect(JSON.stringify(row)).not.toMatch(/secret"|whsec_|v1\.k\./);
  expect(row.url_hint).toBe('https://hooks.example.com');
});
