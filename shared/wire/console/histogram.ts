// The answer of GET C/alerts/histogram, C/activity/histogram, C/llm/requests/histogram, C/mcp/tool-calls/histogram and
// C/audit/histogram: counts of the rows of the list by time and by the values of its filters.
import { type Static, Type } from 'typebox';
import { Nullable } from '../common.ts';

const HistogramSeries = Type.Object({
  /** The value of the facet that is stacked; null: rows without a value, or the remaining values. */
  value: Nullable(Type.String()),
  is_other: Type.Boolean(),
  total: Type.Integer(),
  /** The rows of each bucket. */
  values: Type.Array(Type.Integer()),
});
export type HistogramSeries = Static<typeof HistogramSeries>;

const FacetCount = Type.Object({
  /** Null: rows without a value. */
  value: Nullable(Type.String()),
  count: Type.Integer(),
});
export type FacetCount = Static<typeof FacetCount>;

export const HistogramAnswer = Type.Object({
  /** The start of the first bucket. Buckets are aligned to UTC. */
  from: Type.String(),
  /** The exclusive end of the last bucket. */
  to: Type.String(),
  bucket_seconds: Type.Integer(),
  /** The start of each bucket. */
  buckets: Type.Array(Type.String()),
  series: Type.Array(HistogramSeries),
  /** The number of rows in all buckets. */
  total: Type.Integer(),
  /**
   * Counts by facet, most frequent first: the rows that match all filters except the filter of the facet itself. The number
   * of values is limited; a chosen value is always included if it has rows.
   */
  facets: Type.Record(Type.String(), Type.Array(FacetCount)),
  /** The time of the oldest counted row if there are more rows than are counted; else null. */
  counted_from: Nullable(Type.String()),
  request_id: Type.String(),
});
export type HistogramAnswer = Static<typeof HistogramAnswer>;
