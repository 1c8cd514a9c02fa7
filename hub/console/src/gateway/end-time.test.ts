import { expect, test } from 'vitest';
import { formatLocalTime, parseEndTime } from './end-time.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('accepts no end, rejects a past end, and adds the time zone to a future end', () => {
  expect(parseEndTime('', NOW)).toBeNull();
  expect(parseEndTime('2026-11-21T11:59:00Z', NOW)).toBeUndefined();
  expect(parseEndTime('soon', NOW)).toBeUndefined();
  expect(parseEndTime('2026-11-22T12:00:00Z', NOW)).toBe('2026-11-22T12:00:00.000Z');
});

test('shows the stored time to the minute', () => {
  const stored = '2030-06-01T10:30:00.000Z';
  expect(parseEndTime(formatLocalTime(stored), NOW)).toBe(stored);
  expect(formatLocalTime(null)).toBe('');
});
