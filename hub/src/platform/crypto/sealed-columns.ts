// Where sealed texts stand. Each column is named once: by it a text is bound to its row, and found again when the master
// key is rotated.
import { sql } from 'kysely';
import { type Db, rows } from '../db/database.ts';
import { type Sealer, UnsealError } from './seal.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** The table's primary key; its values bind the text to the row. */
  key: readonly string[];
  /** What the place says instead of the column's name. */
  field?: string;
}

/** The place that a text of this column is bound to; bytes as hex. */
export function placeIn({ table, column, field }: SealedColumn, key: readonly string[]): string {
  return [table, ...key, field ?? column].join('/');
}

const AT_ONCE = 200;

export interface Resealed {
  resealed: number;
  /** Places of texts that no key of the ring opens; they were left as they are. */
  unopened: string[];
}

/**
 * Seals every text of the column anew that is not under the current master key. Runs beside writers: a text that changes
 * meanwhile is looked at again. Secrets are in clear only in memory, one at a time.
 */
export async function resealColumn(
  db: Db,
  sealer: Sealer,
  sealed: SealedColumn,
): Promise<Resealed> {
  const unopened = new Set<string>();
  let resealed = 0;
  for (;;) {
    const found = await selectOld(db, sealer, sealed, unopened.size);
    const fresh = found.filter((one) => !unopened.has(placeIn(sealed, one.key)));
    if (fresh.length === 0) return { resealed, unopened: [...unopened] };
    for (const { key, text } of fresh) {
      const place = placeIn(sealed, key);
      try {
        const again = sealer.seal(sealer.unseal(text, place), place);
        resealed += await replace(db, sealed, key, text, again);
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        unopened.add(place);
      }
    }
  }
}

const SAMPLES = 100;

/** Opens some texts of the column, so many for each master key that sealed any, and keeps nothing of them. */
export async function openSamples(
  db: Db,
  sealer: Sealer,
  sealed: SealedColumn,
): Promise<{ opened: number; unopened: string[] }> {
  const { table, column, key } = sealed;
  const order = sql.join(key.map((name) => sql.ref(name)));
  const found = await rows(
    db,
    sql<Old>`
      SELECT key, text FROM (
        SELECT ARRAY[${sql.join(key.map(asText))}] AS key, ${sql.ref(column)} AS text, row_number()
          OVER (PARTITION BY split_part(${sql.ref(column)}, '.', 2) ORDER BY ${order}) AS nth
        FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL) AS numbered
      WHERE nth <= ${SAMPLES} ORDER BY key`,
  );
  const unopened: string[] = [];
  for (const one of found) {
    const place = placeIn(sealed, one.key);
    try {
      sealer.unseal(one.text, place);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      unopened.push(`${place}: ${error.message}`);
    }
  }
  return { opened: found.length - unopened.length, unopened };
}

interface Old {
  key: string[];
  text: string;
}

/** Some texts under other keys than the current one, more of them than are known not to open. */
function selectOld(
  db: Db,
  sealer: Sealer,
  { table, column, key }: SealedColumn,
  unopened: number,
): Promise<Old[]> {
  const order = sql.join(key.map((name) => sql.ref(name)));
  return rows(
    db,
    sql<Old>`
      SELECT ARRAY[${sql.join(key.map(asText))}] AS key, ${sql.ref(column)} AS text
      FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL
        AND NOT starts_with(${sql.ref(column)}, ${sealer.currentPrefix()})
      ORDER BY ${order} LIMIT ${AT_ONCE + unopened}`,
  );
}

async function replace(
  db: Db,
  { table, column, key }: SealedColumn,
  values: readonly string[],
  before: string,
  after: string,
): Promise<number> {
  // The column as it is: a distributed table is reached by its key.
  const isRow = key.map((name, i) =>
    isBytes(name)
      ? sql`${sql.ref(name)} = decode(${values[i]}, 'hex')`
      : sql`${sql.ref(name)} = ${values[i]}`,
  );
  const updated = await sql`
    UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${after}
    WHERE ${sql.join(isRow, sql` AND `)} AND ${sql.ref(column)} = ${before}`.execute(db);
  return Number(updated.numAffectedRows ?? 0);
}

/** Ids and names as they read, bytes as hex: the driver shall not have to know a table's types. */
function asText(name: string) {
  return isBytes(name) ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`;
}

const isBytes = (name: string) => name.endsWith('_hash');
