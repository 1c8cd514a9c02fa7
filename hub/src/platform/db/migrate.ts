// Forward-only migrations from hub/migrations/NNNN-name.sql, by kysely's Migrator (its lock lets one of many run them).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigError } from '../config/config.ts';
import type { Db } from './database.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../migrations');

/** The names this program brings, in order. */
export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => name.slice(0, -4));
}

/** Brings the database to this program's version, or only through the migrations named; gives the names that ran. */
export async function migrate(db: Db, names = migrationNames()): Promise<string[]> {
  const result = await migrator(db, names).migrateToLatest();
  if (result.error !== undefined) throw result.error;
  return (result.results ?? []).map((one) => one.migrationName);
}

/** What the database lacks of this program, and what it has beyond it. */
export async function schemaState(db: Db): Promise<{ missing: string[]; unknown: string[] }> {
  const exists = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db);
  const done =
    exists.rows[0]?.found === true
      ? (await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)).rows
      : [];
  const has = new Set(done.map((one) => one.name));
  const brings = migrationNames();
  return {
    missing: brings.filter((name) => !has.has(name)),
    unknown: [...has].filter((name) => !brings.includes(name)),
  };
}

/** Refuses a database of another version, or brings an older one up where that is allowed. */
export async function ensureSchema(db: Db, mode: 'auto' | 'refuse'): Promise<void> {
  const state = await schemaState(db);
  if (state.unknown.length > 0) {
    throw new ConfigError(
      `the database is of a newer version (${state.unknown[0]}): run the newer hub, or restore a backup of this version`,
    );
  }
  if (state.missing.length === 0) return;
  if (mode === 'refuse') {
    throw new ConfigError(
      `the database lacks ${state.missing.length} migrations: run "npm run hub -- migrate", or set HUB_MIGRATE=auto`,
    );
  }
  await migrate(db);
}

function migrator(db: Db, names: readonly string[]): Migrator {
  return new Migrator({
    db,
    // Branches that ran side by side bring numbers below one that a database has already; each rests on its own only.
    allowUnorderedMigrations: true,
    provider: {
      async getMigrations() {
        return Object.fromEntries(
          names.map((name) => [
            name,
            {
              async up(tx: Db) {
                await sql.raw(readFileSync(join(FOLDER, `${name}.sql`), 'utf8')).execute(tx);
              },
            },
          ]),
        );
      },
    },
  });
}
