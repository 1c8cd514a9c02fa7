// Scratch database of a restore test, on the server of the installation. Its name is unique, and it is dropped however the
// test ends. The next test drops the scratch database of a killed test.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ConfigError } from '../../config/config.ts';
import { LOCKS } from '../advisory-lock.ts';
import { quoted } from './format.ts';

export interface Scratch {
  name: string;
  connection: pg.ClientConfig;
  create(): Promise<void>;
  /** Drops the database and its connections, if it exists. */
  drop(): Promise<void>;
  /** Releases the lock, so that another test can start. */
  close(): Promise<void>;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Prepares a scratch database without creating it. Throws ConfigError on Citus, if the role may not create databases, and
 * while another test of this installation is running.
 */
export async function openScratch(connection: pg.ClientConfig): Promise<Scratch> {
  const lockClient = await connect(connection);
  try {
    const prefix = await lockProofs(lockClient);
    await dropAll(connection, prefix);
    const name = `${prefix}${randomBytes(8).toString('hex')}`;
    let creation: Promise<void> = Promise.resolve();
    return {
      name,
      connection: inDatabase(connection, name),
      create() {
        creation = create(lockClient, name);
        return creation;
      },
      async drop() {
        // A database that is being created would survive the drop.
        await creation.catch(() => undefined);
        await dropAll(connection, name);
      },
      close: () => lockClient.end(),
    };
  } catch (error) {
    await lockClient.end();
    throw error;
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'gatewarden-proof' });
  // The next query detects a connection that breaks while it is idle.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SET statement_timeout = 0');
  return client;
}

/** Takes the lock of restore tests. Returns the prefix of scratch databases, all of which are unused now. */
async function lockProofs(lockClient: pg.Client): Promise<string> {
  const result = await lockClient.query<{
    oid: string;
    role: string;
    may: boolean;
    citus: boolean;
  }>(`
    SELECT d.oid::text AS oid, r.rolname AS role, r.rolcreatedb OR r.rolsuper AS may,
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus
    FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user`);
  const [database] = result.rows;
  if (database === undefined) throw new ConfigError('the database does not report its name');
  if (database.citus) {
    throw new ConfigError(
      'a proof is not offered on Citus, for a scratch database there would be none of the cluster: restore a backup into a plain PostgreSQL and run doctor there',
    );
  }
  if (!database.may) throw missingPrivilege(database.role);
  const lock = await lockClient.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS taken',
    [LOCKS.proof],
  );
  if (lock.rows[0]?.taken !== true) throw new ConfigError('another proof is at work');
  return `gatewarden_proof_${database.oid}_`;
}

async function create(lockClient: pg.Client, name: string): Promise<void> {
  try {
    // template1 may have objects of the operator.
    await lockClient.query(`CREATE DATABASE ${quoted(name)} TEMPLATE template0`);
    await lockClient.query(`REVOKE ALL ON DATABASE ${quoted(name)} FROM PUBLIC`);
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) throw missingPrivilege(null);
    throw error;
  }
}

function missingPrivilege(role: string | null): ConfigError {
  const who = role === null ? "the hub's role" : `the role ${role}`;
  return new ConfigError(
    `${who} may not create a scratch database: ALTER ROLE … CREATEDB, or name a role in DATABASE_URL that may`,
  );
}

/** Drops databases by a separate connection, since the lock's connection may be broken. */
async function dropAll(connection: pg.ClientConfig, prefix: string): Promise<void> {
  const client = await connect(connection);
  try {
    const databases = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of databases.rows) {
      await client.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
    }
  } finally {
    await client.end();
  }
}

/** Returns the connection settings for another database of the same server and role. */
export function inDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  const { connectionString } = connection;
  if (connectionString === undefined) return { ...connection, database };
  // The class URL does not accept URLs of Unix sockets, which have a user and no host.
  const renamed = connectionString.replace(
    /^(postgres(?:ql)?:\/\/[^/?#]*)(\/[^?#]*)?/,
    (_all, server: string) => `${server}/${database}`,
  );
  return { ...connection, connectionString: renamed };
}
