// Searches for a piece of a name in lists of any length. What is found often is found at the list's beginning; what is
// found seldom, or nowhere, by an index of runs of three letters that a job keeps. Both only say where to look: whether a
// row is found is the list's own condition, so a search finds the same with the index and without.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, transact } from './database.ts';
import { isCitus } from './distribute.ts';
import { outsideTenants } from './tenant-connections.ts';

/** A list that is searched. Its table has `tenant_id` and `is_searchable`, false where a text changed. */
export interface SearchedList {
  table: 'products' | 'unknown_processes' | 'members';
  id: 'entity_id' | 'process_id' | 'user_id';
  /** Of a row called `t`; a piece that is found is a piece of one of these as they stand. */
  texts: readonly RawBuilder<unknown>[];
}

/** Where a list's condition is tried: on its first rows, on these (an array of ids as PostgreSQL writes it), or on all. */
export type SearchScope =
  | { in: 'head'; rows: number }
  | { in: 'these'; ids: string }
  | { in: 'all' };

/** Rows of a list that are tried before the index is asked: a common word fills its page among them. */
const HEAD_ROWS = 1_000;
/** More, and the index is no help: so many are in sight from the list's beginning. */
const FOUND_MAX = 2_500;
const GRAM_LETTERS = 3;
const FILL_ROWS = 500;
/** In one run of the job, so that it ends; the next comes within a minute. */
const FILL_RUNS = 400;

/**
 * One page of a list, by `ask`, which tries its condition in the scope it is given. Each of `pieces` must be found in some
 * text of a row that the condition finds; there may be none.
 */
export function searchPage<Row>(
  db: Db,
  search: Search,
  ask: (scope: SearchScope) => Promise<Row[]>,
): Promise<Row[]> {
  // From behind row security PostgreSQL does not use what it knows of a text, and would read every row for a search.
  return outsideTenants(async () => {
    const long = search.pieces.filter((piece) => [...piece].length >= GRAM_LETTERS);
    if (long.length === 0 || (await isCitus(db))) return ask({ in: 'all' });
    const first = await ask({ in: 'head', rows: HEAD_ROWS });
    if (first.length >= search.limit) return first;
    const found = await selectFound(db, search.list, search.tenantId, long);
    if (found.count > FOUND_MAX) return ask({ in: 'all' });
    return found.ids === null ? [] : ask({ in: 'these', ids: found.ids });
  });
}

interface Search {
  list: SearchedList;
  tenantId: string;
  pieces: readonly string[];
  limit: number;
}

/**
 * What a list's statement reads from: its table, or the rows of it that the scope leaves, in the order of the list, so that
 * only what fills the page is joined with anything. `own` and `order` name columns of the table as `alias`.
 */
export function rowsIn(
  scope: SearchScope,
  list: SearchedList,
  { alias, own, order }: { alias: string; own: RawBuilder<unknown>; order: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const table = sql.table(list.table);
  if (scope.in === 'all') return table;
  const rows = sql`SELECT * FROM ${table} ${sql.ref(alias)} WHERE ${own}`;
  if (scope.in === 'head') return sql`(${rows} ORDER BY ${order} LIMIT ${scope.rows})`;
  const type = list.id === 'user_id' ? sql`uuid` : sql`bytea`;
  return sql`(${rows} AND ${sql.ref(`${alias}.${list.id}`)} = ANY (${scope.ids}::${type}[])
    ORDER BY ${order})`;
}

/** Rows that may be found, and those that the job has not seen: the ids go back as they came, a thousand are not parsed here. */
async function selectFound(
  db: Db,
  list: SearchedList,
  tenantId: string,
  pieces: readonly string[],
): Promise<{ count: number; ids: string | null }> {
  const grams = gramsOf(sql`${list.table}::text || ${tenantId}::text`, sql`${pieces}::text[]`);
  const most = FOUND_MAX + 1;
  const id = list.id === 'user_id' ? sql`encode(item_id, 'hex')::uuid` : sql`item_id`;
  // In one statement, so that what the job moves from one to the other meanwhile is in one of them.
  const found = await row(
    db,
    sql<{ count: number; ids: string | null }>`
      SELECT count(*) AS count, array_agg(${id})::text AS ids FROM (
        (SELECT ${keyOf(list)} AS item_id FROM ${sql.table(list.table)} t
          WHERE tenant_id = ${tenantId} AND NOT is_searchable LIMIT ${most})
        UNION ALL
        (SELECT item_id FROM search_grams
          WHERE tenant_id = ${tenantId} AND list = ${list.table} AND grams @> ${grams} LIMIT ${most})
      ) found`,
  );
  return found ?? { count: 0, ids: null };
}

/** Keeps the index of a list: any hub process may, at any time. Nothing on Citus, where nothing asks it. */
export async function indexSearches(db: Db, list: SearchedList): Promise<void> {
  if (await isCitus(db)) return;
  for (let run = 0; run < FILL_RUNS; run++) {
    const filled = await transact(db, async (tx) => {
      const done = await sql`
        WITH waiting AS MATERIALIZED (
          SELECT tenant_id, ${sql.ref(list.id)}, ARRAY[${sql.join(list.texts)}] AS texts
          FROM ${sql.table(list.table)} t WHERE NOT is_searchable
          LIMIT ${FILL_ROWS} FOR UPDATE SKIP LOCKED
        ), kept AS (
          INSERT INTO search_grams (tenant_id, list, item_id, grams)
          SELECT tenant_id, ${list.table}, ${keyOf(list)},
            ${gramsOf(sql`${list.table}::text || tenant_id::text`, sql`texts`)}
          FROM waiting t
          ON CONFLICT (tenant_id, list, item_id) DO UPDATE SET grams = excluded.grams
        )
        UPDATE ${sql.table(list.table)} t SET is_searchable = true FROM waiting w
        WHERE t.tenant_id = w.tenant_id AND ${sql.ref(`t.${list.id}`)} = ${sql.ref(`w.${list.id}`)}`.execute(
        tx,
      );
      return Number(done.numAffectedRows ?? 0);
    });
    if (filled < FILL_ROWS) return;
  }
}

/** The statement's end that takes what is gone from a list out of the index; `ids` selects them. */
export const forgetSearched = (
  table: SearchedList['table'],
  tenantId: string,
  ids: RawBuilder<unknown>,
) => sql`DELETE FROM search_grams
  WHERE tenant_id = ${tenantId} AND list = ${table} AND item_id IN (${ids})`;

/** The ids of people are UUIDs, those of everything else bytes. */
const keyOf = (list: SearchedList) =>
  list.id === 'user_id' ? sql`uuid_send(t.user_id)` : sql.ref(`t.${list.id}`);

/** `salt` keeps lists and tenants apart within one index. */
const gramsOf = (salt: RawBuilder<unknown>, texts: RawBuilder<unknown>) => sql`ARRAY(
  SELECT DISTINCT hashtext(${salt} || substr(text, at, ${GRAM_LETTERS}))
  FROM unnest(${texts}) AS text, generate_series(1, char_length(text) - ${GRAM_LETTERS - 1}) AS at)`;
