// Transactions that store many rows by COPY, the fastest way into a table, beside ordinary statements.
import type { Kysely, RawBuilder } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { StatementCounter } from './database.ts';

export interface CopyTx {
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** `lines`: rows in PostgreSQL's text format, one string each (see `copyLine`). */
  copy(table: string, columns: readonly string[], lines: readonly string[]): Promise<void>;
}

/** Runs `work` in one transaction; everything in it commits or nothing does. */
export type TransactCopying = <T>(work: (tx: CopyTx) => Promise<T>) => Promise<T>;

export function createCopying(
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

const PIECE_CHARS = 256 * 1024;

function copyInto(
  client: pg.PoolClient,
  statement: string,
  lines: readonly string[],
): Promise<void> {
  const stream = client.query(copyFrom(statement));
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('finish', resolve);
    let piece = '';
    for (const line of lines) {
      piece += line;
      if (piece.length < PIECE_CHARS) continue;
      stream.write(piece);
      piece = '';
    }
    stream.end(piece);
  });
}

export type CopyValue = string | number | boolean | null | readonly string[];

/** One row as COPY reads it. */
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
