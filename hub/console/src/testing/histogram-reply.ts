// Answers of histogram routes; a test names the facets that it is about.
import type { FacetCount, HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';

/** Returns two hours of buckets with `counts` rows of a series each, and these facets. */
export function aHistogram(
  value = 'high',
  counts: readonly [number, number] = [1, 2],
  facets: Record<string, FacetCount[]> = {},
): HistogramAnswer {
  const total = counts[0] + counts[1];
  return {
    ...{ from: '2026-03-01T10:00:00.000Z', to: '2026-03-01T12:00:00.000Z', bucket_seconds: 3_600 },
    buckets: ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    series: [{ value, is_other: false, total, values: [...counts] }],
    ...{ total, facets, counted_from: null, request_id: 'r-histogram' },
  };
}
