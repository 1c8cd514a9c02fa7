// The time range of the address, and the period of chosen buckets.
import { expect, test } from 'vitest';
import { bucketAt } from './chart-margin.ts';
import { periodOf, periodOfBuckets, rangeSearch } from './time-range.ts';

const NOW = Date.parse('2026-03-08T12:00:00Z');

test('ends a preset now, without an end in the filter', () => {
  expect(periodOf({ range: '7d' }, NOW)).toEqual({ from: '2026-03-01T12:00:00.000Z' });
  expect(periodOf({}, NOW)).toEqual({ from: undefined, to: undefined });
});

test('drops times and presets that the hub would reject', () => {
  const raw = { range: '2y', from: 'yesterday', to: '2026-03-01' };
  expect(rangeSearch(raw)).toEqual({
    ...{ range: undefined, from: undefined },
    to: '2026-03-01T00:00:00.000Z',
  });
});

test('covers the buckets between both ends of a drag, in either direction', () => {
  const [first, last] = ['2026-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z'];
  const period = { from: first, to: '2026-03-01T13:00:00.000Z' };
  expect(periodOfBuckets(first, last, 3_600)).toEqual(period);
  expect(periodOfBuckets(last, first, 3_600)).toEqual(period);
});

test('finds the bucket under the pointer, also beside the bars', () => {
  expect([-5, 4, 53, 55, 120].map((x) => bucketAt(x, 108, 2))).toEqual([0, 0, 0, 1, 1]);
});
