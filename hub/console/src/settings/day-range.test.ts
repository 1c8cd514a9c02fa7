// A day of the viewer is all of it, also on the other side of a change of the clock.
import { expect, test } from 'vitest';
import { dayRange } from './day-range.ts';

test('includes the last day completely', () => {
  const { from = '', to = '' } = dayRange('2026-11-20', '2026-11-20');
  expect(new Date(from).getDate()).toBe(20);
  expect(new Date(from).getHours()).toBe(0);
  expect(new Date(to).getDate()).toBe(21);
});

test('omits invalid days', () => {
  expect(dayRange(undefined, 'yesterday')).toEqual({});
  expect(dayRange('0001-01-01', '9999-12-31')).toEqual({});
});
