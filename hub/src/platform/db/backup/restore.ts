// Restores a backup into an empty database: verifies the complete file, loads it in a single transaction, and migrates it to
// this program's schema.
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ConfigError } from '../../config/config.ts';
import type { Sealer } from '../../crypto/seal.ts';
import type { Database, Db } from '../database.ts';
import {
  isDevelopmentSchema,
  MIGRATIONS,
  type MigrationSource,
  migrate,
  migrationNames,
  schemaState,
} from '../migrate.ts';
import { requireServer } from '../server-requirements.ts';
import { type BackupHeader, type BackupPart, quoted, readParts, verifyFile } from './format.ts';

/** Numbers that were used after the backup must not be used again, because cursors may contain them. */
const SEQUENCE_LEAP = 1_000_000;

export interface RestoreAnswer {
  made_at: string;
  version: string;
  tables: number;
  rows: number;
  migrated: string[];
}

/** How far a restore is: tables and rows that were loaded. */
export interface RestoreProgress {
  table: number;
  tables: number;
  rows: number;
}

/**
 * Restores a backup. Rejects a damaged file, a file of another master key or a newer hub, and a database with rows. Afterwards
 * the feed epoch is new: devices and nodes resynchronize instead of missing changes since the backup. Throws ConfigError.
 */
export async function restoreBackup(
  database: Database,
  sealer: Sealer,
  file: string,
  onProgress: (progress: RestoreProgress) => void = () => undefined,
  source: MigrationSource = MIGRATIONS,
): Promise<RestoreAnswer> {
  const { end, header } = await inspectBackup(database, sealer, file, source);
  await migrate(database.db, { names: header.migrations, source });
  const rows = await load(database.connection, { file, end, header, onProgress });
  const migrated = await migrate(database.db, { source });
  await analyze(database.db);
  const { made_at, version, tables } = header;
  return { made_at, version, tables: tables.length, rows, migrated };
}

/**
 * Makes every check that precedes a restore, and changes nothing. Returns the header of the backup and the end of its script.
 * Throws ConfigError where a restore would.
 */
export async function inspectBackup(
  database: Database,
  sealer: Sealer,
  file: string,
  source: MigrationSource = MIGRATIONS,
): Promise<{ end: number; header: BackupHeader }> {
  const { end } = await verifyFile(file, sealer);
  const header = await readHeader(file, end);
  if (isDevelopmentSchema(header.migrations)) {
    throw new ConfigError(
      'the backup is of a development version before 0.1.0, which cannot be restored',
    );
  }
  const newer = header.migrations.find((name) => !source.names().includes(name));
  if (newer !== undefined) {
    throw new ConfigError(`the backup is of a newer hub (${header.version}, with ${newer})`);
  }
  await rejectUsedDatabase(database, header);
  return { end, header };
}

async function readHeader(file: string, end: number): Promise<BackupHeader> {
  for await (const part of readParts(file, end)) {
    if (part.kind === 'header') return part.header;
  }
  throw new ConfigError(`${file} has no backup`);
}

/** Rejects a database with rows. An empty schema is allowed, so that an interrupted restore can be repeated. */
async function rejectUsedDatabase(database: Database, header: BackupHeader): Promise<void> {
  const { unknown, missing, isNew } = await schemaState(database.db);
  await requireServer(database.db, isNew);
  const present = migrationNames().filter((name) => !missing.includes(name));
  if (unknown.length === 0 && present.length === 0) return;
  for (const table of FILLED_TABLES) {
    const existing = await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', [
      table,
    ]);
    if (existing.rows[0]?.exists === true) await rejectRows(database.pool, table);
  }
  // Rows of the backup must pass the migrations that are newer than the backup.
  const ahead = [...unknown, ...present].find((name) => !header.migrations.includes(name));
  if (ahead !== undefined) {
    throw new ConfigError(
      `the database's tables are newer than the backup (${ahead}): use a database without tables`,
    );
  }
}

/** Tables with rows in every installation since its first start. */
const FILLED_TABLES = ['tenants', 'installation_secrets'];

async function rejectRows(
  client: Pick<pg.Client | pg.Pool, 'query'>,
  table: string,
): Promise<void> {
  const result = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
  if (result.rows.length === 0) return;
  throw new ConfigError(
    'the database is in use: a backup is restored into an empty database, or with a fresh HUB_DATA_DIR',
  );
}

/** Locks out a started hub or another restore until the end, and rejects rows that they have inserted meanwhile. */
async function lockEmptyTables(client: pg.Client): Promise<void> {
  await client.query(`LOCK TABLE ${FILLED_TABLES.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  for (const table of FILLED_TABLES) await rejectRows(client, table);
}

async function load(
  connection: pg.ClientConfig,
  from: {
    file: string;
    end: number;
    header: BackupHeader;
    onProgress(progress: RestoreProgress): void;
  },
): Promise<number> {
  const client = new pg.Client({ ...connection, application_name: 'gatewarden-restore' });
  await client.connect();
  let rows = 0;
  let tables = 0;
  try {
    await client.query("SET timezone = 'UTC'; SET statement_timeout = 0");
    await client.query('BEGIN');
    await lockEmptyTables(client);
    await prepare(client, from.header);
    const parts = readParts(from.file, from.end);
    for await (const part of parts) {
      if (part.kind !== 'table') continue;
      const into = client.query(copyFrom(part.statement));
      await pipeline(readRows(parts), into);
      rows += into.rowCount;
      tables += 1;
      from.onProgress({ table: tables, tables: from.header.tables.length, rows });
    }
    for (const { name, last } of from.header.sequences) {
      await client.query('SELECT setval($1::regclass, $2)', [
        `public.${quoted(name)}`,
        last + SEQUENCE_LEAP,
      ]);
    }
    await client.query('UPDATE installation SET feed_epoch = $1', [randomUUID()]);
    await client.query('COMMIT');
    return rows;
  } finally {
    // Without COMMIT the transaction is rolled back with the end of the connection.
    await client.end();
  }
}

/** Deletes rows that migrations have inserted, since the backup contains them, and creates the partitions. */
async function prepare(client: pg.Client, header: BackupHeader): Promise<void> {
  for (const { name } of header.tables) await client.query(`DELETE FROM public.${quoted(name)}`);
  for (const { name, parent, bounds } of header.partitions) {
    const existing = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [
      `public.${quoted(name)}`,
    ]);
    if (existing.rows[0]?.exists === true) continue;
    await client.query(
      `CREATE TABLE public.${quoted(name)} PARTITION OF public.${quoted(parent)} ${bounds}`,
    );
  }
}

/** Updates the statistics without a timeout, since the limit of a request does not suit a whole installation. */
async function analyze(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`SET statement_timeout = 0`.execute(connection);
    try {
      await sql`ANALYZE`.execute(connection);
    } finally {
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

/** Yields the rows of the current table. */
async function* readRows(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value } = await parts.next();
    if (value?.kind !== 'rows') return;
    yield value.bytes;
  }
}
