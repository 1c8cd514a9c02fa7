// Key expiry is reported at defined times to defined recipients in a readable text.
import { describe, expect, it } from 'vitest';
import { noticeOf, noticeText, recipientsOf } from './notice.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
const key = (made: number, ends: number | null) => ({
  created_at: days(made),
  expires_at: ends === null ? null : days(ends),
});

describe('expiry notice', () => {
  it.each([
    ['a week before', key(-60, 7), 7],
    ['not sooner', key(-60, 7.001), null],
    ['still after a day of silence', key(-60, 5), 7],
    ['a day before, and then no other', key(-60, 1), 1],
    ['not of what has ended', key(-60, 0), null],
    ['not of what never ends', key(-60, null), null],
    ['not a week before of a key for a week', key(-1, 6), null],
    ['a day before of a key for a week', key(-6, 1), 1],
    ['none of a key for a day', key(0, 1), null],
  ])('schedules the notice: %s', (_, key, wanted) => {
    expect(noticeOf(key, NOW)).toBe(wanted);
  });
});

describe('recipients of an expiry notice', () => {
  const members = {
    enabled: new Map([['ada@example.com', 'Ada@example.com']]),
    admins: ['root@example.com'],
  };
  it.each([
    ['the creator', 'ADA@example.com', ['Ada@example.com']],
    ['administrators after the creator was removed', 'gone@example.com', ['root@example.com']],
    ['administrators, where it was no person', null, ['root@example.com']],
  ])('selects %s', (_, created_by, wanted) => {
    expect(recipientsOf({ created_by } as never, members)).toEqual(wanted);
  });
});

it('writes a single mail, and keeps typed text on its line', () => {
  const expiringKey = {
    kind: 'Log-export key',
    name: 'for\r\nBcc: all@example.com',
    expires_at: days(1).toISOString(),
    last_used_at: null,
  };
  const at = { tenant: 'Acme', keysUrl: 'https://hub.example.com/keys', now: NOW };
  const { subject, text } = noticeText({ ...at, keys: [expiringKey] });
  expect(subject).toBe(
    '[Gatewarden] Acme: Log-export key “for Bcc: all@example.com” expires in 24 hours',
  );
  expect(text).toContain('2026-11-25 12:00 UTC; last used never or unknown\n');
  expect(text).toContain('https://hub.example.com/keys');
  const both = noticeText({
    ...at,
    keys: [expiringKey, { ...expiringKey, last_used_at: NOW.toISOString() }],
  });
  expect(both.subject).toBe('[Gatewarden] Acme: 2 keys expire soon');
  expect(both.text).toContain('last used 2026-11-24 12:00 UTC');
  const many = noticeText({ ...at, keys: Array.from({ length: 60 }, () => expiringKey) });
  expect(many.text.match(/^- /gm)).toHaveLength(51);
  expect(many.text).toContain('- and 10 more');
});
