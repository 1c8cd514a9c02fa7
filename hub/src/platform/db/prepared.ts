// Statements that a connection keeps prepared: parsed once, and planned once where the server finds one plan good enough.
// For what runs with every request and has one shape; a search whose best plan depends on its words is better planned anew.
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { watched } from '../telemetry/traced.ts';

const MARK = '/* prepared */';
const BEGINS_MARKED = /^\s*\/\* prepared \*\//;

/** Stands first (but for blanks) in a statement that is to be kept prepared: sql`${PREPARED} SELECT …`. Its text must be constant. */
export const PREPARED: RawBuilder<unknown> = sql.raw(MARK);

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `gatewarden_${names.size}`;
  names.set(text, name);
  return name;
}

/** COPY has its values within its text; of any other statement nothing but what the code says is in it. */
function shownText(statement: unknown): string {
  const text =
    typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
  const isCopy = typeof (statement as { submit?: unknown } | null)?.submit === 'function';
  return isCopy || typeof text !== 'string' ? 'COPY' : text;
}

/** PostgreSQL's code for what would be stored where nothing can be. */
export const READ_ONLY_CODE = '25006';
/** Where the database itself is read-only a new connection is no better: none is replaced more often. */
const REPLACED_AFTER_MS = 2_000;

/**
 * A connection that prepares what is marked, and that its pool replaces where nothing can be stored by it: it may lead to a
 * server that was the primary once, while the name leads to another by now, and is never idle for long enough to end.
 */
export class PreparingClient extends pg.Client {
  readonly #since = performance.now();
  // biome-ignore lint/suspicious/noExplicitAny: the driver's method has a dozen forms, and this passes all of them on
  override query(...args: any[]): any {
    return watched(
      () => shownText(args[0]),
      () => this.#send(args),
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: see above
  #send([text, values, ...rest]: any[]): any {
    const isMarked = typeof text === 'string' && BEGINS_MARKED.test(text);
    const statement = isMarked ? { name: nameOf(text), text, values } : text;
    // A cursor or a copy answers by itself, and who brought a callback hears by that.
    const isHeard = [values, text?.callback, text?.submit].some((one) => typeof one === 'function');
    if (isHeard || rest.length > 0) {
      return super.query(...([statement, values, ...rest] as unknown as [string]));
    }
    return this.#answered(statement, values);
  }

  #beReplaced(): void {
    if (performance.now() - this.#since < REPLACED_AFTER_MS) return;
    // What the pool counts for its `maxUses`: it ends the connection when this transaction gives it back.
    (this as { _poolUseCount?: number })._poolUseCount = Number.POSITIVE_INFINITY;
  }

  /**
   * With a callback. What the driver promises by itself keeps statement, values and rows alive until the whole heap is
   * collected: under load, a collection of young objects has four times as much to move.
   */
  async #answered(statement: string, values: unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    super.query(statement, values, (error: Error | null, result: unknown) => {
      if (error === null || error === undefined) return resolve(result);
      if ((error as { code?: unknown }).code === READ_ONLY_CODE) this.#beReplaced();
      reject(error);
    });
    try {
      return await promise;
    } catch (error) {
      // Where it was asked, not where the answer was read.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
