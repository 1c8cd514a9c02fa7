// Changes of the schema beside hubs at work: they give way, so that no request fails for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from './database.ts';

/**
 * Less than the second after which PostgreSQL looks for deadlocks: where a change and what other hubs do hold up each
 * other, it is the change that gives way and begins again. It gets more patient where requests take long themselves, and
 * never so patient that one of them would be what PostgreSQL ends.
 */
const LOCK_WAIT_MS = { first: 300, most: 800 };
/** How often it is told that a change waits. */
const TELL_MS = 10_000;

/** `lock_not_available` and `deadlock_detected`: nothing was stored, and done again it may well succeed. */
export const isHeldUp = (error: unknown): boolean =>
  ['55P03', '40P01'].includes((error as { code?: string } | undefined)?.code ?? '');

/** One transaction that waits no longer than that for a lock. */
export function changeWaiting<T>(
  db: Db,
  lockTimeout: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  return transact(db, async (tx) => {
    await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
    return change(tx);
  });
}

/**
 * Tries until others let go of what it needs, however long it takes, and warns of it. `attempt` is one transaction that
 * waits no longer than `lockTimeout` for a lock; `what` names it.
 */
export async function retryOnLockTimeout<T>(
  what: string,
  attempt: (lockTimeout: string) => Promise<T>,
): Promise<T> {
  let told = performance.now();
  for (let wait = LOCK_WAIT_MS.first; ; wait = Math.min(wait * 1.1, LOCK_WAIT_MS.most)) {
    try {
      return await attempt(`${Math.round(wait)}ms`);
    } catch (error) {
      if (!isHeldUp(error)) throw error;
    }
    if (performance.now() - told > TELL_MS) {
      told = performance.now();
      process.emitWarning(`${what} waits: others hold the tables it changes`);
    }
    await sleep(100 + Math.random() * 400);
  }
}
