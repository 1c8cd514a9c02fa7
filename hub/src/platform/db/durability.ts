// Refuses a PostgreSQL server that could lose what it acknowledged.
import type pg from 'pg';
import { ConfigError } from '../config/config.ts';

/** An acknowledged batch must survive a power cut: a server that promises less is refused. Throws ConfigError. */
export async function refuseUnsafe(pool: pg.Pool): Promise<void> {
  const found = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')",
  );
  for (const { name, setting } of found.rows) {
    if (setting === 'off')
      throw new ConfigError(`PostgreSQL has ${name}=off: acknowledged data could be lost`);
  }
}
