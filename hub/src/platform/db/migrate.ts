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

/** The SQL of a migration. */
export const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.sql`), 'utf8');

/** The migrations that a program brings: their names in order, and the SQL of each. Tests add a later version. */
export interface MigrationSource {
  names(): string[];
  textOf(name: string): string;
}

/** The migrations of this version. */
export const MIGRATIONS: MigrationSource = { names: migrationNames, textOf };

/** The first migration of the development versions before 0.1.0, which were never released. */
const DEVELOPMENT_MIGRATION = '0001-platform';

/** Returns whether migrations contain those of a development version before 0.1.0, which cannot be upgraded. */
export const isDevelopmentSchema = (names: readonly string[]): boolean =>
  names.includes(DEVELOPMENT_MIGRATION);

interface MigrateOptions {
  /** Only these migrations; all of the source by default. */
  names?: readonly string[];
  source?: MigrationSource;
  onMigrated?(name: string): void;
}

/**
 * Brings the database to the version of the source, or only through the named migrations. Returns the names that ran. Each
 * migration is a transaction of its own, so that none keeps a lock that another one needs. After all of them, tables are
 * distributed (Citus) or row security is applied (any other PostgreSQL). Waits for locks of other transactions.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const { source = MIGRATIONS, onMigrated = () => undefined } = options;
  const { names = source.names() } = options;
  const onCitus = await isCitus(db);
  // Kysely reads the names of all tables before it takes its own lock, and fails if another process drops a table then.
  const applied = await alone(db, 'migrations', async (connection) => {
    const done: string[] = [];
    for (;;) {
      const next = await givingWay('a migration', (lockTimeout) =>
        runNext(connection, { names, source, onCitus, lockTimeout }),
      );
      if (next.length === 0) return done;
      done.push(...next);
      next.forEach(onMigrated);
    }
  });
  // A part of the migrations may lack tables that are to be distributed.
  if (names.length === source.names().length) {
    await distribute(db);
    await ensureRowSecurity(db);
  }
  return applied;
}

interface MigrationRun {
  names: readonly string[];
  source: MigrationSource;
  onCitus: boolean;
  lockTimeout: string;
}

/** Runs the first pending migration in a transaction; returns its name, or nothing if no migration is pending. */
async function runNext(db: Db, run: MigrationRun): Promise<string[]> {
  const { error, results } = await migrator(db, run).migrateUp();
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** What the database lacks of this program, and what it has beyond it. */
export async function schemaState(
  db: Db,
  source: MigrationSource = MIGRATIONS,
): Promise<{ missing: string[]; unknown: string[]; isNew: boolean }> {
  const exists = await sql<{ found: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db);
  const done =
    exists.rows[0]?.found === true
      ? (await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)).rows
      : [];
  const has = new Set(done.map((one) => one.name));
  const brings = source.names();
  return {
    missing: brings.filter((name) => !has.has(name)),
    unknown: [...has].filter((name) => !brings.includes(name)),
    isNew: has.size === 0,
  };
}

/** Refuses a database of another version, or brings an older one up where that is allowed. Gives what was seen of it. */
export async function ensureSchema(
  db: Db,
  mode: 'auto' | 'refuse',
  source: MigrationSource = MIGRATIONS,
): Promise<Fitness> {
  const state = await schemaState(db, source);
  // Where nothing is made here, the role need not be able to.
  const fitness = await requireFit(db, state.isNew && mode === 'auto');
  if (isDevelopmentSchema(state.unknown)) {
    throw new ConfigError(
      'the database is of a development version before 0.1.0, which cannot be upgraded: use an empty database or data folder',
    );
  }
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
  await migrate(db, { source });
  return fitness;
}

function migrator(db: Db, { names, source, onCitus, lockTimeout }: MigrationRun): Migrator {
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
                for (const statement of statementsOf(source.textOf(name))) {
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
