// The period of a range, fixed while the range stays: pages of a list share their filter.
import { useMemo } from 'react';
import { type Period, periodOf, type RangeSearch } from './time-range.ts';

/** Returns the period of the range, as of when the range was chosen. */
export function usePeriod({ range, from, to }: RangeSearch): Period {
  return useMemo(() => periodOf({ range, from, to }, Date.now()), [range, from, to]);
}
