// Columns with sealed texts. The definition of a column determines the location that binds a text to its row, and lets the
// rotation of the master key find the texts.
import { sql } from 'kysely';
import { type Db, rows } from '../db/database.ts';
import { type Sealer, UnsealError } from './seal.ts';

export interface SealedColumn {
  table: string;
  column: string;
  /** The table's primary key; its values bind the text to the row. */
  key: readonly string[];
  /** Replaces the column's name in the location. */
  field?: string;
}

/** Returns the location that a text of the column is bound to. Bytes in the key are hexadecimal. */
export function locationOf({ table, column, field }: SealedColumn, key: readonly string[]): string {
  return [table, ...key, field ?? column].join('/');
}

const BATCH_SIZE = 200;

export interface Resealed {
  resealed: number;
  /** Locations of texts that no key of the ring can unseal; they stay unchanged. */
  unopened: string[];
}

/**
 * Reseals every text of the column that is not sealed with the current master key. Writers may run at the same time: a text
 * that changes meanwhile is processed again. A single plain secret is in memory at a time.
 */
export async function resealColumn(
  db: Db,
  sealer: Sealer,
  sealed: SealedColumn,
): Promise<Resealed> {
  const unopened = new Set<string>();
  let resealed = 0;
  for (;;) {
    const outdated = await selectOutdated(db, sealer, sealed, unopened.size);
    const remaining = outdated.filter(({ key }) => !unopened.has(locationOf(sealed, key)));
    if (remaining.length === 0) return { resealed, unopened: [...unopened] };
    for (const { key, text } of remaining) {
      const location = locationOf(sealed, key);
      try {
        const resealedText = sealer.seal(sealer.unseal(text, location), location);
        resealed += await replace(db, sealed, key, text, resealedText);
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        unopened.add(location);
      }
    }
  }
}

const SAMPLES = 100;

/** Tries to unseal sample texts of the column for each master key, without storing them. */
export async function openSamples(
  db: Db,
  sealer: Sealer,
  sealed: SealedColumn,
): Promise<{ opened: number; unopened: string[] }> {
  const { table, column, key } = sealed;
  const order = sql.join(key.map((name) => sql.ref(name)));
  const samples = await rows(
    db,
    sql<SealedText>`
      SELECT key, text FROM (
        SELECT ARRAY[${sql.join(key.map(asText))}] AS key, ${sql.ref(column)} AS text, row_number()
          OVER (PARTITION BY split_part(${sql.ref(column)}, '.', 2) ORDER BY ${order}) AS nth
        FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL) AS numbered
      WHERE nth <= ${SAMPLES} ORDER BY key`,
  );
  const unopened: string[] = [];
  for (const sample of samples) {
    const location = locationOf(sealed, sample.key);
    try {
      sealer.unseal(sample.text, location);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      unopened.push(`${location}: ${error.message}`);
    }
  }
  return { opened: samples.length - unopened.length, unopened };
}

interface SealedText {
  key: string[];
  text: string;
}

/** Returns a batch of texts of other keys than the current key, beyond the texts that cannot be unsealed. */
function selectOutdated(
  db: Db,
  sealer: Sealer,
  { table, column, key }: SealedColumn,
  unopened: number,
): Promise<SealedText[]> {
  const order = sql.join(key.map((name) => sql.ref(name)));
  return rows(
    db,
    sql<SealedText>`
      SELECT ARRAY[${sql.join(key.map(asText))}] AS key, ${sql.ref(column)} AS text
      FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL
        AND NOT starts_with(${sql.ref(column)}, ${sealer.currentPrefix()})
      ORDER BY ${order} LIMIT ${BATCH_SIZE + unopened}`,
  );
}

async function replace(
  db: Db,
  { table, column, key }: SealedColumn,
  values: readonly string[],
  before: string,
  after: string,
): Promise<number> {
  // The key columns are compared without conversion, since Citus routes the statement by them.
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

/** Returns a key column as text, bytes as hexadecimal, so that the driver needs no types. */
function asText(name: string) {
  return isBytes(name) ? sql`encode(${sql.ref(name)}, 'hex')` : sql`${sql.ref(name)}::text`;
}

const isBytes = (name: string) => name.endsWith('_hash');
