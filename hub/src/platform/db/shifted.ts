// Times that a test moves in the database, in a form that Citus takes too: there an UPDATE may not reckon with a session's time zone.
import { type RawBuilder, sql } from 'kysely';

/** The column's time, later by what an interval says ('-3 days' is earlier). */
export function shifted(column: string, by: string): RawBuilder<Date> {
  return sql<Date>`((${sql.ref(column)} AT TIME ZONE 'UTC' + ${sql.lit(by)}::interval) AT TIME ZONE 'UTC')`;
}
