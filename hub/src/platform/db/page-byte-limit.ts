// Limits list pages of large rows by their bytes. The bytes are counted in the database, so that rows beyond the limit are
// never read.
import { type RawBuilder, sql } from 'kysely';

/** Bytes of the documents of a page. The first document of a page may exceed it. */
const PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRow {
  /** False only for the last row, which belongs to the next page. */
  fits: boolean;
}

/** Limits a query whose rows have `own_bytes`. The result has the rows that fit, and the first row that does not. */
export function limitPageBytes(query: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  return sql`
    SELECT *, nth = 1 OR bytes <= ${PAGE_BYTES} AS fits FROM (
      SELECT source.*, row_number() OVER up_to AS nth, sum(own_bytes) OVER up_to AS bytes
      FROM (${query}) AS source WINDOW up_to AS (ORDER BY ${order})
    ) AS counted
    WHERE nth <= 2 OR bytes - own_bytes <= ${PAGE_BYTES}
    ORDER BY ${order}`;
}

/** Counts the rows of a result that fit into the page. */
export const countFitting = (fetched: readonly PageRow[]): number =>
  fetched.filter(({ fits }) => fits).length;
