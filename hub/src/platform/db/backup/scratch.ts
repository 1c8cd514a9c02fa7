// A database beside the installation's own, on the same server, that lives for one proof: its name is the proof's alone, and
// it is dropped however the proof ends. What a killed one left is dropped by the next.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ConfigError } from '../../config/config.ts';
import { LOCKS } from '../alone.ts';
import { quoted } from './format.ts';

export interface Scratch {
  name: string;
  connection: pg.ClientConfig;
  create(): Promise<void>;
  /** Ends who is connected to it; nothing happens where there is none. */
  drop(): Promise<void>;
  /** Lets another proof begin. */
  close(): Promise<void>;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes none yet. Throws ConfigError on Citus, where the role may not create databases, and while another proof of this
 * installation is at work.
 */
export async function openScratch(connection: pg.ClientConfig): Promise<Scratch> {
  const keeper = await connect(connection);
  try {
    const mine = await prefixOf(keeper);
    await dropAll(connection, mine);
    const name = `${mine}${randomBytes(8).toString('hex')}`;
    let made: Promise<void> = Promise.resolve();
    return {
      name,
      connection: inDatabase(connection, name),
      create() {
        made = create(keeper, name);
        return made;
      },
      async drop() {
        // One that is made this moment would outlive its end.
        await made.catch(() => undefined);
        await dropAll(connection, name);
      },
      close: () => keeper.end(),
    };
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'gatewarden-proof' });
  // One that breaks while it is idle is found out by its next use.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SET statement_timeout = 0');
  return client;
}

/** Takes the lock of proofs; what begins with the answer is this installation's, and nobody else's at work. */
async function prefixOf(keeper: pg.Client): Promise<string> {
  const found = await keeper.query<{ oid: string; role: string; may: boolean; citus: boolean }>(`
    SELECT d.oid::text AS oid, r.rolname AS role, r.rolcreatedb OR r.rolsuper AS may,
      EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus
    FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = current_user`);
  const [about] = found.rows;
  if (about === undefined) throw new ConfigError('the database does not tell its own name');
  if (about.citus) {
    throw new ConfigError(
      'a proof is not offered on Citus, for a scratch database there would be none of the cluster: restore a backup into a plain PostgreSQL and run doctor there',
    );
  }
  if (!about.may) throw mayNot(about.role);
  const lock = await keeper.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    LOCKS.proof,
  ]);
  if (lock.rows[0]?.taken !== true) throw new ConfigError('another proof is at work');
  return `gatewarden_proof_${about.oid}_`;
}

async function create(keeper: pg.Client, name: string): Promise<void> {
  try {
    // template1 holds what an operator put there.
    await keeper.query(`CREATE DATABASE ${quoted(name)} TEMPLATE template0`);
    await keeper.query(`REVOKE ALL ON DATABASE ${quoted(name)} FROM PUBLIC`);
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) throw mayNot(null);
    throw error;
  }
}

function mayNot(role: string | null): ConfigError {
  const who = role === null ? "the hub's role" : `the role ${role}`;
  return new ConfigError(
    `${who} may not create a scratch database: ALTER ROLE … CREATEDB, or name a role in DATABASE_URL that may`,
  );
}

/** By a connection of its own: the keeper's may be the one that broke. */
async function dropAll(connection: pg.ClientConfig, prefix: string): Promise<void> {
  const client = await connect(connection);
  try {
    const found = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of found.rows) {
      await client.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
    }
  } finally {
    await client.end();
  }
}

/** The same server and role, another database. */
export function inDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  const { connectionString } = connection;
  if (connectionString === undefined) return { ...connection, database };
  // No URL for the class of that name: a socket's has a user and no host.
  const renamed = connectionString.replace(
    /^(postgres(?:ql)?:\/\/[^/?#]*)(\/[^?#]*)?/,
    (_all, server: string) => `${server}/${database}`,
  );
  return { ...connection, connectionString: renamed };
}
