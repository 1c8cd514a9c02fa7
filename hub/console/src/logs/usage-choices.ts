// The measure and the series of usage over time in the URL. The file imports no schema, because every page loads it.
import type { UsageMeasure, UsageSeriesDimension } from '@gatewarden/shared/wire/console/logs.ts';

const MEASURES: readonly unknown[] = ['cost', 'tokens', 'requests'] satisfies UsageMeasure[];
const SERIES: readonly unknown[] = ['app', 'model', 'user'] satisfies UsageSeriesDimension[];

export interface UsageChoices {
  measure?: UsageMeasure | undefined;
  /** The dimension of the series. */
  stack?: UsageSeriesDimension | undefined;
}

/** Returns the choices of an address without unknown values. */
export const usageChoices = (raw: Record<string, unknown>): UsageChoices => ({
  measure: MEASURES.includes(raw.measure) ? (raw.measure as UsageMeasure) : undefined,
  stack: SERIES.includes(raw.stack) ? (raw.stack as UsageSeriesDimension) : undefined,
});
