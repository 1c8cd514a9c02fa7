// Rows read by COPY in its binary form and handed on as bytes: for what passes through the hub without being looked at.
// Beside a SELECT it saves making a string of every field and every string bytes again.
import type { Kysely, RawBuilder } from 'kysely';
import pg from 'pg';
import { textArray } from './arrays.ts';
import type { StatementCounter } from './database.ts';
import { createYoungCollector } from './young.ts';

/** One row; its bytes are only good until `each` returns. */
export interface CopiedRow {
  readonly bytes: Buffer;
  start(field: number): number;
  end(field: number): number;
}

/** Runs a query whose rows go to `each` as they come. No field may be NULL. */
export type ReadByCopy = (
  query: RawBuilder<unknown>,
  each: (row: CopiedRow) => void,
) => Promise<void>;

export function createCopyReader(
  db: Kysely<unknown>,
  pool: pg.Pool,
  counter: StatementCounter,
): ReadByCopy {
  const wasRead = createYoungCollector();
  return async (query, each) => {
    const { sql: text, parameters } = query.compile(db);
    const statement = `COPY (${inlined(text, parameters)}) TO STDOUT (FORMAT binary)`;
    const client = await pool.connect();
    counter.count++;
    let bytes = 0;
    const counted = (row: CopiedRow) => {
      bytes += row.bytes.length;
      each(row);
    };
    try {
      await new Promise<void>((resolve, reject) => {
        client.query(new CopyOut(statement, counted, resolve, reject));
      });
      wasRead(bytes);
    } finally {
      client.release();
    }
  };
}

/** COPY takes no parameters: each becomes a literal of its own. */
function inlined(text: string, parameters: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1]));
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (Array.isArray(value)) return pg.escapeLiteral(textArray(value as string[]));
  throw new TypeError(`no literal for a ${typeof value}`);
}

/** What the driver calls while the statement runs. */
class CopyOut implements pg.Submittable {
  readonly #statement: string;
  readonly #each: (row: CopiedRow) => void;
  readonly #resolve: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #row = new Tuple();
  #isFirst = true;
  #failure: { error: unknown } | null = null;

  constructor(
    statement: string,
    each: (row: CopiedRow) => void,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#statement = statement;
    this.#each = each;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#statement);
  }

  /** One row; the first comes behind the header of the format, the last is its end. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure !== null) return;
    try {
      const start = this.#isFirst ? afterHeader(chunk) : 0;
      this.#isFirst = false;
      if (start < chunk.length && this.#row.read(chunk, start)) this.#each(this.#row);
    } catch (error) {
      // The rest of the answer has to be read away before the connection is good for another.
      this.#failure = { error };
    }
  }

  handleCommandComplete(): void {
    // That the connection is ready again is what counts.
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

function afterHeader(bytes: Buffer): number {
  return SIGNATURE_AND_FLAGS + 4 + bytes.readInt32BE(SIGNATURE_AND_FLAGS);
}

class Tuple implements CopiedRow {
  bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** False for the mark behind the last row. */
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
