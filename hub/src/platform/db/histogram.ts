// SQL of histograms, which several features share: rows of a list by time and by facet, for the same filters as the list.
// Main types: `Facet` (a filter of the list with its values), `HistogramQuery` (the rows of a list).
// Invariants: the newest rows are counted up to a maximum; the counts of a facet ignore its own filter, so that users see the
// alternatives. Depends on the database only.
// Start reading at `selectHistogram`.
import type {
  FacetCount,
  HistogramAnswer,
  HistogramSeries,
} from '@gatewarden/shared/wire/console/histogram.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, rows } from './database.ts';
import { ANY } from './list-conditions.ts';

/** Rows that are counted: a tenant may have millions. */
const ROWS_MAX = 50_000;
const BUCKETS_MAX = 96;
const FACET_VALUES_MAX = 20;
/** Values with a series of their own; a last series sums up the remaining values. */
const SERIES_MAX = 6;
const HOUR = 3_600;
/** Widths of buckets in seconds. */
const WIDTHS = [
  ...[60, 300, 1_800, HOUR, 3 * HOUR, 12 * HOUR, 24 * HOUR, 168 * HOUR, 720 * HOUR],
  ...[8_760 * HOUR, 175_200 * HOUR],
];
/** A Monday: buckets of a week begin on Mondays. */
const ORIGIN = sql`'2001-01-01T00:00:00Z'::timestamptz`;

/** A filter of a list, with a count for each value. */
export interface Facet {
  /** The value of a row as text, or an array of texts. */
  value: RawBuilder<unknown>;
  isArray?: boolean;
  /** The condition of the chosen value; `ANY` without a choice. */
  matches: RawBuilder<unknown>;
}

export interface HistogramQuery {
  /** `FROM … WHERE …`, with all conditions except those of the facets. */
  source: RawBuilder<unknown>;
  /** The time of a row. */
  at: RawBuilder<unknown>;
  /** The period of the list; without it, all counted rows until now. */
  from?: string | undefined;
  to?: string | undefined;
  facets: Readonly<Record<string, Facet>>;
  /** The facet that is stacked. */
  series: string;
}

/** Returns a facet of a column with text; its filter is equality. */
export const columnFacet = (value: RawBuilder<unknown>, chosen: string | undefined): Facet => ({
  value,
  matches: chosen === undefined ? ANY : sql`${value} = ${chosen}`,
});

/** Returns the conditions of all facets, for the list itself. */
export const facetConditions = (facets: Readonly<Record<string, Facet>>): RawBuilder<unknown> =>
  sql.join(
    Object.values(facets).map(({ matches }) => sql`(${matches})`),
    sql` AND `,
  );

/** Returns the conditions of a period; `from` is inclusive, `to` is exclusive. */
export const periodConditions = (
  at: RawBuilder<unknown>,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): RawBuilder<unknown> => sql`
  ${from === undefined ? ANY : sql`${at} >= ${from}::timestamptz`}
  AND ${to === undefined ? ANY : sql`${at} < ${to}::timestamptz`}`;

interface CountedRow {
  kind: string;
  at: Date | null;
  value: string | null;
  count: number;
}

/** Returns the counts of the rows by time and facet. */
export async function selectHistogram(
  db: Db,
  query: HistogramQuery,
): Promise<Omit<HistogramAnswer, 'request_id'>> {
  const names = Object.keys(query.facets);
  const counts = await rows(
    db,
    sql<CountedRow>`
      WITH counted AS MATERIALIZED (${selectCounted(query)}),
      span AS (
        SELECT CASE WHEN count(*) > ${ROWS_MAX} THEN min(counted_at)
            ELSE coalesce(${query.from ?? null}::timestamptz, min(counted_at), now()) END AS starts,
          coalesce(${query.to ?? null}::timestamptz, greatest(now(), max(counted_at) + interval '1 second')) AS ends,
          CASE WHEN count(*) > ${ROWS_MAX} THEN min(counted_at) END AS counted_from
        FROM counted
      ), step AS (
        SELECT min(seconds) AS seconds, min(make_interval(secs => seconds)) AS width
        FROM span, unnest(${WIDTHS}::integer[]) AS seconds
        WHERE starts + make_interval(secs => seconds) * ${BUCKETS_MAX - 1} >= ends
      )
      SELECT 'starts' AS kind, date_bin(width, starts, ${ORIGIN}) AS at, NULL AS value, seconds AS count
      FROM span, step
      UNION ALL SELECT 'ends', ends, NULL, 0 FROM span
      UNION ALL SELECT 'counted_from', counted_from, NULL, 0 FROM span
      UNION ALL
      SELECT 'bucket', date_bin(width, counted_at, ${ORIGIN}), ${valueName(names.indexOf(query.series))}, count(*)
      FROM counted, step WHERE ${matchAll(names, null)} GROUP BY 2, 3
      UNION ALL ${sql.join(
        names.map((name, index) => selectFacet(names, index, query.facets[name]?.isArray === true)),
        sql` UNION ALL `,
      )}`,
  );
  return toAnswer(counts, names);
}

