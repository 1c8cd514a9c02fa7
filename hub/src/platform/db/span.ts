// Rows of a span of time, as SQL.
import { type RawBuilder, sql } from 'kysely';

/** From after `since`, or from ever, until `until`. */
export interface Span {
  since: Date | null;
  until: Date;
}

/**
 * The day of a time as rows are filed by: in UTC, for the driver writes times in the hub's own zone. Said beside the time,
 * only the partitions from then on are looked at.
 */
export const dayOf = (at: Date): RawBuilder<unknown> =>
  sql`(${at}::timestamptz AT TIME ZONE 'UTC')::date`;

/** A condition on `received_at`; without a span every row meets it. */
export function receivedWithin(span: Span | undefined): RawBuilder<unknown> {
  return span === undefined
    ? sql`true`
    : sql`received_at <= ${span.until}
        AND (${span.since}::timestamptz IS NULL OR received_at > ${span.since})`;
}
