// Substring search in lists of any length. Frequent terms match among the first rows of a list; rare terms are found by a
// trigram index that a job maintains. Both only narrow the candidates: the list's own condition decides, so the result is
// the same with and without the index.
import { type RawBuilder, sql } from 'kysely';
import { isCitus } from './citus-distribution.ts';
import { type Db, row, transact } from './database.ts';
import { outsideTenants } from './tenant-connections.ts';

/** A searchable list. Its table has a `tenant_id`, and a partial index of the rows that are not indexed yet. */
export interface SearchedList {
  table: 'products' | 'inventory_products' | 'unknown_processes' | 'members' | 'devices' | 'apps';
  id: 'entity_id' | 'product_id' | 'process_id' | 'user_id' | 'device_id' | 'app_id';
  /** Searched texts of a row `t`. A match is a substring of any of them. */
  texts: readonly RawBuilder<unknown>[];
  /** Condition of a row whose texts are not indexed yet; equal to that of the table's partial index, literally. */
  isPending: RawBuilder<unknown>;
  /** Assignment that marks a row `t` as indexed. */
  markIndexed: RawBuilder<unknown>;
}

/** For tables whose writers clear a flag when they change a text. */
export const PENDING_BY_FLAG = {
  isPending: sql`NOT is_searchable`,
  markIndexed: sql`is_searchable = true`,
} as const;

/** The rows that a condition is applied to: the first rows, some ids (a PostgreSQL array literal), or all rows. */
export type SearchScope =
  | { in: 'head'; rows: number }
  | { in: 'these'; ids: string }
  | { in: 'all' };

/** Rows that are searched before the index is used. A common term fills its page among them. */
const HEAD_ROWS = 1_000;
/** Number of candidates above which the index does not help: matches are frequent near the beginning of the list. */
const CANDIDATES_MAX = 2_500;
const GRAM_LETTERS = 3;
/** This many trigrams leave few false candidates. */
const ENOUGH_GRAMS = 4;
/** Cache time of the most common trigrams. They change slowly and only affect the speed of a search. */
const COMMON_GRAMS_CACHE_MS = 10 * 60_000;
const FILL_ROWS = 500;
/** Limit of batches per run of the job. The next run follows within a minute. */
const FILL_BATCHES = 400;

/**
 * Returns a page of a list. `query` applies the list's condition within a scope. Each of `pieces` must be a substring of
 * some text of every matching row; there may be no pieces.
 */
export function searchPage<Row>(
  db: Db,
  search: Search,
  query: (scope: SearchScope) => Promise<Row[]>,
): Promise<Row[]> {
  // Under row security PostgreSQL does not use text statistics, and would read every row.
  return outsideTenants(async () => {
    const long = search.pieces.filter((piece) => [...piece].length >= GRAM_LETTERS);
    if (long.length === 0 || (await isCitus(db))) return query({ in: 'all' });
    const [first, candidates] = await Promise.all([
      query({ in: 'head', rows: HEAD_ROWS }),
      selectCandidates(db, search.list, search.tenantId, long),
    ]);
    if (first.length >= search.limit) return first;
    if (candidates.count > CANDIDATES_MAX) return query({ in: 'all' });
    return candidates.ids === null ? [] : query({ in: 'these', ids: candidates.ids });
  });
}

interface Search {
  list: SearchedList;
  tenantId: string;
  pieces: readonly string[];
  limit: number;
}

/**
 * Returns the FROM item of a list: its table, or the rows of the scope in the order of the list, so that only rows of the
 * page are joined. `own` and `order` refer to columns of the table as `alias`.
 */