const valueName = (index: number) => sql.ref(`value_${index}`);
const matchName = (index: number) => sql.ref(`matches_${index}`);

/** Returns the condition of all facets except the facet with this index. */
const matchAll = (names: readonly string[], except: number | null) =>
  sql.join(
    [ANY, ...names.flatMap((_, index) => (index === except ? [] : [matchName(index)]))],
    sql` AND `,
  );

function selectCounted({ source, at, facets }: HistogramQuery): RawBuilder<unknown> {
  const columns = Object.values(facets).map(
    ({ value, matches }, index) =>
      sql`${value} AS ${valueName(index)}, (${matches}) AS ${matchName(index)}`,
  );
  return sql`
    SELECT ${at} AS counted_at, ${sql.join(columns)} ${source}
    ORDER BY ${at} DESC LIMIT ${ROWS_MAX + 1}`;
}

function selectFacet(
  names: readonly string[],
  index: number,
  isArray: boolean,
): RawBuilder<unknown> {
  const value = isArray ? sql`counted_value` : valueName(index);
  const source = isArray
    ? sql`counted, unnest(${valueName(index)}) AS counted_value`
    : sql`counted`;
  return sql`(
    SELECT ${names[index]}::text, NULL::timestamptz, ${value}, count(*) FROM ${source}
    WHERE ${matchAll(names, index)} GROUP BY 3
    ORDER BY bool_or(${matchName(index)}) DESC NULLS LAST, count(*) DESC, 3 LIMIT ${FACET_VALUES_MAX})`;
}

function toAnswer(
  counts: readonly CountedRow[],
  names: readonly string[],
): Omit<HistogramAnswer, 'request_id'> {
  const ofKind = (kind: string) => counts.filter((row) => row.kind === kind);
  const timeOf = (kind: string) => ofKind(kind)[0]?.at ?? null;
  const seconds = ofKind('starts')[0]?.count ?? HOUR;
  const [starts, ends] = [timeOf('starts')?.getTime() ?? 0, timeOf('ends')?.getTime() ?? 0];
  const buckets: string[] = [];
  let end = starts;
  for (; end < ends; end += seconds * 1_000) buckets.push(new Date(end).toISOString());
  const series = toSeries(ofKind('bucket'), buckets);
  return {
    from: new Date(starts).toISOString(),
    to: new Date(end).toISOString(),
    bucket_seconds: seconds,
    buckets,
    series,
    total: series.reduce((sum, { total }) => sum + total, 0),
    facets: Object.fromEntries(names.map((name) => [name, sortCounts(ofKind(name))])),
    counted_from: timeOf('counted_from')?.toISOString() ?? null,
  };
}

const sortCounts = (counts: readonly CountedRow[]): FacetCount[] =>
  counts.map(({ value, count }) => ({ value, count })).sort((a, b) => b.count - a.count);

/** Returns the most frequent values as series, and a last series for the remaining values. */
function toSeries(counts: readonly CountedRow[], buckets: readonly string[]): HistogramSeries[] {
  const places = new Map(buckets.map((at, place) => [at, place]));
  const byValue = Map.groupBy(counts, ({ value }) => value);
  const sums = [...byValue].map(([value, rows]) => ({
    value,
    rows,
    total: rows.reduce((sum, { count }) => sum + count, 0),
  }));
  sums.sort((a, b) => b.total - a.total);
  const shown = sums.slice(0, SERIES_MAX).map((item) => ({ ...item, is_other: false }));
  const rest = sums.slice(SERIES_MAX);
  const other = {
    value: null,
    is_other: true,
    rows: rest.flatMap(({ rows }) => rows),
    total: rest.reduce((sum, { total }) => sum + total, 0),
  };
  return [...shown, ...(rest.length === 0 ? [] : [other])].map(({ rows, ...series }) => {
    const values = buckets.map(() => 0);
    for (const { at, count } of rows) {
      const place = places.get(at?.toISOString() ?? '');
      if (place !== undefined) values[place] = (values[place] ?? 0) + count;
    }
    return { ...series, values };
  });
}
