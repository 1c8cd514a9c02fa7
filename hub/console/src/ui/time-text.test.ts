// Relative and exact times.
import { expect, test } from 'vitest';
import { dayText, fromLocalInput, isDue, timeText, toLocalInput } from './time-text.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const relative = (instant: string) => timeText(instant, NOW, undefined, 'en-GB')?.relative;

test('says how long ago, in the largest whole unit', () => {
  expect(relative('2026-11-21T11:59:57Z')).toBe('just now');
  expect(relative('2026-11-21T11:59:20Z')).toBe('40 seconds ago');
  expect(relative('2026-11-21T11:57:00Z')).toBe('3 minutes ago');
  expect(relative('2026-11-21T09:30:00Z')).toBe('2 hours ago');
  expect(relative('2026-11-20T12:00:00Z')).toBe('yesterday');
  expect(relative('2024-11-01T12:00:00Z')).toBe('2 years ago');
});

test('says how long until', () => {
  expect(relative('2026-11-21T15:00:00Z')).toBe('in 3 hours');
});

test('describes an imminent or overdue time as due', () => {
  const times = ['11:59:00', '12:00:09', '12:00:10', '12:30:00'];
  expect(times.map((time) => isDue(`2026-11-21T${time}Z`, NOW))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('gives the viewer’s zone and exact UTC', () => {
  const text = timeText('2026-11-21T11:57:00.123456Z', NOW, 'Asia/Tokyo', 'en-GB');
  expect(text?.local).toBe('21 Nov 2026, 20:57:00');
  expect(text?.utc).toBe('2026-11-21T11:57:00Z');
});

test('formats an invalid time as an empty text', () => {
  expect(timeText('yesterday-ish', NOW)).toBeNull();
});

test('converts a local input to UTC and back', () => {
  const instant = fromLocalInput('2026-12-24T18:30');
  expect(instant).toMatch(/Z$/);
  expect(toLocalInput(instant)).toBe('2026-12-24T18:30');
  expect(fromLocalInput('')).toBeNull();
  expect(fromLocalInput('nonsense')).toBeNull();
  expect(toLocalInput(null)).toBe('');
});

test('formats a day by locale, in no time zone', () => {
  expect(dayText('2026-01-31', 'en-US')).toBe('Jan 31, 2026');
  expect(dayText('2026-01-31', 'de-DE')).toBe('31.01.2026');
  expect(dayText('unknown', 'en-US')).toBe('unknown');
});
