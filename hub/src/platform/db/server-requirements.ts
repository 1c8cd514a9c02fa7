// Requirements for an operator's own PostgreSQL server: its version, encoding, locale and privileges.
import { sql } from 'kysely';
import { ConfigError } from '../config/config.ts';
import { type Db, row } from './database.ts';

/** PostgreSQL 15. Older versions do not support all statements and constraints of the schema. */
const MIN_VERSION = 150_000;

export interface ServerReport {
  /** Version as the server reports it, such as "18.1". */
  version: string;
  /** Reason why the server cannot be used at all. */
  unusable: string | null;
  /** Reason why a new installation must not be created there, since not everything could be stored. */
  fault: string | null;
  /** Limitation of searches. */
  lack: string | null;
}

/** Examines the server and the connected database. Throws ConfigError without an answer. */
export async function checkServer(db: Db): Promise<ServerReport> {
  const server = await row(
    db,
    sql<{ version: string; number: number; encoding: string; folds: boolean; standby: boolean }>`
      SELECT current_setting('server_version') AS version,
        current_setting('server_version_num')::int AS number,
        current_setting('server_encoding') AS encoding,
        pg_is_in_recovery() AS standby,
        CASE current_setting('server_encoding') WHEN 'UTF8'
          THEN lower(convert_from('\\xc389', 'UTF8') COLLATE "default") = convert_from('\\xc3a9', 'UTF8')
          ELSE true END AS folds`,
  );
  if (server === null) throw new ConfigError('the database reports no settings');
  const { version, number, encoding, folds, standby } = server;
  return {
    version,
    unusable:
      number < MIN_VERSION
        ? `the server is PostgreSQL ${version}: 15 or newer is needed`
        : standby
          ? 'the server is a read-only standby: set DATABASE_URL to the primary'
          : null,
    fault:
      encoding === 'UTF8'
        ? null
        : `the database's encoding is ${encoding}: create a database with ENCODING 'UTF8' TEMPLATE template0, and set DATABASE_URL to it`,
    lack: folds ? null : FOLDS_ASCII,
  };
}

const FOLDS_ASCII =
  'search is case-sensitive for letters other than A to Z (the locale of the database is C): ' +
  "a search for “é” does not find “É”. A database created with LC_CTYPE 'C.UTF-8', TEMPLATE template0 finds both";

/**
 * Rejects an unsuitable server before anything is written. Throws ConfigError. An existing installation in a database with
 * another encoding continues; `doctor` and the log report it from the result.
 */
export async function requireServer(db: Db, isNew: boolean): Promise<ServerReport> {
  const report = await checkServer(db);
  const { unusable, fault } = report;
  if (unusable !== null) throw new ConfigError(unusable);
  if (!isNew) return report;
  if (fault !== null) throw new ConfigError(fault);
  await requireCreatePrivilege(db);
  return report;
}

async function requireCreatePrivilege(db: Db): Promise<void> {
  const privilege = await row(
    db,
    sql<{ role: string; schema: string | null; may: boolean }>`
      SELECT current_user AS role, current_schema() AS schema,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may`,
  );
  if (privilege === null || privilege.may) return;
  const schema = privilege.schema ?? 'public';
  throw new ConfigError(
    `the role "${privilege.role}" may not create tables here: GRANT USAGE, CREATE ON SCHEMA ${schema} TO "${privilege.role}", or make it the database's owner`,
  );
}