export function scopeRows(
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

/** Returns candidates of the index and rows that are not indexed yet. Ids stay in PostgreSQL's format, to avoid parsing. */
async function selectCandidates(
  db: Db,
  list: SearchedList,
  tenantId: string,
  pieces: readonly string[],
): Promise<{ count: number; ids: string | null }> {
  const grams = selectRareGrams(
    gramsOf(sql`${list.table}::text || ${tenantId}::text`, sql`${pieces}::text[]`),
    await commonGrams(db),
  );
  const max = CANDIDATES_MAX + 1;
  const id = hasUuids(list) ? sql`encode(item_id, 'hex')::uuid` : sql`item_id`;
  // A single statement is used, so that rows that the job indexes meanwhile are in either part.
  const candidates = await row(
    db,
    sql<{ count: number; ids: string | null }>`
      SELECT count(*) AS count, array_agg(${id})::text AS ids FROM (
        (SELECT ${keyOf(list)} AS item_id FROM ${sql.table(list.table)} t
          WHERE tenant_id = ${tenantId} AND ${list.isPending} LIMIT ${max})
        UNION ALL
        (SELECT item_id FROM search_grams
          WHERE tenant_id = ${tenantId} AND list = ${list.table} AND grams @> ${grams} LIMIT ${max})
      ) candidates`,
  );
  return candidates ?? { count: 0, ids: null };
}

/** Updates the index of a list; concurrent calls are safe. On Citus the index is not used. */
export async function indexSearches(db: Db, list: SearchedList): Promise<void> {
  if (await isCitus(db)) return;
  for (let batch = 0; batch < FILL_BATCHES; batch++) {
    const filled = await transact(db, async (tx) => {
      const update = await sql`
        WITH waiting AS MATERIALIZED (
          SELECT tenant_id, ${sql.ref(list.id)}, ARRAY[${sql.join(list.texts)}] AS texts
          FROM ${sql.table(list.table)} t WHERE ${list.isPending}
          LIMIT ${FILL_ROWS} FOR UPDATE SKIP LOCKED
        ), indexed AS (
          INSERT INTO search_grams (tenant_id, list, item_id, grams)
          SELECT tenant_id, ${list.table}, ${keyOf(list)},
            ${gramsOf(sql`${list.table}::text || tenant_id::text`, sql`texts`)}
          FROM waiting t
          ON CONFLICT (tenant_id, list, item_id) DO UPDATE SET grams = excluded.grams
        )
        UPDATE ${sql.table(list.table)} t SET ${list.markIndexed} FROM waiting w
        WHERE t.tenant_id = w.tenant_id AND ${sql.ref(`t.${list.id}`)} = ${sql.ref(`w.${list.id}`)}`.execute(
        tx,
      );
      return Number(update.numAffectedRows ?? 0);
    });
    if (filled < FILL_ROWS) return;
  }
}

/** Returns the statement that deletes removed rows from the index; `ids` selects them. */
export const deleteSearchGrams = (
  table: SearchedList['table'],
  tenantId: string,
  ids: RawBuilder<unknown>,
) => sql`DELETE FROM search_grams
  WHERE tenant_id = ${tenantId} AND list = ${table} AND item_id IN (${ids})`;

/** Ids that are hashes are bytes; all other ids are UUIDs. */
const hasUuids = ({ id }: SearchedList) =>
  id !== 'entity_id' && id !== 'product_id' && id !== 'process_id';

const keyOf = (list: SearchedList) => {
  const id = sql.ref(`t.${list.id}`);
  return hasUuids(list) ? sql`uuid_send(${id})` : id;
};

/**
 * Returns the trigrams that are not among the most common, or the least common ones if all are common. Reading the entries
 * of a ubiquitous trigram such as "pro" would take longer than the rest of the search.
 */
const selectRareGrams = (grams: RawBuilder<unknown>, common: string) => sql`ARRAY(
  SELECT gram FROM (
    SELECT gram, nth, row_number() OVER (ORDER BY nth NULLS FIRST) AS rarity
    FROM (SELECT gram, array_position(${common}::integer[], gram) AS nth FROM unnest(${grams}) AS gram) numbered
  ) ranked WHERE nth IS NULL OR rarity <= ${ENOUGH_GRAMS})`;

const commonGramsCache = new WeakMap<Db, { until: number; common: Promise<string> }>();

/** Returns the most common trigrams of PostgreSQL's statistics, rarest first. Reading them takes longer than a search. */
function commonGrams(db: Db): Promise<string> {
  const cached = commonGramsCache.get(db);
  if (cached !== undefined && performance.now() < cached.until) return cached.common;
  const common = row(
    db,
    sql<{ grams: string }>`
      SELECT coalesce(array_agg(gram ORDER BY freq), '{}')::text AS grams FROM (
        SELECT unnest(most_common_elems::text::integer[]) AS gram, unnest(most_common_elem_freqs) AS freq
        FROM pg_stats
        WHERE schemaname = current_schema AND tablename = 'search_grams' AND attname = 'grams') common
      WHERE gram IS NOT NULL`,
  ).then((statistics) => statistics?.grams ?? '{}');
  common.catch(() => commonGramsCache.delete(db));
  commonGramsCache.set(db, { until: performance.now() + COMMON_GRAMS_CACHE_MS, common });
  return common;
}

/** Returns the hashed trigrams of texts. `salt` separates lists and tenants within the index. */
const gramsOf = (salt: RawBuilder<unknown>, texts: RawBuilder<unknown>) => sql`ARRAY(
  SELECT DISTINCT hashtext(${salt} || substr(text, at, ${GRAM_LETTERS}))
  FROM unnest(${texts}) AS text, generate_series(1, char_length(text) - ${GRAM_LETTERS - 1}) AS at)`;
