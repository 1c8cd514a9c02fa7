// What a PostgreSQL of the operator's own must be for the hub to keep everything in it that devices and people write.
import { sql } from 'kysely';
import { ConfigError } from '../config/config.ts';
import { type Db, row } from './database.ts';

/** PostgreSQL 15: older ones know neither all statements nor all constraints of the schema. */
const OLDEST = 150_000;

export interface Fitness {
  /** As the server tells it, such as "18.1". */
  version: string;
  /** Nothing can be kept there. */
  unusable: string | null;
  /** Not everything can be kept there: no place to begin at. */
  fault: string | null;
  /** What is kept there is found worse. */
  lack: string | null;
}

/** Looks at the server and at the database that is connected to. */
export async function fitnessOf(db: Db): Promise<Fitness> {
  const found = await row(
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
  if (found === null) throw new ConfigError('the database tells nothing of itself');
  const { version, number, encoding, folds, standby } = found;
  return {
    version,
    unusable:
      number < OLDEST
        ? `the server is PostgreSQL ${version}: 15 or newer is needed`
        : standby
          ? 'the server is a standby, which takes no changes: name the primary in DATABASE_URL'
          : null,
    fault:
      encoding === 'UTF8'
        ? null
        : `the database's encoding is ${encoding}: make one with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL`,
    lack: folds ? null : FOLDS_ASCII,
  };
}

const FOLDS_ASCII =
  'capitals other than A to Z are told apart from small letters (the locale of the database is C): ' +
  "a search for “é” does not find “É”. A database made with LC_CTYPE 'C.UTF-8', TEMPLATE template0 finds both";

/**
 * Throws ConfigError before anything is written where it could not be kept. An installation that stands in a database of
 * another encoding goes on: it is told by `doctor` and in the log, by what is given.
 */
export async function requireFit(db: Db, isToBeMade: boolean): Promise<Fitness> {
  const fitness = await fitnessOf(db);
  const { unusable, fault } = fitness;
  if (unusable !== null) throw new ConfigError(unusable);
  if (!isToBeMade) return fitness;
  if (fault !== null) throw new ConfigError(fault);
  await requireRoom(db);
  return fitness;
}

async function requireRoom(db: Db): Promise<void> {
  const found = await row(
    db,
    sql<{ role: string; schema: string | null; may: boolean }>`
      SELECT current_user AS role, current_schema() AS schema,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may`,
  );
  if (found === null || found.may) return;
  const schema = found.schema ?? 'public';
  throw new ConfigError(
    `the role "${found.role}" may not make tables here: GRANT USAGE, CREATE ON SCHEMA ${schema} TO "${found.role}", or make it the database's owner`,
  );
}
