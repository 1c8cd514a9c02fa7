// Writes a backup while the hub runs: a consistent snapshot, read in a single read-only transaction without locks.
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ConfigError } from '../../config/config.ts';
import type { Sealer } from '../../crypto/seal.ts';
import { ANCHOR, PLACEMENTS } from '../placement.ts';
import {
  type BackupHeader,
  copyStatement,
  headerText,
  quoted,
  tableEnd,
  trailer,
} from './format.ts';

/** Kysely's own tables. The header lists the applied migrations. */
const NOT_COPIED = ['kysely_migration', 'kysely_migration_lock'];

export interface BackupAnswer {
  file: string;
  made_at: string;
  tables: number;
  rows: number;
  bytes: number;
}

/** How far a backup is: the number of the current table, and the bytes read so far, before compression. */
export interface BackupProgress {
  table: number;
  tables: number;
  bytes: number;
}

type ProgressReport = (progress: BackupProgress) => void;

/**
 * Writes a backup under a temporary name and renames it, so that an incomplete file never looks like a backup. Secrets stay
 * sealed as in the database; the master key is not included. Queued jobs are omitted, because pending work is derived from
 * other rows.
 */
export async function writeBackup(
  connection: pg.ClientConfig,
  sealer: Sealer,
  options: {
    file: string;
    version: string;
    /** Replaces an existing file, which is a ConfigError otherwise. */
    overwrite?: boolean;
    /** Called for each piece of a table that was read. */
    onProgress?(progress: BackupProgress): void;
    /** Reads more of the same snapshot, on the connection of the backup. */
    asOfItsMoment?(client: pg.Client, header: BackupHeader): Promise<void>;
  },
): Promise<BackupAnswer> {
  const { file, version, overwrite = false } = options;
  if (!overwrite) await rejectExisting(file);
  // The name is random, because concurrent backups would write into the same file.
  const part = `${file}.${randomBytes(6).toString('hex')}.part`;
  const client = new pg.Client({ ...connection, application_name: 'gatewarden-backup' });
  await client.connect();
  try {
    await client.query(
      "SET timezone = 'UTC'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0",
    );
    const header = await startSnapshot(connection, client, () => readHeader(client, version));
    const counted = { rows: 0, bytes: 0 };
    const hash = createHash('sha256');
    const out = createWriteStream(part, { mode: 0o600, flags: 'w' });
    const pieces = script(client, header, { counted, report: options.onProgress });
    await pipeline(pieces, createGzip({ level: 3 }), digest(hash), out);
    const end = trailer(sealer, hash.digest('hex'));
    const handle = await open(part, 'a');
    await handle.appendFile(end);
    await handle.sync();
    counted.bytes = (await handle.stat()).size;
    await handle.close();
    await options.asOfItsMoment?.(client, header);
    await (overwrite ? rename(part, file) : putInPlace(part, file));
    return { file, made_at: header.made_at, tables: header.tables.length, ...counted };
  } catch (error) {
    await rm(part, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new ConfigError(`${file} cannot be written (${code})`);
    throw error;
  } finally {
    await client.end();
  }
}

async function rejectExisting(file: string): Promise<void> {
  const existing = await lstat(file).catch(() => null);
  if (existing !== null) throw taken(file);
}

const taken = (file: string) =>
  new ConfigError(`${file} is there already: take another name, or use --overwrite`);

/** Renames without replacing a file that was created meanwhile. */
async function putInPlace(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    // Some file systems have no hard links.
    await rejectExisting(file);
    return rename(part, file);
  }
  await rm(part);
}

/** Starts the snapshot transaction; `first` is its first read. */
async function startSnapshot<T>(
  connection: pg.ClientConfig,
  client: pg.Client,
  first: () => Promise<T>,
): Promise<T> {
  const begin = async () => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return first();
  };
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  return rows.length === 0 ? begin() : startOnAllNodes(connection, client, begin);
}

/** Attempts to lock the shared tables. An attempt takes almost no time. */
const LOCK_ATTEMPTS = 3_000;
const LOCK_PAUSE_MS = 10;

/**
 * Starts the snapshot on all nodes of a cluster. Each node's snapshot begins with its first query, on the same connection for
 * the whole transaction. A tenant's rows are on a single node, so they are consistent. Tables that writes also change on
 * other nodes are locked while all snapshots start: their writers keep locks until every node has committed. The lock is
 * taken with NOWAIT, or writers and the backup would wait for each other.
 */
async function startOnAllNodes<T>(
  connection: pg.ClientConfig,
  client: pg.Client,
  begin: () => Promise<T>,
): Promise<T> {
  await client.query('SET citus.max_adaptive_executor_pool_size = 1');
  const locking = new pg.Client({ ...connection, application_name: 'gatewarden-backup' });
  await locking.connect();
  try {
    const existing = await locking.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename = ANY ($1)",
      [[...PLACEMENTS].filter(([, placement]) => placement !== 'tenant').map(([table]) => table)],
    );
    const tables = existing.rows.map(({ name }) => `public.${quoted(name)}`).join(', ');
    for (let attempt = 1; ; attempt++) {
      await locking.query('BEGIN');
      try {
        await locking.query(`LOCK TABLE ${tables} IN SHARE MODE NOWAIT`);
        break;
      } catch (error) {
        await locking.query('ROLLBACK');
        if ((error as { code?: string }).code !== '55P03' || attempt === LOCK_ATTEMPTS) throw error;
        await sleep(LOCK_PAUSE_MS);
      }
    }
    const result = await begin();
    await client.query(`SELECT count(*) FROM public.${quoted(ANCHOR)}`);
    await locking.query('ROLLBACK');
    return result;
  } finally {
    await locking.end();
  }
}

async function* script(
  client: pg.Client,
  header: BackupHeader,
  { counted, report }: { counted: { rows: number }; report?: ProgressReport | undefined },
): AsyncGenerator<Buffer> {
  yield Buffer.from(headerText(header));
  const progress = { table: 0, tables: header.tables.length, bytes: 0 };
  for (const table of header.tables) {
    progress.table += 1;
    yield Buffer.from(copyStatement(table));
    const columns = table.columns.map(quoted).join(', ');
    // COPY of a partitioned table by name returns no rows, so a query is copied.
    const rows = client.query(
      copyTo(`COPY (SELECT ${columns} FROM public.${quoted(table.name)}) TO STDOUT`),
    );
    for await (const piece of rows) {
      progress.bytes += (piece as Buffer).length;
      report?.(progress);
      yield piece as Buffer;
    }
    counted.rows += rows.rowCount;
    yield tableEnd();
  }
}

async function readHeader(client: pg.Client, version: string): Promise<BackupHeader> {
  const all = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  const [now] = await all<{ now: Date }>('SELECT now()');
  const migrations = await all<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  const partitions = await all<BackupHeader['partitions'][number]>(`
    SELECT c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE c.relkind = 'r' AND p.relnamespace = 'public'::regnamespace ORDER BY c.relname`);
  const sequences = await all<{ name: string; last: string }>(`
    SELECT sequencename AS name, coalesce(last_value, 0) AS last FROM pg_sequences
    WHERE schemaname = 'public' ORDER BY sequencename`);
  const tables = await all<BackupHeader['tables'][number]>(
    `
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname <> ALL ($1)
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname`,
    [NOT_COPIED],
  );
  return {
    format: 1,
    made_at: now?.now.toISOString() ?? '',
    version,
    migrations: migrations.map(({ name }) => name),
    partitions,
    sequences: sequences.map(({ name, last }) => ({ name, last: Number(last) })),
    tables,
  };
}

function digest(hash: Hash): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
}
