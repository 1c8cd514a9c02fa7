// Pages of rows that may each be large: as many as an answer should hold, counted where they are stored, so that what
// does not fit is never read.
import { type RawBuilder, sql } from 'kysely';

/** What the documents of one page may hold, unless its first one alone is larger. */
const PAGE_BYTES = 4 * 1024 * 1024;

export interface Fitting {
  /** False of one row at most, the last: there are more, and it is on the next page. */
  fits: boolean;
}

/** `found` gives rows with `own_bytes`, in this order and limited; of them come those that fit, and one that does not. */
export function pageWithin(found: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return sql`
    SELECT *, nth = 1 OR bytes <= ${PAGE_BYTES} AS fits FROM (
      SELECT found.*, row_number() OVER up_to AS nth, sum(own_bytes) OVER up_to AS bytes
      FROM (${found}) AS found WINDOW up_to AS (ORDER BY ${order})
    ) AS counted
    WHERE nth <= 2 OR bytes - own_bytes <= ${PAGE_BYTES}
    ORDER BY ${order}`;
}

export const countFitting = (found: readonly Fitting[]): number =>
  found.filter(({ fits }) => fits).length;
