// Digests of table contents, by which two databases can be compared without exchanging rows.
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type BackupHeader, quoted } from './format.ts';

export interface TableContents {
  name: string;
  rows: number;
  /** Digest of all rows, independent of their order and storage. */
  digest: string;
}

/** Columns that a restore deliberately changes. */
const CHANGED_BY_RESTORE = new Set(['installation.feed_epoch']);

/** Settings that make all sessions format values equally, since formatted values are compared. */
const FORMAT_SETTINGS = `
  SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0`;

/** Returns the digests of the backup's tables in this transaction. Reads each row once, without locks. */
export async function readContents(
  client: pg.ClientBase,
  header: Pick<BackupHeader, 'tables'>,
): Promise<TableContents[]> {
  await client.query(FORMAT_SETTINGS);
  const byteColumns = await client.query<{ name: string }>(`
    SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND a.atttypid = 'bytea'::regtype`);
  const isBytes = new Set(byteColumns.rows.map(({ name }) => name));
  const contents: TableContents[] = [];
  for (const { name, columns } of header.tables) {
    const read = columns
      .filter((column) => !CHANGED_BY_RESTORE.has(`${name}.${column}`))
      // Formatted as text, an agent release would exceed the size limit of a value.
      .map((column) =>
        isBytes.has(`${name}.${column}`) ? `sha256(${quoted(column)})` : quoted(column),
      );
    contents.push(await digestTable(client, name, read));
  }
  return contents;
}

/** Sums each row's SHA-256 as four numbers over all rows: no sorting is needed, and a duplicate row counts twice. */
async function digestTable(
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
  const [sum] = rows;
  const count = Number(sum?.rows ?? 0);
  const digest = createHash('sha256').update(`${count} ${sum?.sums}`).digest('hex');
  return { name, rows: count, digest };
}

/** Returns a line for each table that differs. */
export function compareContents(
  expected: readonly TableContents[],
  actual: readonly TableContents[],
): string[] {
  const restored = new Map(actual.map((table) => [table.name, table]));
  return expected.flatMap(({ name, rows, digest }) => {
    const table = restored.get(name);
    if (table === undefined) return [`${name} is missing`];
    if (table.rows !== rows) return [`${name} has ${table.rows} rows instead of ${rows}`];
    return table.digest === digest ? [] : [`${name} has other rows than the backup`];
  });
}
