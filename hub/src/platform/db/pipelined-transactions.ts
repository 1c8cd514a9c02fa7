// Pipelined transactions: statements do not wait for the results of earlier statements, so statements that are awaited
// together cost a single round trip. Ingest uses them, because round trips are most of its time.
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
 * Runs `work` in a transaction that commits completely or not at all. Statements run in the order in which they were
 * started; the first error of a statement is thrown. `work` resolves with a function that starts the last statements at
 * once: the commit is sent together with them, so that locks do not wait for this process to receive their results.
 */
export type TransactPipelined = <T>(work: (tx: Tx) => Promise<() => Promise<T>>) => Promise<T>;

export interface PipelinedDatabase {
  transact: TransactPipelined;
  close(): Promise<void>;
}

/** Opens a separate pool for pipelined transactions. */
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
      // BEGIN is sent with the first statement. If it fails, every later statement fails too.
      corkUntilNextTick(client);
      const started = client.query('BEGIN');
      started.catch(() => undefined);
      const { tx, seal } = createTransaction(client, options.counter);
      try {
        const startLast = await work(tx);
        const ending = startLast();
        seal();
        const committing = client.query('COMMIT');
        const [result, { command }] = await Promise.all([ending, committing, started]);
        // PostgreSQL answers ROLLBACK if a statement has failed whose result was not awaited.
        if (command !== 'COMMIT') throw new Error('A statement aborted the transaction.');
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

/** Sends all statements of a tick in a single write. Each write would wake the database, which then works in small steps. */
function corkUntilNextTick(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Returns a transaction that sends statements at once; kysely's own would wait for earlier results. */
function createTransaction(
  client: pg.PoolClient,
  counter: StatementCounter,
): { tx: Tx; seal(): void } {
  let sealed = false;
  let failed: { error: unknown } | null = null;
  const compiler = new PostgresQueryCompiler();
  const executor = {
    plugins: [],
    transformQuery: <Node>(node: Node): Node => node,
    compileQuery: (...args: Parameters<QueryCompiler['compileQuery']>) =>
      compiler.compileQuery(...args),
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      // A statement after the commit would be a separate transaction.
      if (sealed) throw new Error('A statement was started after the commit of its transaction.');
      counter.count++;
      corkUntilNextTick(client);
      try {
        const { rows, rowCount } = await client.query(query.sql, [...query.parameters]);
        return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
      } catch (error) {
        // Later statements fail as a consequence. The original error is thrown, whichever statement is awaited first.
        failed ??= { error };
        throw failed.error;
      }
    },
  };
  // All SQL is hand-written, so a transaction needs no other methods.
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
