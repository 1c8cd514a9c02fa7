// Reads rows as bytes by COPY in binary format, for rows that pass through the hub unchanged. Unlike SELECT it needs no
// string for each field, and no encoding of the string.
import type { Kysely, RawBuilder } from 'kysely';
import pg from 'pg';
import { textArray } from './array-literals.ts';
import type { StatementCounter } from './database.ts';
import { createMinorCollector } from './minor-collections.ts';

/** A row whose bytes are valid until the row handler returns. */
export interface CopiedRow {
  readonly bytes: Buffer;
  start(field: number): number;
  end(field: number): number;
}

/** Runs a query and calls `handleRow` for each row as it arrives. No field may be NULL. */
export type ReadByCopy = (
  query: RawBuilder<unknown>,
  handleRow: (row: CopiedRow) => void,
) => Promise<void>;

/** Returns a reader that uses connections of the pool. */

export function createCopyReader(
  db: Kysely<unknown>,
  pool: pg.Pool,
  counter: StatementCounter,
): ReadByCopy {
  const countRead = createMinorCollector();
  return async (query, handleRow) => {
    const { sql: text, parameters } = query.compile(db);
    const statement = `COPY (${inlineParameters(text, parameters)}) TO STDOUT (FORMAT binary)`;
    const client = await pool.connect();
    counter.count++;
    let bytes = 0;
    const handleCounted = (row: CopiedRow) => {
      bytes += row.bytes.length;
      handleRow(row);
    };
    try {
      await new Promise<void>((resolve, reject) => {
        client.query(new CopyOut(statement, handleCounted, resolve, reject));
      });
      countRead(bytes);
    } finally {
      client.release();
    }
  };
}

/** Replaces parameters by literals, since COPY supports no parameters. */
function inlineParameters(text: string, parameters: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1]));
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (Array.isArray(value)) return pg.escapeLiteral(textArray(value as string[]));
  throw new TypeError(`unsupported parameter type: ${typeof value}`);
}

/** The statement, as the driver's callbacks receive it. */
class CopyOut implements pg.Submittable {
  readonly #statement: string;
  readonly #handleRow: (row: CopiedRow) => void;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #row = new Tuple();
  #isFirst = true;
  #failure: { error: unknown } | null = null;

  constructor(
    statement: string,
    handleRow: (row: CopiedRow) => void,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#statement = statement;
    this.#handleRow = handleRow;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement);
  }

  /** Handles a row. The first follows the header of the format, the last is its trailer. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure !== null) return;
    try {
      const start = this.#isFirst ? skipHeader(chunk) : 0;
      this.#isFirst = false;
      if (start < chunk.length && this.#row.read(chunk, start)) this.#handleRow(this.#row);
    } catch (error) {
      // The rest of the result must be read before the connection can be reused.
      this.#failure = { error };
    }
  }

  handleCommandComplete(): void {
    // The statement ends with ReadyForQuery, not with CommandComplete.
  }

  handleReadyForQuery(): void {
    if (this.#failure === null) this.#resolve();
    else this.#reject(this.#failure.error);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

const SIGNATURE_AND_FLAGS = 15;

function skipHeader(bytes: Buffer): number {
  return SIGNATURE_AND_FLAGS + 4 + bytes.readInt32BE(SIGNATURE_AND_FLAGS);
}

class Tuple implements CopiedRow {
  bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Parses a row. Returns false for the trailer after the last row. */
  read(bytes: Buffer, from: number): boolean {
    const fields = bytes.readInt16BE(from);
    if (fields < 0) return false;
    this.bytes = bytes;
    let at = from + 2;
    for (let i = 0; i < fields; i++) {
      const length = bytes.readInt32BE(at);
      if (length < 0) throw new Error(`field ${i} is NULL`);
      this.#starts[i] = at + 4;
      at += 4 + length;
      this.#ends[i] = at;
    }
    return true;
  }

  start(field: number): number {
    return this.#starts[field] ?? 0;
  }

  end(field: number): number {
    return this.#ends[field] ?? 0;
  }
}
