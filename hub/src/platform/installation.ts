// Facts of the installation, equal for all hub processes of a database: feed epoch, origin, sealed secrets, last backup.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Config, ConfigError } from './config/config.ts';
import { type Sealer, UnsealError } from './crypto/seal.ts';
import { locationOf, type SealedColumn } from './crypto/sealed-columns.ts';
import { type Db, row } from './db/database.ts';

export const SEALED_INSTALLATION: SealedColumn = {
  table: 'installation_secrets',
  column: 'sealed',
  key: ['name'],
};

export interface Installation {
  /** Changes with a restore, after which earlier device cursors are rejected with 410. */
  feedEpoch: string;
  /** Origin of the last serving hub; null before the first. */
  origin: string | null;
}

/** Returns the hub's origin for a command that does not serve: as configured, else that of the last serving hub. */
export function resolveOrigin(
  { baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>,
  { origin }: Installation,
): string {
  return baseUrl ?? origin ?? `http://${host}:${port}`;
}

/** Reads the installation. Throws ConfigError before the first migration. */
export async function readInstallation(db: Db): Promise<Installation> {
  const record = await row(
    db,
    sql<{ feed_epoch: string; origin: string | null }>`SELECT feed_epoch, origin FROM installation`,
  );
  if (record === null) {
    throw new ConfigError('the database has no installation row: run migrate');
  }
  return { feedEpoch: record.feed_epoch, origin: record.origin };
}

/** Stores the hub's origin for commands. */
export async function storeOrigin(db: Db, origin: string): Promise<void> {
  await sql`UPDATE installation SET origin = ${origin} WHERE origin IS DISTINCT FROM ${origin}`.execute(
    db,
  );
}

/**
 * Returns a secret of the installation, which is created at first use; the first writer wins. Throws ConfigError if the master
 * key does not unseal it, so that a wrong key is detected at the start.
 */
export async function installationSecret(
  db: Db,
  sealer: Sealer,
  name: string,
  create: () => Promise<string> | string,
): Promise<string> {
  const location = locationOf(SEALED_INSTALLATION, [name]);
  const read = () =>
    row(db, sql<{ sealed: string }>`SELECT sealed FROM installation_secrets WHERE name = ${name}`);
  let secret = await read();
  if (secret === null) {
    await sql`
      INSERT INTO installation_secrets (name, sealed)
      VALUES (${name}, ${sealer.seal(await create(), location)}) ON CONFLICT (name) DO NOTHING`.execute(
      db,
    );
    secret = await read();
  }
  try {
    return sealer.unseal(secret?.sealed ?? '', location);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new ConfigError(
      `the master key does not open this database's secrets (${error.message}): set the key that was used at installation`,
    );
  }
}

/** Returns whether nothing was ever sealed in this database, also before the schema exists. */
export async function hasNoSecrets(db: Db): Promise<boolean> {
  const table = await row(
    db,
    sql<{ name: string | null }>`SELECT to_regclass('installation_secrets')::text AS name`,
  );
  if (table?.name == null) return true;
  return (await row(db, sql`SELECT 1 FROM installation_secrets LIMIT 1`)) === null;
}

/** Returns 32 random bytes in base64. */
export function randomKey(): string {
  return randomBytes(32).toString('base64');
}

/** Stores the time of a complete backup by the hub's command. */
export async function storeBackupTime(db: Db): Promise<void> {
  await sql`UPDATE installation SET last_backup_at = now()`.execute(db);
}

/** Returns the time of the last backup, or null. Backups by other tools are unknown. */
export async function readLastBackup(db: Db): Promise<Date | null> {
  const record = await row(
    db,
    sql<{ last_backup_at: Date | null }>`SELECT last_backup_at FROM installation`,
  );
  return record?.last_backup_at ?? null;
}

/** The result of a restore test. */
export interface LastProof {
  at: Date;
  version: string;
  /** Failed steps and checks; empty for a successful test. */
  failed: string[];
}

/** Stores the result of a restore test. */
export async function storeProof(db: Db, { at, version, failed }: LastProof): Promise<void> {
  await sql`
    UPDATE installation SET last_proof_at = ${at}, last_proof_version = ${version},
      last_proof_failed = ${failed}::text[]`.execute(db);
}

/** Returns the last restore test, or null. It uses the pool directly, so that scrapes are not counted as statements. */
export async function readLastProof(pool: pg.Pool): Promise<LastProof | null> {
  const { rows } = await pool.query<{ at: Date | null; version: string; failed: string[] }>(
    `SELECT last_proof_at AS at, last_proof_version AS version, last_proof_failed AS failed
     FROM installation`,
  );
  const [proof] = rows;
  return proof === undefined || proof.at === null ? null : { ...proof, at: proof.at };
}
