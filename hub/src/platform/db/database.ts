// The handle through which all SQL goes: one pool, hand-written SQL by kysely's `sql` tag, typed rows.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { PreparingClient, READ_ONLY_CODE } from './prepared.ts';
import { poolOfTenants, sharePool } from './tenant-connections.ts';

/** A pool or a transaction; stores take it as their first argument. */
export type Db = Kysely<unknown>;
export type Tx = Transaction<unknown>;

export interface Database {
  db: Db;
  /** For what kysely does not cover: LISTEN, and a client of one's own. */
  connection: pg.ClientConfig;
  pool: pg.Pool;
  /** Of what runs within a tenant, once `separate` was called; see tenant-connections.ts. */
  tenantPool: pg.Pool;
  /** Row security stands: what runs within a tenant sees that tenant only. */
  separate(): void;
  close(): Promise<void>;
}

/** How many statements went out: what tests of "no SQL" and the metric read. */
export interface StatementCounter {
  count: number;
}

const { INT8, JSON: JSON_TEXT, JSONB } = pg.types.builtins;
// biome-ignore lint/suspicious/noExplicitAny: what a column holds, its reader knows
const OWN_PARSERS = new Map<number, (text: string) => any>([
  // Counters and feed numbers stay far below 2^53; as text they would compare wrongly.
  [INT8, Number],
  [JSON_TEXT, parseExactly],
  [JSONB, parseExactly],
]);

export interface DatabaseOptions {
  size: number;
  counter: StatementCounter;
  onIdleError(error: Error): void;
}

/** What every pool of ours has in common. */
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

export function openDatabase(connection: pg.ClientConfig, options: DatabaseOptions): Database {
  const pool = new pg.Pool(poolOptions(connection, options));
  const tenantPool = poolOfTenants(poolOptions(connection, options));
  for (const one of [pool, tenantPool]) {
    one.on('error', options.onIdleError);
    // A connection that breaks while it is in use rejects its query; without a listener it would end the process too.
    one.on('connect', (client) => client.on('error', options.onIdleError));
  }
  const shared = sharePool(pool, tenantPool);
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
    separate: shared.separate,
    close: () => db.destroy(),
  };
}

/** Runs hand-written SQL and gives its rows. */
export async function rows<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(db)).rows;
}

/** The one row, or null. */
export async function row<Row>(db: Db, query: RawBuilder<Row>): Promise<Row | null> {
  return (await query.execute(db)).rows[0] ?? null;
}

/** The time by which rows are dated. What is dropped goes by it, too: one hub's own clock may be years off. */
export async function databaseTime(db: Db): Promise<Date> {
  const asked = await row(db, sql<{ now: Date }>`SELECT now() AS now`);
  if (asked === null) throw new Error('the database told no time');
  return asked.now;
}

/** Runs `work` in one transaction; everything in it commits or nothing does. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work);
}

/** Runs reads that all see the database as of one moment. */
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

/** True when nothing can be stored because the database's disk has no room left; reading works all the while. */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === FULL;

/** True when it takes nothing for now: a standby that took over without being told to, or a provider's brake. */
export const isDatabaseReadOnly = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === READ_ONLY_CODE;

/** Notes that somebody may do without, such as when a key was last used: a database that takes nothing for now takes no reading away. */
export async function noteIfItCan(write: Promise<unknown>): Promise<void> {
  await write.catch((error: unknown) => {
    if (!isDatabaseReadOnly(error) && !isDatabaseFull(error)) throw error;
  });
}

/** True when the database, not the request, is the cause: answered with 503 and worth trying again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  if (AWAY.test(code))
    return error instanceof pg.DatabaseError || 'syscall' in error || /^(08|5)/.test(code);
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|driver has already been destroyed/.test(
    error.message,
  );
}
