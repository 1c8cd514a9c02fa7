// Daily partitions: created a week ahead, so that a row never waits for its partition; retention drops whole days. Creating
// or dropping a partition locks the table for a moment. If that lock waited for a long reader (a backup), later statements
// would wait behind it. The lock attempt therefore times out early, and the next run retries an hour later.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { withAdvisoryLock } from './advisory-lock.ts';
import { type Db, rows, type Tx } from './database.ts';
import {
  isLockFailure,
  retryOnLockTimeout,
  transactWithLockTimeout,
} from './lock-timeout-retry.ts';

const DAYS_AHEAD = 7;

export interface Retention {
  table: 'activity' | 'alerts';
  ids: 'activity_ids' | 'alert_ids';
  days: number;
}

/** Creates missing partitions and drops expired ones; idempotent. `today` is the database's date. */
export function maintainPartitions(
  db: Db,
  retention: readonly Retention[],
  today: Date,
): Promise<void> {
  return withAdvisoryLock(db, 'partitions', (connection) => maintain(connection, retention, today));
}

async function maintain(db: Db, retention: readonly Retention[], today: Date): Promise<void> {
  for (const { table, ids, days } of retention) {
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
      const from = dayText(today, ahead);
      // Rows of a day without a partition are stored in the default partition.
      if (!(await createPartition(db, table, from, dayText(today, ahead + 1)))) break;
    }
    const oldest = partitionName(table, dayText(today, -days));
    for (const name of (await selectPartitions(db, table)).filter(
      (partition) => partition < oldest,
    )) {
      if (!(await dropPartition(db, table, name))) break;
    }
    // The default partition may have expired rows too.
    for (const name of [table, ids]) {
      await sql`
        DELETE FROM ${sql.table(name)} WHERE received_on < ${dayText(today, -days)}::date`.execute(
        db,
      );
    }
  }
}

/** Creates a partition. Returns false if its table was locked. */
async function createPartition(db: Db, table: string, from: string, to: string): Promise<boolean> {
  const name = sql.table(partitionName(table, from));
  try {
    return await tryChange(db, table, async (tx) => {
      await sql`
        CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(tx);
    });
  } catch (error) {
    // The default partition already has rows of that day, because a clock was wrong. All rows of the day stay there.
    if ((error as { code?: string }).code !== '23514') throw error;
    return true;
  }
}

/** Drops a partition. Returns false if its table was locked. */
function dropPartition(db: Db, table: string, name: string): Promise<boolean> {
  return tryChange(db, table, async (tx) => {
    await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(tx);
  });
}

/** Lock timeout of an attempt, for which later statements may be delayed. */
const CHANGE_LOCK_TIMEOUT_MS = 200;
const CHANGE_ATTEMPTS = 3;
const CHANGE_PAUSE_MS = 1_000;

/** Changes a table unless it stays locked. Returns whether the change was committed. */
async function tryChange(
  db: Db,
  table: string,
  change: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await transactWithLockTimeout(db, `${CHANGE_LOCK_TIMEOUT_MS}ms`, change);
      return true;
    } catch (error) {
      if (!isLockFailure(error)) throw error;
    }
    if (attempt === CHANGE_ATTEMPTS) {
      process.emitWarning(`partitions of ${table} are postponed by an hour: the table is locked`);
      return false;
    }
    await sleep(CHANGE_PAUSE_MS);
  }
}

/** A table with daily partitions by a time of its rows. Past days need partitions too. */
export interface TimedTable {
  table: string;
  /** Table of the ids, with the time of each row. */
  ids: string;
  /** Retention in whole days. */
  days: number;
}

/** Creates missing partitions and drops days that are completely expired; idempotent. */
export function maintainTimedPartitions(db: Db, timed: TimedTable, today: Date): Promise<void> {
  return withAdvisoryLock(db, 'partitions', (connection) =>
    maintainTimed(connection, timed, today),
  );
}

async function maintainTimed(db: Db, { table, ids, days }: TimedTable, today: Date): Promise<void> {
  const existing = await selectPartitions(db, table);
  // A row at the exact retention limit may be of the previous day.
  const oldest = partitionName(table, dayText(today, -days - 1));
  for (let offset = -days - 1; offset <= DAYS_AHEAD; offset++) {
    const day = dayText(today, offset);
    const name = partitionName(table, day);
    if (existing.includes(name)) continue;
    if (!(await createTimedPartition(db, { table, name, day, today, offset }))) break;
  }
  for (const name of existing.filter((partition) => partition < oldest)) {
    if (!(await dropPartition(db, table, name))) break;
  }
  const limit = `${dayText(today, -days - 1)}T00:00:00Z`;
  await sql`DELETE FROM ${sql.table(ids)} WHERE at < ${limit}::timestamptz`.execute(db);
}

/** Creates a partition. Returns false if its table was locked. A day whose rows may arrive now is retried without a limit. */
async function createTimedPartition(
  db: Db,
  partition: { table: string; name: string; day: string; today: Date; offset: number },
): Promise<boolean> {
  const { table, name, day } = partition;
  const next = dayText(partition.today, partition.offset + 1);
  const create = async (tx: Tx) => {
    // The bounds have a time zone; otherwise the session's zone would shift them.
    await sql`
      CREATE TABLE IF NOT EXISTS ${sql.table(name)} PARTITION OF ${sql.table(table)}
      FOR VALUES FROM (${sql.lit(`${day}T00:00:00Z`)}) TO (${sql.lit(`${next}T00:00:00Z`)})`.execute(
      tx,
    );
  };
  try {
    if (partition.offset > 1) return await tryChange(db, table, create);
    await retryOnLockTimeout(`a partition of ${table}`, (lockTimeout) =>
      transactWithLockTimeout(db, lockTimeout, create),
    );
  } catch (error) {
    // A hub of an earlier version, which takes no lock, may create the same partition at the same time.
    if (!/^(42P07|23505)$/.test((error as { code?: string }).code ?? '')) throw error;
  }
  return true;
}

async function selectPartitions(db: Db, table: string): Promise<string[]> {
  const partitions = await rows(
    db,
    sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = ${table}::regclass AND c.relname LIKE ${`${table}_p%`}`,
  );
  return partitions.map(({ name }) => name);
}

function partitionName(table: string, day: string): string {
  return `${table}_p${day.replaceAll('-', '')}`;
}

function dayText(today: Date, offset: number): string {
  return new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
}
