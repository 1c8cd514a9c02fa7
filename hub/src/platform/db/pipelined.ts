// Transactions whose statements need not wait for the answers of those before them: what is awaited together goes out
// together and costs one round trip. For ingest, where the way to the database and back is most of a statement.
import type { Socket } from 'node:net';
import {
  type CompiledQuery,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { type DatabaseOptions, poolOptions, type StatementCounter, type Tx } from './database.ts';

/**
 * Runs `work` in one transaction. Statements are carried out in the order in which they were begun. Everything commits
 * or nothing does; the first error of a statement is thrown. What `work` resolves with is called to begin the last
 * statements, all at once: the commit goes out with them, so that no lock waits for this process to hear their answers.
 */
export type TransactPipelined = <T>(work: (tx: Tx) => Promise<() => Promise<T>>) => Promise<T>;

export interface PipelinedDatabase {
  transact: TransactPipelined;
  close(): Promise<void>;
}

export function openPipelined(
  connection: pg.ClientConfig,
  options: DatabaseOptions,
): PipelinedDatabase {
  const pool = new pg.Pool({
    ...poolOptions(connection, options),
    pipeline: true,
  } as pg.PoolConfig);
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => client.on('error', options.onIdleError));
  return {
    async transact(work) {
      const client = await pool.connect();
      // Goes out with the first statement; its failure is that of every statement after it.
      together(client);
      const begun = client.query('BEGIN');
      begun.catch(() => undefined);
      const { tx, seal } = transactionOn(client, options.counter);
      try {
        const last = await work(tx);
        const ending = last();
        seal();
        const committing = client.query('COMMIT');
        const [result, { command }] = await Promise.all([ending, committing, begun]);
        // So PostgreSQL ends a transaction in which a statement failed and nobody looked.
        if (command !== 'COMMIT') throw new Error('the transaction was aborted by a statement');
        client.release();
        return result;
      } catch (error) {
        await client.query('ROLLBACK').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        );
        throw error;
      }
    },
    close: () => pool.end(),
  };
}

/** What is begun in the same turn goes out in one write: each write wakes the database, which then works piece by piece. */
function together(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** What `sql` executes on: sends at once and never waits for its turn, as a transaction of kysely's own would. */
function transactionOn(client: pg.PoolClient, counter: StatementCounter): { tx: Tx; seal(): void } {
  let sealed = false;
  let failed: { error: unknown } | null = null;
  const compiler = new PostgresQueryCompiler();
  const executor = {
    plugins: [],
    transformQuery: <Node>(node: Node): Node => node,
    compileQuery: (...args: Parameters<QueryCompiler['compileQuery']>) =>
      compiler.compileQuery(...args),
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      // After the commit it would be a transaction of its own.
      if (sealed) throw new Error('a statement came after the commit of its transaction');
      counter.count++;
      together(client);
      try {
        const { rows, rowCount } = await client.query(query.sql, [...query.parameters]);
        return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
      } catch (error) {
        // Those after it fail because it did; whichever is awaited first, this is the one to tell.
        failed ??= { error };
        throw failed.error;
      }
    },
  };
  // All SQL is written by hand, so a transaction is asked for nothing else.
  const tx = {
    getExecutor: () => executor,
    executeQuery: executor.executeQuery,
  } as unknown as Tx;
  return {
    tx,
    seal() {
      sealed = true;
    },
  };
}
