// What tables hold, in a few bytes each, so that two databases can be compared without either seeing the other's rows.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type BackupHeader, quoted } from './format.ts';

export interface TableContents {
  name: string;
  rows: number;
  /** Of all rows in no order; the same for the same rows, whatever they lie on. */
  digest: string;
}

/** A restore makes these anew on purpose. */
const MADE_ANEW = new Set(['installation.feed_epoch']);

/** Values are compared as they are written: each session has to write them alike. */
const AS_WRITTEN = `
  SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0`;

/** The backup's tables as this transaction sees them. Reads each row once, and locks none. */
export async function readContents(
  client: pg.ClientBase,
  header: Pick<BackupHeader, 'tables'>,
): Promise<TableContents[]> {
  await client.query(AS_WRITTEN);
  const bytes = await client.query<{ name: string }>(`
    SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND a.atttypid = 'bytea'::regtype`);
  const areBytes = new Set(bytes.rows.map((one) => one.name));
  const found: TableContents[] = [];
  for (const { name, columns } of header.tables) {
    const read = columns
      .filter((column) => !MADE_ANEW.has(`${name}.${column}`))
      // As text a release of the agent would take more room than a value may.
      .map((column) =>
        areBytes.has(`${name}.${column}`) ? `sha256(${quoted(column)})` : quoted(column),
      );
    found.push(await contentsOf(client, name, read));
  }
  return found;
}

/** Each row's SHA-256 as four numbers, summed over all rows: no sorting, and a row that is there twice counts twice. */
async function contentsOf(
  client: pg.ClientBase,
  name: string,
  columns: readonly string[],
): Promise<TableContents> {
  const sums = [1, 9, 17, 25].map(
    (from) => `coalesce(sum(('x' || encode(substr(h, ${from}, 8), 'hex'))::bit(64)::bigint), 0)`,
  );
  const { rows } = await client.query<{ rows: string; sums: string }>(`
    SELECT count(*) AS rows, concat_ws(' ', ${sums.join(', ')}) AS sums
    FROM (SELECT sha256(convert_to(ROW(${columns.join(', ')})::text, 'UTF8')) AS h
      FROM public.${quoted(name)} OFFSET 0) AS hashed`);
  const [found] = rows;
  const count = Number(found?.rows ?? 0);
  const digest = createHash('sha256').update(`${count} ${found?.sums}`).digest('hex');
  return { name, rows: count, digest };
}

/** One line for each table that is not the same. */
export function differences(
  wanted: readonly TableContents[],
  found: readonly TableContents[],
): string[] {
  const restored = new Map(found.map((one) => [one.name, one]));
  return wanted.flatMap(({ name, rows, digest }) => {
    const other = restored.get(name);
    if (other === undefined) return [`${name} is not there`];
    if (other.rows !== rows) return [`${name} holds ${other.rows} rows instead of ${rows}`];
    return other.digest === digest ? [] : [`${name} holds other rows than the backup was made of`];
  });
}
