// Rows of a span of time, as SQL.
import { type RawBuilder, sql } from 'kysely';

/** From after `since`, or from ever, until `until`. */
export interface Span {
  since: Date | null;
  until: Date;
}

/** A condition on `received_at`; without a span every row meets it. */
export function receivedWithin(span: Span | undefined): RawBuilder<unknown> {
  return span === undefined
    ? sql`true`
    : sql`received_at <= ${span.until}
        AND (${span.since}::timestamptz IS NULL OR received_at > ${span.since})`;
}
