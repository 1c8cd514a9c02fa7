// The embedded PostgreSQL server of a data directory: created at first use, shared by all hub processes, stopped by the last.
// Main types: `EmbeddedDatabase`.
// Invariants: every process that uses the server has a shared advisory lock; a leaving process stops the server only if it
// gets the lock exclusively. Depends on programs.ts (the PostgreSQL binaries).
// Start reading at `openEmbedded`.
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ConfigError } from '../../config/config.ts';
import { readDisk } from '../backup/disk-space.ts';
import {
  type Account,
  type Binaries,
  loadBinaries,
  runAs,
  unprivilegedAccount,
} from './programs.ts';

const MAJOR_VERSION = '18';
const USER = 'gatewarden';
const DATABASE = 'gatewarden';
const USERS_LOCK = 715_001;
const START_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 200;
/** The limit of Unix socket paths is about 107 bytes, including `/.s.PGSQL.5432`. */
const SOCKET_DIR_MAX = 90;

export interface EmbeddedDatabase {
  connection: pg.ClientConfig;
  /** Restarts the server if it does not answer. */
  revive(): Promise<void>;
  /** Disconnects, and stops the server if no other process uses it. */
  release(): Promise<void>;
}

/**
 * Opens the database of a data directory; creates and starts it if necessary. The limit of connections applies at a start.
 * Throws ConfigError.
 */
export async function openEmbedded(
  dataDir: string,
  maxConnections = MAX_CONNECTIONS,
): Promise<EmbeddedDatabase> {
  const cluster = join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : null;
  const socketDir = prepareSocketDir(dataDir, account);
  const connection: pg.ClientConfig = {
    host: socketDir,
    port: 5432,
    user: USER,
    database: DATABASE,
  };
  const binaries = await loadBinaries(dataDir, account);
  let lockClient: pg.Client | null = null;

  const ensureRunning = async () => {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const client = await tryConnect({ ...connection, database: 'postgres' });
      if (client !== null) {
        lockClient = client;
        return;
      }
      if (Date.now() > deadline) {
        const { freeBytes } = await readDisk(dataDir);
        throw new ConfigError(
          `the embedded PostgreSQL did not start within ${START_TIMEOUT_MS / 1000} s: ${explainStartFailure(dataDir, freeBytes)}`,
        );
      }
      checkVersion(cluster);
      if (!existsSync(join(cluster, 'PG_VERSION'))) {
        await createCluster(binaries, cluster, account);
      }
      await startServer({ binaries, cluster, socketDir, dataDir, account, maxConnections });
    }
  };

  await ensureRunning();
  await createDatabase(lockClient);
  return {
    connection,
    async revive() {
      if (lockClient !== null && (await isAlive(lockClient))) return;
      await lockClient?.end().catch(ignoreLost);
      lockClient = null;
      await ensureRunning();
    },
    async release() {
      const client = lockClient;
      lockClient = null;
      if (client !== null) await disconnect(client, cluster);
    },
  };
}

/** Size of PostgreSQL's first log segment, without which it cannot start. */
const START_MIN_BYTES = 16 * 2 ** 20;

/** Explains a failed start. If the disk is full, the server's log ends without a reason. */
export function explainStartFailure(dataDir: string, freeBytes: number): string {
  return freeBytes < START_MIN_BYTES ? `the disk of ${dataDir} is full` : `see ${logFile(dataDir)}`;
}

async function tryConnect(config: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client(config);
  // The next query detects a connection that breaks while it is idle.
  client.on('error', ignoreLost);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK]);
    return client;
  } catch (error) {
    await client.end().catch(ignoreLost);
    const { code = '' } = error as { code?: string };
    // No listener, a stale socket, a starting or a stopping server: the caller starts the server in all these cases.
    if (/^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|57P0[123])$/.test(code)) return null;
    if (/terminated/i.test((error as Error).message)) return null;
    throw error;
  }
}

