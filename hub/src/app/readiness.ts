// The rule of `/readyz`: a process is ready while its database answers.
import type { Context } from '../platform/context.ts';
import type { Notifications } from '../platform/feed/notifications.ts';

/** Null when the hub can serve, else the reason. */
export async function readiness(
  context: Context,
  notifications: Notifications,
): Promise<string | null> {
  if (!notifications.isLive) return 'the database is not available';
  const { pool } = context.database;
  // Every connection is in use or waits for a long-lived lock. The database is available, as its
  // heartbeat on a separate connection has shown. Otherwise a load balancer would remove every hub at once.
  if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) return null;
  try {
    await pool.query('SELECT 1');
    return null;
  } catch {
    return 'the database is not available';
  }
}
