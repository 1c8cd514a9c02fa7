// Transactions that store many rows by COPY, the fastest way to insert rows, besides ordinary statements.
import type { Kysely, RawBuilder } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { StatementCounter } from './database.ts';

export interface CopyTx {
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** Copies `lines` into a table. Each line is a row in PostgreSQL's text format (see `copyLine`). */
  copy(table: string, columns: readonly string[], lines: readonly string[]): Promise<void>;
}

/** Runs `work` in a transaction that commits completely or not at all. */
export type TransactCopying = <T>(work: (tx: CopyTx) => Promise<T>) => Promise<T>;

/** Returns a function that runs COPY transactions on connections of the pool. */
export function createCopyTransactions(
  db: Kysely<unknown>,
  pool: pg.Pool,
  counter: StatementCounter,
): TransactCopying {
  return async (work) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        async rows<Row>(query: RawBuilder<Row>) {
          const { sql: text, parameters } = query.compile(db);
          counter.count++;
          return (await client.query(text, [...parameters])).rows as Row[];
        },
        async copy(table, columns, lines) {
          counter.count++;
          await copyInto(client, `COPY ${table} (${columns.join(', ')}) FROM STDIN`, lines);
        },
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failed: Error) => {
        broken = failed;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

const CHUNK_CHARS = 256 * 1024;

function copyInto(
  client: pg.PoolClient,
  statement: string,
  lines: readonly string[],
): Promise<void> {
  const stream = client.query(copyFrom(statement));
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    let chunk = '';
    for (const line of lines) {
      chunk += line;
      if (chunk.length < CHUNK_CHARS) continue;
      stream.write(chunk);
      chunk = '';
    }
    stream.end(chunk);
  });
}

export type CopyValue = string | number | boolean | null | readonly string[];

/** Returns a row in COPY's text format. */
export function copyLine(values: readonly CopyValue[]): string {
  return `${values.map(copyText).join('\t')}\n`;
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return value.replace(SPECIAL, (char) => ESCAPES[char] ?? char);
  if (typeof value === 'object') return copyText(arrayText(value));
  return String(value);
}

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
