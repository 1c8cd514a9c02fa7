// Rejects a PostgreSQL server that could lose acknowledged data.
import type pg from 'pg';
import { ConfigError } from '../config/config.ts';

/** Rejects a server that does not guarantee durability: an acknowledged batch must survive a power cut. Throws ConfigError. */
export async function rejectUnsafeDurability(pool: pg.Pool): Promise<void> {
  const settings = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')",
  );
  for (const { name, setting } of settings.rows) {
    if (setting === 'off')
      throw new ConfigError(`PostgreSQL has ${name}=off: acknowledged data could be lost`);
  }
}
