// Prepared statements: parsed once per connection, and planned once if the server finds a generic plan good enough. They suit
// statements of every request. A search whose best plan depends on its terms must be planned each time.
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { traceStatement } from '../telemetry/trace-hooks.ts';

const MARK = '/* prepared */';
const STARTS_WITH_MARK = /^\s*\/\* prepared \*\//;

/** Marks a statement as prepared: sql`${PREPARED} SELECT …`. It must come first, and the text must be constant. */
export const PREPARED: RawBuilder<unknown> = sql.raw(MARK);

const names = new Map<string, string>();

function nameOf(text: string): string {
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  const name = `gatewarden_${names.size}`;
  names.set(text, name);
  return name;
}

/** Returns the text of a statement for traces. The text of COPY contains values, so it is omitted. */
function traceText(statement: unknown): string {
  const text =
    typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
  const isCopy = typeof (statement as { submit?: unknown } | null)?.submit === 'function';
  return isCopy || typeof text !== 'string' ? 'COPY' : text;
}

/** PostgreSQL's error code `read_only_sql_transaction`. */
export const READ_ONLY_CODE = '25006';
/** Minimum age of a replaced connection. If the database itself is read-only, a new connection does not help. */
const REPLACE_AFTER_MS = 2_000;

/**
 * A connection that prepares marked statements, and that its pool replaces after a read-only error. After a failover it may
 * still lead to the former primary, and may never be idle long enough to end.
 */
export class PreparingClient extends pg.Client {
  readonly #since = performance.now();
  // biome-ignore lint/suspicious/noExplicitAny: the driver's method has a dozen overloads, all of which are passed on
  override query(...args: any[]): any {
    return traceStatement(
      () => traceText(args[0]),
      () => this.#send(args),
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  #send([text, values, ...rest]: any[]): any {
    const isMarked = typeof text === 'string' && STARTS_WITH_MARK.test(text);
    const statement = isMarked ? { name: nameOf(text), text, values } : text;
    // A cursor or COPY handles its own results, and a callback receives its result.
    const hasCallback = [values, text?.callback, text?.submit].some(
      (candidate) => typeof candidate === 'function',
    );
    if (hasCallback || rest.length > 0) {
      return super.query(...([statement, values, ...rest] as unknown as [string]));
    }
    return this.#queryWithCallback(statement, values);
  }

  #requestReplacement(): void {
    if (performance.now() - this.#since < REPLACE_AFTER_MS) return;
    // The pool compares this count with `maxUses`, and ends the connection when it is released.
    (this as { _poolUseCount?: number })._poolUseCount = Number.POSITIVE_INFINITY;
  }

  /**
   * Queries with a callback. The driver's own promise retains statement, values and rows until a major garbage collection;
   * under load, a minor collection would have to move four times as much.
   */
  async #queryWithCallback(statement: string, values: unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    super.query(statement, values, (error: Error | null, result: unknown) => {
      if (error === null || error === undefined) return resolve(result);
      if ((error as { code?: unknown }).code === READ_ONLY_CODE) this.#requestReplacement();
      reject(error);
    });
    try {
      return await promise;
    } catch (error) {
      // The stack shows the caller of the query instead of the socket's reader.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
