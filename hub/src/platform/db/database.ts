// Access to PostgreSQL: a connection pool, hand-written SQL by kysely's `sql` tag, and typed rows.
// Main types: `Database`, `Db` (pool or transaction), `Tx`.
// Invariants: stores take `Db` as their first argument; a transaction commits completely or not at all; errors of the
// database itself are distinguishable from errors of a request. Depends on pg, kysely and tenant-connections.ts.
// Start reading at `openDatabase`, `rows` and `transact`.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { PreparingClient, READ_ONLY_CODE } from './prepared-statements.ts';
import { createSharedPool, createTenantPool } from './tenant-connections.ts';

/** A pool or a transaction. */
export type Db = Kysely<unknown>;
export type Tx = Transaction<unknown>;

export interface Database {
  db: Db;
  /** For features outside of kysely: LISTEN and separate clients. */
  connection: pg.ClientConfig;
  pool: pg.Pool;
  /** Connections for work within a tenant after `enableRowSecurity`; see tenant-connections.ts. */
  tenantPool: pg.Pool;
  /** Makes work within a tenant see only that tenant's rows from now on. */
  enableRowSecurity(): void;
  close(): Promise<void>;
}

/** Counts sent statements, for the metric and for tests that expect no SQL. */
export interface StatementCounter {
  count: number;
}

const { INT8, JSON: JSON_TEXT, JSONB } = pg.types.builtins;
// biome-ignore lint/suspicious/noExplicitAny: the reader of a column knows its type
const OWN_PARSERS = new Map<number, (text: string) => any>([
  // Counters and feed numbers stay far below 2^53. As text they would compare incorrectly.
  [INT8, Number],
  [JSON_TEXT, parseExactly],
  [JSONB, parseExactly],
]);

export interface DatabaseOptions {
  size: number;
  counter: StatementCounter;
  onIdleError(error: Error): void;
}

/** Returns the options that all pools of the hub share. */
export function poolOptions(connection: pg.ClientConfig, options: DatabaseOptions): pg.PoolConfig {
  return {
    ...connection,
    Client: PreparingClient,
    max: options.size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 20_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'gatewarden-hub',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        OWN_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
    },
  };
}

/** Opens the pools. Connections are opened at first use. */
export function openDatabase(connection: pg.ClientConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool(poolOptions(connection, options));
  const tenantPool = createTenantPool(poolOptions(connection, options));
  for (const opened of [pool, tenantPool]) {
    opened.on('error', options.onIdleError);
    // A connection that breaks during a query rejects the query. Without a listener it would also end the process.
    opened.on('connect', (client) => client.on('error', options.onIdleError));
  }
  const shared = createSharedPool(pool, tenantPool);
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: shared }),
    log: () => {
      options.counter.count++;
    },
  });
  return {
    db,
    connection,
    pool,
    tenantPool,
    enableRowSecurity: shared.enableRowSecurity,
    close: () => db.destroy(),
  };
}

/** Runs hand-written SQL and returns its rows. */
export async function rows<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows;
}

/** Runs hand-written SQL and returns its first row, or null. */
export async function row<Row>(db: Db, query: RawBuilder<Row>): Promise<Row | null> {
  return (await query.execute(db)).rows[0] ?? null;
}

/** Returns the database's time. Retention must use it too, because a hub's own clock may be years off. */
export async function databaseTime(db: Db): Promise<Date> {
  const result = await row(db, sql<{ now: Date }>`SELECT now() AS now`);
  if (result === null) throw new Error('The database returned no time.');
  return result.now;
}

/** Runs `work` in a transaction that commits completely or not at all. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** Runs reads in a single snapshot of the database. */
export async function readConsistently<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}

const FULL = '53100';
const AWAY =
  /^(08...|57P0[1-5]|57014|53[01234]00|25P03|25006|40P01|40001|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)$/;

/** Returns whether nothing can be stored because the database's disk is full. Reading still works. */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === FULL;

/** Returns whether the database is read-only: a standby without promotion, or a provider's limit. */
export const isDatabaseReadOnly = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === READ_ONLY_CODE;

/** Performs an optional write, such as the last use of a key. A full or read-only database must not fail reads. */
export async function writeIfPossible(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!isDatabaseReadOnly(error) && !isDatabaseFull(error)) throw error;
  });
}

/** Returns whether the database and not the request is the cause of an error: answered with 503, and worth a retry. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  if (AWAY.test(code))
    return error instanceof pg.DatabaseError || 'syscall' in error || /^(08|5)/.test(code);
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|driver has already been destroyed/.test(
    error.message,
  );
}
