import { expect, test } from 'vitest';
import { parseFutureTime } from './expiry.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const read = (text: string) => parseFutureTime(text, '/expires_at', NOW)?.toISOString();

test.each([
  ['2030-01-01T00:00:00+02:00', '2029-12-31T22:00:00.000Z'],
  ['2030-01-01t23:59:59.5z', '2030-01-01T23:59:59.500Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('parses a time with its offset: %s', (text, wanted) => {
  expect(read(text)).toBe(wanted);
});

test.each([
  ['an hour that no clock shows', '2030-01-01T24:00:00Z', 'must be a time'],
  ['a day that is not there', '2030-02-30T00:00:00Z', 'must be a time'],
  ['no timezone', '2030-01-01T00:00:00', 'must be a time'],
  ['a time that has passed', '2025-12-31T23:59:59Z', 'must be in the future'],
  // Its year would have five digits in UTC, which no RFC 3339 time has.
  ['a year that cannot be written back', '9999-12-31T23:59:59-01:00', 'must be before'],
])('rejects %s', (_what, text, words) => {
  expect(() => read(text)).toThrow(words);
});
