// Forward-only migrations from hub/migrations/NNNN-name.sql, by kysely's Migrator, by one process at a time.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigError } from '../config/config.ts';
import { alone } from './alone.ts';
import type { Db } from './database.ts';
import { distribute, isCitus } from './distribute.ts';
import { type Fitness, requireFit } from './fitness.ts';
import { givingWay } from './giving-way.ts';
import { ensureRowSecurity } from './row-security.ts';
import { statementsOf } from './statements.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../migrations');

/** The names this program brings, in order. */
export function migrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => name.slice(0, -4));
}

/**
 * Brings the database to this program's version, or only through the migrations named; gives the names that ran. Each is
 * a transaction of its own: none holds what another one needed. On Citus, once all of them ran, the tables are put where
 * placement.ts says; elsewhere, row security is raised. Waits for as long as others hold what a migration needs.
 */
export async function migrate(
  db: Db,
  names = migrationNames(),
  onMigrated: (name: string) => void = () => undefined,
): Promise<string[]> {
  const onCitus = await isCitus(db);
  // Kysely looks at all tables before it takes its lock, by their names: one that another process drops just then is an
  // error to it.
  const ran = await alone(db, 'migrations', async (one) => {
    const done: string[] = [];
    for (;;) {
      const next = await givingWay('a migration', (lockTimeout) =>
        nextOf(one, names, onCitus, lockTimeout),
      );
      if (next.length === 0) return done;
      done.push(...next);
      next.forEach(onMigrated);
    }
  });
  // Not before: migrations of old were not written for tables that are distributed.
  if (names.length === migrationNames().length) {
    await distribute(db);
    await ensureRowSecurity(db);
  }
  return ran;
}

/** Runs the first that has not run, in a transaction; gives its name, or nothing where all have. */
async function nextOf(
  db: Db,
  names: readonly string[],
  onCitus: boolean,
  lockTimeout: string,
): Promise<string[]> {
  const { error, results } = await migrator(db, names, onCitus, lockTimeout).migrateUp();
  if (error !== undefined) throw error;
  return (results ?? []).map((one) => one.migrationName);
}

/** What the database lacks of this program, and what it has beyond it. */
export async function schemaState(
  db: Db,
): Promise<{ missing: string[]; unknown: string[]; isNew: boolean }> {
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
    isNew: has.size === 0,
  };
}

/** Refuses a database of another version, or brings an older one up where that is allowed. Gives what was seen of it. */
export async function ensureSchema(db: Db, mode: 'auto' | 'refuse'): Promise<Fitness> {
  const state = await schemaState(db);
  // Where nothing is made here, the role need not be able to.
  const fitness = await requireFit(db, state.isNew && mode === 'auto');
  if (state.unknown.length > 0) {
    throw new ConfigError(
      `the database is of a newer version (${state.unknown[0]}): run the newer hub, or restore a backup of this version`,
    );
  }
  if (state.missing.length === 0) {
    // The extension may have come after the tables. What stands on the coordinator works as well, and doctor tells it.
    if (mode === 'auto') {
      await distribute(db);
      await ensureRowSecurity(db);
    }
    return fitness;
  }
  if (mode === 'refuse') {
    throw new ConfigError(
      `the database lacks ${state.missing.length} migrations: run "npm run hub -- migrate", or set HUB_MIGRATE=auto`,
    );
  }
  await migrate(db);
  return fitness;
}

/** The SQL of a migration. */
export const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.sql`), 'utf8');

function migrator(
  db: Db,
  names: readonly string[],
  onCitus: boolean,
  lockTimeout: string,
): Migrator {
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
                await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
                // One connection for all of a table: Citus takes no change of a table after parallel work on it.
                if (onCitus)
                  await sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
                for (const statement of statementsOf(textOf(name))) {
                  await sql.raw(statement).execute(tx);
                }
              },
            },
          ]),
        );
      },
    },
  });
}
