// Searches for a piece of a name in lists of any length. What is found often is found at the list's beginning; what is
// found seldom, or nowhere, by an index of runs of three letters that a job keeps. Both only say where to look: whether a
// row is found is the list's own condition, so a search finds the same with the index and without.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, transact } from './database.ts';
import { isCitus } from './distribute.ts';
import { outsideTenants } from './tenant-connections.ts';

/** A list that is searched. Its table has a `tenant_id`, and an index of the rows that wait. */
export interface SearchedList {
  table: 'products' | 'inventory_products' | 'unknown_processes' | 'members' | 'devices' | 'apps';
  id: 'entity_id' | 'product_id' | 'process_id' | 'user_id' | 'device_id' | 'app_id';
  /** Of a row called `t`; a piece that is found is a piece of one of these as they stand. */
  texts: readonly RawBuilder<unknown>[];
  /** That a row's texts are not in the index as they stand: a partial index of the table says the same, word for word. */
  waits: RawBuilder<unknown>;
  /** What is set in a row (`t`) that waits no longer. */
  settled: RawBuilder<unknown>;
}

/** Where whoever changes a text says so. */
export const WAITS_BY_FLAG = {
  waits: sql`NOT is_searchable`,
  settled: sql`is_searchable = true`,
} as const;

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
/** So many leave few rows that are not meant. */
const ENOUGH_GRAMS = 4;
/** So long what is most common is taken for it: it changes with the fleet, and only says how long a search takes. */
const COUNTED_MS = 10 * 60_000;
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
    const [first, found] = await Promise.all([
      ask({ in: 'head', rows: HEAD_ROWS }),
      selectFound(db, search.list, search.tenantId, long),
    ]);
    if (first.length >= search.limit) return first;
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
  const type = hasUuids(list) ? sql`uuid` : sql`bytea`;
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
  const grams = seldom(
    gramsOf(sql`${list.table}::text || ${tenantId}::text`, sql`${pieces}::text[]`),
    await commonGrams(db),
  );
  const most = FOUND_MAX + 1;
  const id = hasUuids(list) ? sql`encode(item_id, 'hex')::uuid` : sql`item_id`;
  // In one statement, so that what the job moves from one to the other meanwhile is in one of them.
  const found = await row(
    db,
    sql<{ count: number; ids: string | null }>`
      SELECT count(*) AS count, array_agg(${id})::text AS ids FROM (
        (SELECT ${keyOf(list)} AS item_id FROM ${sql.table(list.table)} t
          WHERE tenant_id = ${tenantId} AND ${list.waits} LIMIT ${most})
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
          FROM ${sql.table(list.table)} t WHERE ${list.waits}
          LIMIT ${FILL_ROWS} FOR UPDATE SKIP LOCKED
        ), kept AS (
          INSERT INTO search_grams (tenant_id, list, item_id, grams)
          SELECT tenant_id, ${list.table}, ${keyOf(list)},
            ${gramsOf(sql`${list.table}::text || tenant_id::text`, sql`texts`)}
          FROM waiting t
          ON CONFLICT (tenant_id, list, item_id) DO UPDATE SET grams = excluded.grams
        )
        UPDATE ${sql.table(list.table)} t SET ${list.settled} FROM waiting w
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

/** The ids of what a hash names are bytes, those of everything else UUIDs. */
const hasUuids = ({ id }: SearchedList) =>
  id !== 'entity_id' && id !== 'product_id' && id !== 'process_id';

const keyOf = (list: SearchedList) => {
  const id = sql.ref(`t.${list.id}`);
  return hasUuids(list) ? sql`uuid_send(${id})` : id;
};

/**
 * Of these runs, those that are not among the most common, and where all are common the least common ones: reading where
 * "pro" stands, which everything holds, takes longer than all else.
 */
const seldom = (grams: RawBuilder<unknown>, common: string) => sql`ARRAY(
  SELECT gram FROM (
    SELECT gram, nth, row_number() OVER (ORDER BY nth NULLS FIRST) AS place
    FROM (SELECT gram, array_position(${common}::integer[], gram) AS nth FROM unnest(${grams}) AS gram) told
  ) ranked WHERE nth IS NULL OR place <= ${ENOUGH_GRAMS})`;

const counted = new WeakMap<Db, { until: number; common: Promise<string> }>();

/** What PostgreSQL counted as most common when it last looked, the least common first. Reading it takes longer than a search. */
function commonGrams(db: Db): Promise<string> {
  const known = counted.get(db);
  if (known !== undefined && performance.now() < known.until) return known.common;
  const common = row(
    db,
    sql<{ grams: string }>`
      SELECT coalesce(array_agg(gram ORDER BY freq), '{}')::text AS grams FROM (
        SELECT unnest(most_common_elems::text::integer[]) AS gram, unnest(most_common_elem_freqs) AS freq
        FROM pg_stats
        WHERE schemaname = current_schema AND tablename = 'search_grams' AND attname = 'grams') told
      WHERE gram IS NOT NULL`,
  ).then((found) => found?.grams ?? '{}');
  common.catch(() => counted.delete(db));
  counted.set(db, { until: performance.now() + COUNTED_MS, common });
  return common;
}

/** `salt` keeps lists and tenants apart within one index. */
const gramsOf = (salt: RawBuilder<unknown>, texts: RawBuilder<unknown>) => sql`ARRAY(
  SELECT DISTINCT hashtext(${salt} || substr(text, at, ${GRAM_LETTERS}))
  FROM unnest(${texts}) AS text, generate_series(1, char_length(text) - ${GRAM_LETTERS - 1}) AS at)`;
