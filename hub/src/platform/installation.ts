// Facts of the installation itself, the same for all hub processes on one database: feed epoch and sealed secrets.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Config, ConfigError } from './config/config.ts';
import { type Sealer, UnsealError } from './crypto/seal.ts';
import { placeIn, type SealedColumn } from './crypto/sealed-columns.ts';
import { type Db, row } from './db/database.ts';

export const SEALED_INSTALLATION: SealedColumn = {
  table: 'installation_secrets',
  column: 'sealed',
  key: ['name'],
};

export interface Installation {
  /** New after a restore: device cursors of before are then 410. */
  feedEpoch: string;
  /** Of the hub that served last; null before the first. */
  origin: string | null;
}

/** Where people reach the hub, for a command that does not serve: as configured, else as the hub that served last. */
export function originKnown(
  { baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>,
  { origin }: Installation,
): string {
  return baseUrl ?? origin ?? `http://${host}:${port}`;
}

export async function readInstallation(db: Db): Promise<Installation> {
  const found = await row(
    db,
    sql<{ feed_epoch: string; origin: string | null }>`SELECT feed_epoch, origin FROM installation`,
  );
  if (found === null) throw new ConfigError('the database holds no installation row: run migrate');
  return { feedEpoch: found.feed_epoch, origin: found.origin };
}

/** Remembers where the hub is reached, for commands that run beside it. */
export async function rememberOrigin(db: Db, origin: string): Promise<void> {
  await sql`UPDATE installation SET origin = ${origin} WHERE origin IS DISTINCT FROM ${origin}`.execute(
    db,
  );
}

/**
 * A secret of the installation: made on first use, the first writer wins. Throws ConfigError when the master key
 * does not open it, which is how a wrong key is found out at start.
 */
export async function installationSecret(
  db: Db,
  sealer: Sealer,
  name: string,
  make: () => Promise<string> | string,
): Promise<string> {
  const place = placeIn(SEALED_INSTALLATION, [name]);
  const read = () =>
    row(db, sql<{ sealed: string }>`SELECT sealed FROM installation_secrets WHERE name = ${name}`);
  let found = await read();
  if (found === null) {
    await sql`
      INSERT INTO installation_secrets (name, sealed)
      VALUES (${name}, ${sealer.seal(await make(), place)}) ON CONFLICT (name) DO NOTHING`.execute(
      db,
    );
    found = await read();
  }
  try {
    return sealer.unseal(found?.sealed ?? '', place);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new ConfigError(
      `the master key does not open this database's secrets (${error.message}): set the key it was made with`,
    );
  }
}

/** True before anything was ever sealed here, also before the schema is there. */
export async function holdsNoSecret(db: Db): Promise<boolean> {
  const table = await row(
    db,
    sql<{ name: string | null }>`SELECT to_regclass('installation_secrets')::text AS name`,
  );
  if (table?.name == null) return true;
  return (await row(db, sql`SELECT 1 FROM installation_secrets LIMIT 1`)) === null;
}

export function randomKey(): string {
  return randomBytes(32).toString('base64');
}

/** Remembers that the hub's own command has written a whole backup now. */
export async function rememberBackup(db: Db): Promise<void> {
  await sql`UPDATE installation SET last_backup_at = now()`.execute(db);
}

/** Null where none is known: others may back the database up by other means. */
export async function readLastBackup(db: Db): Promise<Date | null> {
  const found = await row(
    db,
    sql<{ last_backup_at: Date | null }>`SELECT last_backup_at FROM installation`,
  );
  return found?.last_backup_at ?? null;
}

/** What a proof came to. */
export interface LastProof {
  at: Date;
  version: string;
  /** Which steps and checks failed; none: all is proved. */
  failed: string[];
}

export async function rememberProof(db: Db, { at, version, failed }: LastProof): Promise<void> {
  await sql`
    UPDATE installation SET last_proof_at = ${at}, last_proof_version = ${version},
      last_proof_failed = ${failed}::text[]`.execute(db);
}

/** Null before the first. By the pool itself: metrics ask, and do not count what they ask. */
export async function readLastProof(pool: pg.Pool): Promise<LastProof | null> {
  const { rows } = await pool.query<{ at: Date | null; version: string; failed: string[] }>(
    `SELECT last_proof_at AS at, last_proof_version AS version, last_proof_failed AS failed
     FROM installation`,
  );
  const [found] = rows;
  return found === undefined || found.at === null ? null : { ...found, at: found.at };
}
