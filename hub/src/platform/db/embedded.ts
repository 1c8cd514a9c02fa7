// The embedded PostgreSQL: made on first use, shared by every hub process on the data folder, ended by the last one.
// Processes that use it hold a shared advisory lock; who leaves and can take that lock alone turns the lights off.
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
import { ConfigError } from '../config/config.ts';
import { diskOf } from './backup/room.ts';
import {
  type Account,
  asAccount,
  type Binaries,
  loadBinaries,
  unprivilegedAccount,
} from './embedded-programs.ts';

const MAJOR_VERSION = '18';
const USER = 'gatewarden';
const DATABASE = 'gatewarden';
const USERS_LOCK = 715_001;
const START_TIMEOUT_MS = 60_000;
/** Unix socket paths may not be longer than about 107 bytes, `/.s.PGSQL.5432` included. */
const SOCKET_DIR_MAX = 90;

export interface EmbeddedDatabase {
  connection: pg.ClientConfig;
  /** Starts the server again if it is gone; does nothing while it answers. */
  revive(): Promise<void>;
  /** Lets go of the database; ends it if nobody else uses it. */
  release(): Promise<void>;
}

/** Opens the embedded database of a data folder, making and starting it where needed. Throws ConfigError in one clear line. */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
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
  let holder: pg.Client | null = null;

  const ensureRunning = async () => {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const client = await tryConnect({ ...connection, database: 'postgres' });
      if (client !== null) {
        holder = client;
        return;
      }
      if (Date.now() > deadline) {
        const { freeBytes } = await diskOf(dataDir);
        throw new ConfigError(
          `the embedded PostgreSQL did not start within ${START_TIMEOUT_MS / 1000} s: ${whyNot(dataDir, freeBytes)}`,
        );
      }
      checkVersion(cluster);
      if (!existsSync(join(cluster, 'PG_VERSION'))) {
        await createCluster(binaries, cluster, account);
      }
      await startServer({ binaries, cluster, socketDir, dataDir, account });
    }
  };

  await ensureRunning();
  await createDatabase(holder);
  return {
    connection,
    async revive() {
      if (holder !== null && (await answers(holder))) return;
      await holder?.end().catch(ignoreLost);
      holder = null;
      await ensureRunning();
    },
    async release() {
      const client = holder;
      holder = null;
      if (client !== null) await leave(client, cluster);
    },
  };
}

/** PostgreSQL's first segment of log, below which it cannot begin. */
const LEAST_BYTES = 16 * 2 ** 20;

/** Why it did not start, as far as can be told: where the disk is full, its log says nothing more. */
export function whyNot(dataDir: string, freeBytes: number): string {
  return freeBytes < LEAST_BYTES ? `the disk of ${dataDir} is full` : `see ${logFile(dataDir)}`;
}

async function tryConnect(config: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client(config);
  // A connection that breaks while idle is found out by its next use.
  client.on('error', ignoreLost);
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK]);
    return client;
  } catch (error) {
    await client.end().catch(ignoreLost);
    const code = (error as { code?: string }).code ?? '';
    // Nobody listens, a stale socket, starting up or shutting down: all are answered by starting it.
    if (/^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|57P0[123])$/.test(code)) return null;
    if (/terminated/i.test((error as Error).message)) return null;
    throw error;
  }
}

async function answers(client: pg.Client): Promise<boolean> {
  try {
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

async function createDatabase(client: pg.Client | null): Promise<void> {
  const found = await client?.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found === undefined || found.rowCount !== 0) return;
  try {
    await client?.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Two processes at once: the other one made it.
    if (!/^(42P04|23505)$/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

async function leave(client: pg.Client, cluster: string): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const alone = await client.query<{ alone: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS alone',
      [USERS_LOCK],
    );
    if (alone.rows[0]?.alone === true) await stopServer(cluster);
  } catch (error) {
    // The server is gone already: nothing is left to end.
    ignoreLost(error);
  } finally {
    await client.end().catch(ignoreLost);
  }
}

async function stopServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  // SIGINT is PostgreSQL's fast shutdown: sessions end, nothing is lost.
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
      `${cluster} was made by PostgreSQL ${version}, this hub brings ${MAJOR_VERSION}: move the folder away, or upgrade it with pg_upgrade`,
    );
  }
}

function prepareSocketDir(dataDir: string, account: Account | null): string {
  const beside = join(dataDir, 'run');
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const dir = beside.length <= SOCKET_DIR_MAX ? beside : join(tmpdir(), `gatewarden-${name}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const found = lstatSync(dir);
  const mine = [process.getuid?.(), account?.uid].includes(found.uid);
  if (!found.isDirectory() || !mine) {
    throw new ConfigError(
      `${dir} belongs to somebody else: the database socket cannot stand there`,
    );
  }
  if (account !== null) chownSync(dir, account.uid, account.gid);
  return dir;
}

async function createCluster(
  binaries: Binaries,
  cluster: string,
  account: Account | null,
): Promise<void> {
  // Made beside and renamed: a start that was cut short leaves no half-made cluster behind.
  const draft = `${cluster}.${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  if (account !== null) chownSync(draft, account.uid, account.gid);
  try {
    const [file, args] = asAccount(account, [draft], binaries.initdb, [
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
      `the embedded PostgreSQL could not be made in ${cluster}: ${stderr.trim().split('\n').at(-1)}`,
    );
  }
}

interface ServerStart {
  binaries: Binaries;
  cluster: string;
  socketDir: string;
  dataDir: string;
  account: Account | null;
}

/** Starts the server in a session of its own, so that Ctrl-C in a terminal does not reach it before the hub has drained. */
async function startServer(start: ServerStart): Promise<void> {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${start.socketDir}`,
    'unix_socket_permissions=0700',
    'max_connections=200',
    'shared_buffers=256MB',
    'max_wal_size=2GB',
    // Solid-state disks: with the default, a few hundred look-ups by key are planned as a scan of the whole table.
    'random_page_cost=1.1',
    // Compiling a statement costs more than any of ours runs.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_min_messages=warning',
  ];
  const [file, args] = asAccount(
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
  // It ended at once: another process may have been quicker. The caller tries to connect again, up to its deadline.
  await sleep(200);
}

function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log');
}

/** For connections that are expected to break; what matters is seen by the next query. */
function ignoreLost(_error: unknown): void {
  return;
}
