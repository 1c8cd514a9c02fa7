// Forward-only migrations from hub/migrations/NNNN-name.sql, run by kysely's Migrator in a single process at a time.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigError } from '../config/config.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import { distribute, isCitus } from './citus-distribution.ts';
import type { Db } from './database.ts';
import { retryOnLockTimeout } from './lock-timeout-retry.ts';
import { ensureRowSecurity } from './row-security.ts';
import { requireServer, type ServerReport } from './server-requirements.ts';
import { splitStatements } from './split-statements.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../../migrations');

/** Returns the names of this program's migrations in order. */
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
 * Brings the database to the version of `source`, or runs only the missing migrations of `names`. Returns the names that
 * ran. Each migration is a separate transaction, so that locks are not accumulated. After all migrations, tables are
 * distributed on Citus (placement.ts); elsewhere row security is enabled. Waits without a limit for locks of other processes.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const { source = MIGRATIONS, onMigrated = () => undefined } = options;
  const { names = source.names() } = options;
  const onCitus = await isCitus(db);
  // Kysely reads all table names before it takes its own lock, and fails if another process drops a table meanwhile.
  const ran = await withAdvisoryLock(db, 'migrations', async (connection) => {
    const finished: string[] = [];
    for (;;) {
      const next = await retryOnLockTimeout('a migration', (lockTimeout) =>
        runNext(connection, { names, source, onCitus, lockTimeout }),
      );
      if (next.length === 0) return finished;
      finished.push(...next);
      next.forEach(onMigrated);
    }
  });
  // A part of the migrations may lack tables that are to be distributed.
  if (names.length === source.names().length) {
    await distribute(db);
    await ensureRowSecurity(db);
  }
  return ran;
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

/** Returns the migrations that the database lacks, and those that this program does not know. */
export async function schemaState(
  db: Db,
  source: MigrationSource = MIGRATIONS,
): Promise<{ missing: string[]; unknown: string[]; isNew: boolean }> {
  const table = await sql<{ exists: boolean }>`
    SELECT to_regclass('kysely_migration') IS NOT NULL AS exists`.execute(db);
  const applied =
    table.rows[0]?.exists === true
      ? (await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)).rows
      : [];
  const appliedNames = new Set(applied.map(({ name }) => name));
  const names = source.names();
  return {
    missing: names.filter((name) => !appliedNames.has(name)),
    unknown: [...appliedNames].filter((name) => !names.includes(name)),
    isNew: appliedNames.size === 0,
  };
}

/** Rejects a database of another version, or migrates an older version if `auto`. Throws ConfigError. */
export async function ensureSchema(
  db: Db,
  mode: 'auto' | 'refuse',
  source: MigrationSource = MIGRATIONS,
): Promise<ServerReport> {
  const state = await schemaState(db, source);
  // The role needs privileges only if tables are created.
  const report = await requireServer(db, state.isNew && mode === 'auto');
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
    // Citus may have been installed after the tables were created. Tables on the coordinator also work; doctor reports them.
    if (mode === 'auto') {
      await distribute(db);
      await ensureRowSecurity(db);
    }
    return report;
  }
  if (mode === 'refuse') {
    throw new ConfigError(
      `the database lacks ${state.missing.length} migrations: run "npm run hub -- migrate", or set HUB_MIGRATE=auto`,
    );
  }
  await migrate(db, { source });
  return report;
}

function migrator(db: Db, { names, source, onCitus, lockTimeout }: MigrationRun): Migrator {
  return new Migrator({
    db,
    // Parallel branches add lower numbers than a database already has. Each migration depends only on its own branch.
    allowUnorderedMigrations: true,
    provider: {
      async getMigrations() {
        return Object.fromEntries(
          names.map((name) => [
            name,
            {
              async up(tx: Db) {
                await sql`SELECT set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx);
                // All shards of a table use the same connection: Citus rejects a table change after parallel work on it.
                if (onCitus)
                  await sql`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
                for (const statement of splitStatements(source.textOf(name))) {
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
