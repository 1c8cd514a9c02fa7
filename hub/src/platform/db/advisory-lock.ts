// Advisory locks: work that only a single process of all users of the database may do at a time.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Lock numbers by kind of work. The numbers are arbitrary. */
export const LOCKS = {
  distribution: 7_164_904_211,
  partitions: 7_164_904_212,
  jobs: 7_164_904_213,
  rowSecurity: 7_164_904_214,
  proof: 7_164_904_215,
  migrations: 7_164_904_216,
} as const;

/**
 * Runs `work` on a connection with the lock. Other processes wait without a timeout. The statements of `work` are separate
 * transactions, also without a timeout.
 */
export async function withAdvisoryLock<T>(
  db: Db,
  lock: keyof typeof LOCKS,
  work: (connection: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    try {
      await sql`SELECT pg_advisory_lock(${LOCKS[lock]})`.execute(connection);
      try {
        return await work(connection);
      } finally {
        await sql`SELECT pg_advisory_unlock(${LOCKS[lock]})`.execute(connection);
      }
    } finally {
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}
