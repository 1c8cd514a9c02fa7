// The time range of Activity, as the address has it: a preset that ends now, or two times. Its tabs share it. Pure.
import { instant, oneOf } from '../api/query-string.ts';

export const RANGE_PRESETS = ['1h', '24h', '7d', '30d'] as const;
export type RangePreset = (typeof RANGE_PRESETS)[number];

export interface RangeSearch {
  range?: RangePreset | undefined;
  /** Times in UTC: the start, and the exclusive end. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns the range alone. */
export const pickRange = ({ range, from, to }: RangeSearch): RangeSearch => ({ range, from, to });

export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<RangePreset, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

/** Returns the range that raw search parameters name. */
export const rangeSearch = (raw: Readonly<Record<string, unknown>>): RangeSearch => ({
  range: oneOf(RANGE_PRESETS, raw.range),
  from: instant(raw.from),
  to: instant(raw.to),
});

/** Returns the period of a range; without a range, all times. `now` is in milliseconds. */
export function periodOf({ range, from, to }: RangeSearch, now: number): Period {
  if (range === undefined) return { from, to };
  return { from: new Date(now - LENGTHS[range]).toISOString() };
}

/** Returns the period of buckets, from the start of the earlier to the end of the later. */
export function periodOfBuckets(first: string, second: string, bucketSeconds: number): Period {
  const [start = first, last = second] = [first, second].sort();
  return { from: start, to: new Date(Date.parse(last) + bucketSeconds * 1_000).toISOString() };
}
