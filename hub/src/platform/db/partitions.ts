// Daily partitions: made a week ahead, so that a row never waits for one; retention drops whole days. To make or drop one
// takes the whole table for a moment, and while that waits for a long reader (a backup), whoever comes after waits behind
// it. So it waits for nobody: what finds no room is left to the next look, an hour later.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { withAdvisoryLock } from './alone.ts';
import { type Db, rows, type Tx } from './database.ts';
import { changeWaiting, isHeldUp, retryOnLockTimeout } from './giving-way.ts';

const DAYS_AHEAD = 7;

export interface Retention {
  table: 'activity' | 'alerts';
  ids: 'activity_ids' | 'alert_ids';
  days: number;
}

/** Makes what is missing and drops what is past its days. Safe to run anywhere, at any time; `today` is the database's. */
export function maintainPartitions(
  db: Db,
  retention: readonly Retention[],
  today: Date,
): Promise<void> {
  return withAdvisoryLock(db, 'partitions', (one) => upkeep(one, retention, today));
}

async function upkeep(db: Db, retention: readonly Retention[], today: Date): Promise<void> {
  for (const { table, ids, days } of retention) {
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
      const from = dayText(today, ahead);
      // Rows of a day that was never made have a place, too.
      if (!(await makePartition(db, table, from, dayText(today, ahead + 1)))) break;
    }
    const oldest = partitionName(table, dayText(today, -days));
    for (const name of (await partitionsOf(db, table)).filter((one) => one < oldest)) {
      if (!(await dropPartition(db, table, name))) break;
    }
    // Of the table itself: what came on days that nobody had made.
    for (const one of [table, ids]) {
      await sql`
        DELETE FROM ${sql.table(one)} WHERE received_on < ${dayText(today, -days)}::date`.execute(
        db,
      );
    }
  }
}

/** False where there was no room for it. */
async function makePartition(db: Db, table: string, from: string, to: string): Promise<boolean> {
  const name = sql.table(partitionName(table, from));
  try {
    return await whereThereIsRoom(db, table, async (tx) => {
      await sql`
        CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(to)})`.execute(tx);
    });
  } catch (error) {
    // Rows of that day stand in the default partition already, for a clock had leapt: there they all stay.
    if ((error as { code?: string }).code !== '23514') throw error;
    return true;
  }
}

/** False where there was no room for it. */
function dropPartition(db: Db, table: string, name: string): Promise<boolean> {
  return whereThereIsRoom(db, table, async (tx) => {
    await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(tx);
  });
}

/** So long, and so often, those who come after may be held up. */
const ROOM_WAIT_MS = 200;
const ROOM_TRIES = 3;
const ROOM_PAUSE_MS = 1_000;

/** Changes the table where nobody is long at it: true where that was done. */
async function whereThereIsRoom(
  db: Db,
  table: string,
  change: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      await changeWaiting(db, `${ROOM_WAIT_MS}ms`, change);
      return true;
    } catch (error) {
      if (!isHeldUp(error)) throw error;
    }
    if (tried === ROOM_TRIES) {
      process.emitWarning(`days of ${table} wait for the next hour: others read it for long`);
      return false;
    }
    await sleep(ROOM_PAUSE_MS);
  }
}

/** Tables in daily partitions by a time of the rows' own: days back are needed, too. */
export interface TimedTable {
  table: string;
  /** One row for each id, with the time of its row. */
  ids: string;
  /** Whole days that rows are kept. */
  days: number;
}

/** What is dropped was past its days at every moment of the day. Safe to run anywhere, at any time. */
export function maintainTimedPartitions(db: Db, of: TimedTable, today: Date): Promise<void> {
  return withAdvisoryLock(db, 'partitions', (one) => timedUpkeep(one, of, today));
}

async function timedUpkeep(db: Db, { table, ids, days }: TimedTable, today: Date): Promise<void> {
  const known = await partitionsOf(db, table);
  // A row may be as old as its days to the microsecond: that is the day before, too.
  const oldest = partitionName(table, dayText(today, -days - 1));
  for (let offset = -days - 1; offset <= DAYS_AHEAD; offset++) {
    const day = dayText(today, offset);
    const name = partitionName(table, day);
    if (known.includes(name)) continue;
    if (!(await makeTimedPartition(db, { table, name, day, today, offset }))) break;
  }
  for (const name of known.filter((one) => one < oldest)) {
    if (!(await dropPartition(db, table, name))) break;
  }
  const past = `${dayText(today, -days - 1)}T00:00:00Z`;
  await sql`DELETE FROM ${sql.table(ids)} WHERE at < ${past}::timestamptz`.execute(db);
}

/** False where there was no room for it; for a day whose rows may come now it waits as long as it takes. */
async function makeTimedPartition(
  db: Db,
  one: { table: string; name: string; day: string; today: Date; offset: number },
): Promise<boolean> {
  const next = dayText(one.today, one.offset + 1);
  const make = async (tx: Tx) => {
    // With the zone: a session's own would move the bounds.
    await sql`
      CREATE TABLE IF NOT EXISTS ${sql.table(one.name)} PARTITION OF ${sql.table(one.table)}
      FOR VALUES FROM (${sql.lit(`${one.day}T00:00:00Z`)}) TO (${sql.lit(`${next}T00:00:00Z`)})`.execute(
      tx,
    );
  };
  try {
    if (one.offset > 1) return await whereThereIsRoom(db, one.table, make);
    await retryOnLockTimeout(`a day of ${one.table}`, (lockTimeout) =>
      changeWaiting(db, lockTimeout, make),
    );
  } catch (error) {
    // A hub of an earlier version, which takes no lock, makes the same at the same time.
    if (!/^(42P07|23505)$/.test((error as { code?: string }).code ?? '')) throw error;
  }
  return true;
}

async function partitionsOf(db: Db, table: string): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = ${table}::regclass AND c.relname LIKE ${`${table}_p%`}`,
  );
  return found.map(({ name }) => name);
}

function partitionName(table: string, day: string): string {
  return `${table}_p${day.replaceAll('-', '')}`;
}

function dayText(today: Date, offset: number): string {
  return new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
}
