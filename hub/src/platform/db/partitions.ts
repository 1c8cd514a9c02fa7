// Daily partitions: made a week ahead, so that a row never waits for one; retention drops whole days.
import { sql } from 'kysely';
import { type Db, rows } from './database.ts';

const DAYS_AHEAD = 7;

export interface Retention {
  table: 'activity' | 'alerts';
  ids: 'activity_ids' | 'alert_ids';
  days: number;
}

/** Makes what is missing and drops what is past its days. Safe to run anywhere, at any time. */
export async function maintainPartitions(
  db: Db,
  retention: readonly Retention[],
  today: Date,
): Promise<void> {
  for (const { table, ids, days } of retention) {
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
      const from = dayText(today, ahead);
      const name = sql.table(partitionName(table, from));
      await sql`
        CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(from)}) TO (${sql.lit(dayText(today, ahead + 1))})`.execute(db);
    }
    const oldest = partitionName(table, dayText(today, -days));
    const known = await rows(
      db,
      sql<{ name: string }>`
        SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = ${table}::regclass AND c.relname LIKE ${`${table}_p%`}`,
    );
    for (const { name } of known.filter((one) => one.name < oldest)) {
      await sql`DROP TABLE IF EXISTS ${sql.table(name)}`.execute(db);
    }
    await sql`
      DELETE FROM ${sql.table(ids)} WHERE received_on < ${dayText(today, -days)}::date`.execute(db);
  }
}

function partitionName(table: string, day: string): string {
  return `${table}_p${day.replaceAll('-', '')}`;
}

function dayText(today: Date, offset: number): string {
  return new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
}
