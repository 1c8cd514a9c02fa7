// SQL that the lists of several features share: conditions, orders and counts.
// Invariants: the functions compose fragments with parameters; each feature's store.ts owns its statement.
import type { TimeSort } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row } from './database.ts';

/** Returns a `LIKE` pattern that matches the literal text anywhere. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
}

/** The condition of an omitted filter. */
export const ANY: RawBuilder<boolean> = sql<boolean>`true`;

/**
 * Returns the condition for rows after the cursor's position in a list that is ordered by `at` descending, then `id`
 * ascending. Without a position it matches all rows. `at` and `id` are column names.
 */
export function newestFirst(
  after: readonly string[] | undefined,
  at: string,
  id: string,
): RawBuilder<boolean> {
  if (after === undefined) return ANY;
  const [time, key] = [sql.ref(at), sql.ref(id)];
  return sql`(${time} < ${after[0]}::timestamptz
    OR (${time} = ${after[0]}::timestamptz AND ${key} > ${after[1]}::uuid))`;
}

/**
 * Returns the order by a time and the condition for rows after the cursor's position. `at` and `id`, a
 * UUID, are expressions. Newest first, ids ascend within a time; oldest first is the exact reverse.
 */
export function timeOrder(
  sort: TimeSort | undefined,
  after: readonly string[] | undefined,
  { at, id }: { at: RawBuilder<unknown>; id: RawBuilder<unknown> },
): { order: RawBuilder<unknown>; isAfter: RawBuilder<boolean> } {
  const isOldestFirst = sort === 'time';
  const order = isOldestFirst ? sql`${at}, ${id} DESC` : sql`${at} DESC, ${id}`;
  if (after === undefined) return { order, isAfter: ANY };
  const [time, key] = [sql`${after[0]}::timestamptz`, sql`${after[1]}::uuid`];
  const isAfter = isOldestFirst
    ? sql<boolean>`(${at} > ${time} OR (${at} = ${time} AND ${id} < ${key}))`
    : sql<boolean>`(${at} < ${time} OR (${at} = ${time} AND ${id} > ${key}))`;
  return { order, isAfter };
}

/** Maximum of rows that a list counts. */
const COUNTED_MAX = 100_000;

/**
 * Returns how many rows this query selects; null where there are more than `max`, which are not counted to the end. The
 * query needs a column: Citus cannot read an intermediate result without one.
 */
export async function countRows(
  db: Db,
  query: RawBuilder<unknown>,
  max = COUNTED_MAX,
): Promise<number | null> {
  const answer = await row(
    db,
    sql<{ total: number }>`
      SELECT count(*) AS total FROM (${query} LIMIT ${max + 1}) counted`,
  );
  const total = answer?.total ?? 0;
  return total > max ? null : total;
}