async function isAlive(client: pg.Client): Promise<boolean> {
  try {
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

async function createDatabase(client: pg.Client | null): Promise<void> {
  const existing = await client?.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (existing === undefined || existing.rowCount !== 0) return;
  try {
    await client?.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another process has created the database at the same time.
    if (!/^(42P04|23505)$/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

async function disconnect(client: pg.Client, cluster: string): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const lock = await client.query<{ isExclusive: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS "isExclusive"',
      [USERS_LOCK],
    );
    if (lock.rows[0]?.isExclusive === true) await stopServer(cluster);
  } catch (error) {
    // The server has stopped already.
    ignoreLost(error);
  } finally {
    await client.end().catch(ignoreLost);
  }
}

async function stopServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions without loss of data.
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + 30_000;
  while (existsSync(pidFile) && Date.now() < deadline) await sleep(25);
}

function checkVersion(cluster: string): void {
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) return;
  const version = readFileSync(file, 'utf8').trim();
  if (version !== MAJOR_VERSION) {
    throw new ConfigError(
      `${cluster} was created by PostgreSQL ${version}, but this hub includes ${MAJOR_VERSION}: move the folder away, or upgrade it with pg_upgrade`,
    );
  }
}

function prepareSocketDir(dataDir: string, account: Account | null): string {
  const preferred = join(dataDir, 'run');
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const dir = preferred.length <= SOCKET_DIR_MAX ? preferred : join(tmpdir(), `gatewarden-${name}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stats = lstatSync(dir);
  const isOwner = [process.getuid?.(), account?.uid].includes(stats.uid);
  if (!stats.isDirectory() || !isOwner) {
    throw new ConfigError(`${dir} belongs to another user: the database socket cannot be created`);
  }
  if (account !== null) chownSync(dir, account.uid, account.gid);
  return dir;
}

async function createCluster(
  binaries: Binaries,
  cluster: string,
  account: Account | null,
): Promise<void> {
  // The cluster is created under a temporary name and renamed, so that an interrupted start leaves no incomplete cluster.
  const draft = `${cluster}.${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  if (account !== null) chownSync(draft, account.uid, account.gid);
  try {
    const [file, args] = runAs(account, [draft], binaries.initdb, [
      `--pgdata=${draft}`,
      `--username=${USER}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
    ]);
    await promisify(execFile)(file, args, { cwd: '/' });
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(join(cluster, 'PG_VERSION'))) return;
    const stderr = (error as { stderr?: string }).stderr ?? (error as Error).message;
    throw new ConfigError(
      `the embedded PostgreSQL could not be created in ${cluster}: ${stderr.trim().split('\n').at(-1)}`,
    );
  }
}

interface ServerStart {
  binaries: Binaries;
  cluster: string;
  socketDir: string;
  dataDir: string;
  account: Account | null;
  maxConnections: number;
}

/** Starts the server in a separate session, so that Ctrl-C in a terminal does not reach it before the hub has drained. */
async function startServer(start: ServerStart): Promise<void> {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${start.socketDir}`,
    'unix_socket_permissions=0700',
    `max_connections=${start.maxConnections}`,
    'shared_buffers=256MB',
    'max_wal_size=2GB',
    // The value is for solid-state disks. With the default, a few hundred key lookups are planned as a full table scan.
    'random_page_cost=1.1',
    // Compiling a statement takes longer than running any statement of the hub.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_min_messages=warning',
  ];
  const [file, args] = runAs(
    start.account,
    [start.cluster, start.socketDir],
    start.binaries.postgres,
    ['-D', start.cluster, ...settings.flatMap((setting) => ['-c', setting])],
  );
  const log = openSync(logFile(start.dataDir), 'a', 0o600);
  const child = spawn(file, args, { cwd: '/', detached: true, stdio: ['ignore', log, log] });
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  child.on('error', () => {
    ended = true;
  });
  child.unref();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!ended && Date.now() < deadline) {
    const probe = new pg.Client({
      host: start.socketDir,
      port: 5432,
      user: USER,
      database: 'postgres',
    });
    probe.on('error', ignoreLost);
    try {
      await probe.connect();
      return;
    } catch (error) {
      ignoreLost(error);
      await sleep(50);
    } finally {
      await probe.end().catch(ignoreLost);
    }
  }
  // The server ended at once, perhaps because another process was faster. The caller retries the connection.
  await sleep(200);
}

function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

/** Ignores errors of connections that are expected to break. The next query detects the state. */
function ignoreLost(_error: unknown): void {
  return;
}
