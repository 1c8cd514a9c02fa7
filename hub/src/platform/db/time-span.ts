// SQL conditions for a time span.
import { type RawBuilder, sql } from 'kysely';

/** The time after `since` (null: without a start) up to and including `until`. */
export interface Span {
  since: Date | null;
  until: Date;
}

/**
 * Returns the UTC day of a time, by which rows are partitioned. The driver writes times in the hub's own zone. With this
 * condition beside the time, PostgreSQL scans only the matching partitions.
 */
export const dayOf = (at: Date): RawBuilder<unknown> =>
  sql`(${at}::timestamptz AT TIME ZONE 'UTC')::date`;

/** Returns a condition on `received_at`, which is true for every row without a span. */
export function receivedWithin(span: Span | undefined): RawBuilder<unknown> {
  return span === undefined
    ? sql`true`
    : sql`received_at <= ${span.until}
        AND (${span.since}::timestamptz IS NULL OR received_at > ${span.since})`;
}
