// Work on the schema that one process does at a time, over all that use the database.
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Any numbers, each for one kind of work. */
export const LOCKS = {
  distribution: 7_164_904_211,
  partitions: 7_164_904_212,
  jobs: 7_164_904_213,
  rowSecurity: 7_164_904_214,
  proof: 7_164_904_215,
  migrations: 7_164_904_216,
} as const;

/**
 * Runs `work` on a connection that holds the lock; who comes meanwhile waits, however long it takes. Its statements are
 * transactions of their own, and may take their time, too.
 */
export async function withAdvisoryLock<T>(
  db: Db,
  lock: keyof typeof LOCKS,
  work: (one: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    try {
      await sql`SELECT pg_advisory_lock(${LOCKS[lock]})`.execute(one);
      try {
        return await work(one);
      } finally {
        await sql`SELECT pg_advisory_unlock(${LOCKS[lock]})`.execute(one);
      }
    } finally {
      await sql`RESET statement_timeout`.execute(one);
    }
  });
}
