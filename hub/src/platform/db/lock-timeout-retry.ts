// Schema changes beside running hubs, with lock timeouts and retries, so that no request fails because of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from './database.ts';

/**
 * Lock timeouts below the second after which PostgreSQL detects deadlocks: in a deadlock between a change and a request, the
 * change fails and is retried. The timeout grows where requests take long, but never enough for PostgreSQL to end a
 * request instead.
 */
const LOCK_WAIT_MS = { initial: 300, max: 800 };
/** Interval of warnings about a waiting change. */
const WARNING_INTERVAL_MS = 10_000;

/** Returns whether an error is `lock_not_available` or `deadlock_detected`: nothing was stored, and a retry may succeed. */
export const isLockFailure = (error: unknown): boolean =>
  ['55P03', '40P01'].includes((error as { code?: string } | undefined)?.code ?? '');

/** Runs a transaction with a lock timeout. */
export function transactWithLockTimeout<T>(
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
 * Retries a transaction until it gets its locks, without a limit, and warns while it waits. `attempt` runs a transaction
 * with the given lock timeout; `description` names it in warnings.
 */
export async function retryOnLockTimeout<T>(
  description: string,
  attempt: (lockTimeout: string) => Promise<T>,
): Promise<T> {
  let warnedAt = performance.now();
  for (let wait = LOCK_WAIT_MS.initial; ; wait = Math.min(wait * 1.1, LOCK_WAIT_MS.max)) {
    try {
      return await attempt(`${Math.round(wait)}ms`);
    } catch (error) {
      if (!isLockFailure(error)) throw error;
    }
    if (performance.now() - warnedAt > WARNING_INTERVAL_MS) {
      warnedAt = performance.now();
      process.emitWarning(`${description} is waiting for locks on its tables`);
    }
    await sleep(100 + Math.random() * 400);
  }
}
