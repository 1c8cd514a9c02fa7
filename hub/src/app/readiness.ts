// What `/readyz` says: whether this process can answer, as far as its database goes.
import type { Context } from '../platform/context.ts';
import type { Notifications } from '../platform/feed/notifications.ts';

/** Null when the hub can serve, else the reason. */
export async function readiness(
  context: Context,
  notifications: Notifications,
): Promise<string | null> {
  if (!notifications.isLive) return 'the database is not available';
  const { pool } = context.database;
  // All of its connections are at work, or wait for a lock that somebody holds for long: the database is there, as its
  // heartbeat, which has a connection of its own, has just shown. Who balances load would else take out every hub at once.
  if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) return null;
  try {
    await pool.query('SELECT 1');
    return null;
  } catch {
    return 'the database is not available';
  }
}
