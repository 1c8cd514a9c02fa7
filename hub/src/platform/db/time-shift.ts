// Shifts times in the database, for tests. On Citus an UPDATE must not depend on the session's time zone.
import { type RawBuilder, sql } from 'kysely';

/** Returns a column's time plus an interval; '-3 days' is earlier. */
export function shiftTime(column: string, by: string): RawBuilder<Date> {
  return sql<Date>`((${sql.ref(column)} AT TIME ZONE 'UTC' + ${sql.lit(by)}::interval) AT TIME ZONE 'UTC')`;
}
