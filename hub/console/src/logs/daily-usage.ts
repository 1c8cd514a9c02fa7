// Usage over time as rows of a chart and of a table, and its comparison with the previous period.
import type {
  DailyUsageAnswer,
  DailyUsageSeries,
  UsageMeasure,
} from '@gatewarden/shared/wire/console/logs.ts';
import { visible } from '../ui/visible.ts';
import { logTexts } from './texts.ts';
import { usd } from './usd.ts';

const t = logTexts.daily;

/** The measure of a day by series, with keys `s0`, `s1` …: names of apps and models are no safe property paths. */
export interface ChartRow {
  [series: string]: string | number;
  day: string;
}

/** Returns a row per day. */
export function chartRows({ days, series }: DailyUsageAnswer): ChartRow[] {
  return days.map((day, i) => ({
    day,
    ...Object.fromEntries(series.map(({ values }, nth) => [seriesKey(nth), values[i] ?? 0])),
  }));
}

/** Returns the key of a series in a chart row; the index starts at 0. */
export const seriesKey = (index: number): string => `s${index}`;

/** Returns the color of a series; the last color is for the remaining names. */
export const seriesColor = (index: number, { is_other }: DailyUsageSeries): string =>
  is_other ? 'var(--gw-series-other)' : `var(--gw-series-${index + 1})`;

/** Returns the name that people see. */
export const seriesName = ({ name, is_other, names }: DailyUsageSeries): string =>
  is_other ? t.other(names) : visible(name ?? logTexts.usage.unknown);

/** Returns a value with its unit: US dollars, or a whole number. */
export const measureText = (measure: UsageMeasure, value: number): string =>
  measure === 'cost' ? usd(value) : value.toLocaleString('en-GB');

/** Returns a value for an axis, short: 1.2M. */
export function axisText(measure: UsageMeasure, value: number): string {
  if (measure === 'cost' && value < 10) return usd(value);
  const short = value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
  return measure === 'cost' ? `$${short}` : short;
}

interface Sum {
  total: number;
  requests: number;
  without_price: number;
}

/** Returns the sum of a period; a dash for a cost of requests without any known price. */
export function sumText(measure: UsageMeasure, sum: Sum): string {
  return isUnknown(measure, sum) ? usd(null) : measureText(measure, sum.total);
}

/** Returns the change from the previous period in percent; a dash if there is nothing to compare with. */
export function changeText(measure: UsageMeasure, sum: Sum, previous: Sum): string {
  const isComparable =
    previous.total > 0 && !isUnknown(measure, sum) && !isUnknown(measure, previous);
  if (!isComparable) return '–';
  return (sum.total / previous.total - 1).toLocaleString('en-US', {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  });
}

/** Returns whether the sum is a cost without a known price, which does not mean that the requests were free. */
export const isUnknown = (measure: UsageMeasure, sum: Sum): boolean =>
  measure === 'cost' && sum.requests > 0 && sum.without_price === sum.requests;
