// A backup put into an empty database: checked whole before, loaded in one transaction, brought to this program's schema after.
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ConfigError } from '../../config/config.ts';
import type { Sealer } from '../../crypto/seal.ts';
import type { Database, Db } from '../database.ts';
import { requireFit } from '../fitness.ts';
import {
  isDevelopmentSchema,
  MIGRATIONS,
  type MigrationSource,
  migrate,
  migrationNames,
  schemaState,
} from '../migrate.ts';
import { type BackupHeader, type BackupPart, quoted, readParts, verifyFile } from './format.ts';

/** Numbers that were given out after the backup are not given out again: cursors may hold them. */
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
 * Refuses a damaged file, one of another master key or of a newer hub, and a database that holds anything. Afterwards the
 * feed epoch is a new one: devices and nodes start over instead of missing what changed between the backup and now.
 * Throws ConfigError.
 */
export async function restoreBackup(
  database: Database,
  sealer: Sealer,
  file: string,
  onProgress: (progress: RestoreProgress) => void = () => undefined,
  source: MigrationSource = MIGRATIONS,
): Promise<RestoreAnswer> {
  const { end } = await verifyFile(file, sealer);
  const header = await headerOf(file, end);
  if (isDevelopmentSchema(header.migrations)) {
    throw new ConfigError(
      'the backup is of a development version before 0.1.0, which cannot be restored',
    );
  }
  const newer = header.migrations.find((name) => !source.names().includes(name));
  if (newer !== undefined) {
    throw new ConfigError(`the backup is of a newer hub (${header.version}, with ${newer})`);
  }
  await refuseUsed(database, header);
  await migrate(database.db, { names: header.migrations, source });
  const rows = await load(database.connection, { file, end, header, onProgress });
  const migrated = await migrate(database.db, { source });
  await analyze(database.db);
  const { made_at, version, tables } = header;
  return { made_at, version, tables: tables.length, rows, migrated };
}

async function headerOf(file: string, end: number): Promise<BackupHeader> {
  for await (const part of readParts(file, end)) {
    if (part.kind === 'header') return part.header;
  }
  throw new ConfigError(`${file} holds no backup`);
}

/** An empty schema is no data: a restore that was broken off is done again. */
async function refuseUsed(database: Database, header: BackupHeader): Promise<void> {
  const { unknown, missing, isNew } = await schemaState(database.db);
  await requireFit(database.db, isNew);
  const present = migrationNames().filter((name) => !missing.includes(name));
  if (unknown.length === 0 && present.length === 0) return;
  for (const table of TELLING) {
    const known = await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS is_there', [
      table,
    ]);
    if (known.rows[0]?.is_there === true) await refuseRows(database.pool, table);
  }
  // Its rows have to pass the migrations that came after them.
  const ahead = [...unknown, ...present].find((name) => !header.migrations.includes(name));
  if (ahead !== undefined) {
    throw new ConfigError(
      `the database's tables are newer than the backup (${ahead}): give one without tables`,
    );
  }
}

/** What every installation has rows in, from its first start on. */
const TELLING = ['tenants', 'installation_secrets'];

async function refuseRows(on: Pick<pg.Client | pg.Pool, 'query'>, table: string): Promise<void> {
  const found = await on.query(`SELECT 1 FROM ${table} LIMIT 1`);
  if (found.rows.length === 0) return;
  throw new ConfigError(
    'the database is in use: a backup is restored into an empty one, or with a fresh HUB_DATA_DIR',
  );
}

/** A hub that was started, or another restore, may have come since it was looked at; until the end none can. */
async function refuseFilled(client: pg.Client): Promise<void> {
  await client.query(`LOCK TABLE ${TELLING.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  for (const table of TELLING) await refuseRows(client, table);
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
    await refuseFilled(client);
    await prepare(client, from.header);
    const parts = readParts(from.file, from.end);
    for await (const part of parts) {
      if (part.kind !== 'table') continue;
      const into = client.query(copyFrom(part.statement));
      await pipeline(rowsOf(parts), into);
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
    // Without its COMMIT the transaction ends with the connection, and nothing of it is there.
    await client.end();
  }
}

/** What migrations themselves put into tables comes from the backup, too. */
async function prepare(client: pg.Client, header: BackupHeader): Promise<void> {
  for (const { name } of header.tables) await client.query(`DELETE FROM public.${quoted(name)}`);
  for (const { name, parent, bounds } of header.partitions) {
    const known = await client.query('SELECT to_regclass($1) IS NOT NULL AS is_there', [
      `public.${quoted(name)}`,
    ]);
    if (known.rows[0]?.is_there === true) continue;
    await client.query(
      `CREATE TABLE public.${quoted(name)} PARTITION OF public.${quoted(parent)} ${bounds}`,
    );
  }
}

/** However long it takes: what a request may take says nothing of a whole installation. */
async function analyze(db: Db): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`SET statement_timeout = 0`.execute(one);
    try {
      await sql`ANALYZE`.execute(one);
    } finally {
      await sql`RESET statement_timeout`.execute(one);
    }
  });
}

/** The rows of the table that was just named. */
async function* rowsOf(parts: AsyncGenerator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value } = await parts.next();
    if (value?.kind !== 'rows') return;
    yield value.bytes;
  }
}
