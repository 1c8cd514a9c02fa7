// Proves that a backup can be restored. Steps: write a backup beside running hubs, restore it into a scratch database, compare
// its contents with the source, verify its audit trail, decrypt its secrets, send a test alert through each notification
// channel. The result is a report.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { HUB_VERSION } from '../app/version.ts';
import {
  type ChannelTestResult,
  createChannelSecrets,
  testChannels,
} from '../features/notifications/channels/index.ts';
import { type CheckpointHead, checkAudit } from '../platform/audit-checkpoints.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { openSamples } from '../platform/crypto/sealed-columns.ts';
import {
  type DatabaseSize,
  type Disk,
  readDisk,
  requireDiskSpace,
} from '../platform/db/backup/disk-space.ts';
import type { BackupHeader } from '../platform/db/backup/format.ts';
import { restoreBackup } from '../platform/db/backup/restore.ts';
import { openScratch, type Scratch } from '../platform/db/backup/scratch-database.ts';
import {
  compareContents,
  readContents,
  type TableContents,
} from '../platform/db/backup/table-digests.ts';
import { writeBackup } from '../platform/db/backup/write.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { migrationNames } from '../platform/db/migrate.ts';
import { createOutbound } from '../platform/http/outbound/outbound.ts';
import { installationSecret, resolveOrigin, storeProof } from '../platform/installation.ts';
import { type Check, summarizeProblems } from './checks.ts';
import { SEALED_COLUMNS } from './rotation.ts';

const STEPS = [
  'room',
  'backup',
  'restore',
  'contents',
  'audit trail',
  'secrets',
  'clear up',
  'test alert',
  'note',
] as const;
export type StepName = (typeof STEPS)[number];

export interface Step {
  name: StepName;
  ok: boolean;
  duration_ms: number;
  detail: string;
}

/** What an observer of a proof may see, and do, before a step begins. */
export interface ProofSeams {
  begins?(step: StepName, at: { file: string; scratch: pg.ClientConfig }): Promise<void>;
  diskOf?(folder: string): Promise<Disk>;
}

export interface Proof {
  proved: boolean;
  steps: Step[];
  /** The report as JSON. */
  text: string;
}

interface ProofParts {
  context: Context;
  config: Config;
  log: Logger;
  checks: readonly Check[];
  seams: ProofSeams;
  stopped: AbortSignal;
  /** The tenants whose notification channels send a test alert: all, a single tenant, or none. */
  alerts: 'all' | 'none' | { tenantId: string };
}

/** Without these nothing can be backed up, restored or signed. */
const NEEDED = ['database', 'schema', 'master key'];

const FOLDER = 'gatewarden-proof-';

/**
 * Throws ConfigError where it cannot begin, and the signal's reason where it is stopped; both leave nothing behind but, of
 * the first, a note: a timer that fails each week is looked at by nobody until the last proof has grown old.
 */
export async function prove(parts: ProofParts): Promise<Proof> {
  const { context, log, stopped } = parts;
  try {
    return await proveFrom(parts, new Date());
  } catch (error) {
    if (!stopped.aborted) {
      const note = { at: new Date(), version: HUB_VERSION, failed: ['begin'] };
      // Without the database, or with an older schema, there is nowhere to note it.
      await storeProof(context.database.db, note).catch((why: unknown) =>
        log.warn({ err: why }, 'that no proof could begin is not noted'),
      );
    }
    throw error;
  }
}

async function proveFrom(parts: ProofParts, startedAt: Date): Promise<Proof> {
  const { context, config, checks, stopped } = parts;
  const lacking = checks.find((check) => NEEDED.includes(check.name) && !check.ok);
  if (lacking !== undefined) {
    throw new ConfigError(`nothing can be proved: ${lacking.name}: ${lacking.detail}`);
  }
  const { db, connection } = context.database;
  const scratch = await openScratch(connection);
  const found: Found = { steps: [], heads: [], channelTests: [] };
  let folder: string | null = null;
  try {
    folder = makeFolder(config);
    await untilAborted(work({ ...parts, scratch, folder, found }), stopped);
  } finally {
    // Also after Ctrl-C, whatever is at work in there then.
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    await clearUp(found, scratch, parts.log);
  }
  await testAlerts(parts, found);
  const names = (all: readonly { name: string; ok: boolean }[]) =>
    all.filter((item) => !item.ok).map((item) => item.name);
  await step(found, 'note', async () => {
    const failed = names([...checks, ...found.steps]);
    await storeProof(db, { at: startedAt, version: HUB_VERSION, failed });
    return "kept for the hub's health";
  });
  const proved = names([...checks, ...found.steps]).length === 0;
  const report = {
    kind: 'gatewarden proof',
    made_at: startedAt.toISOString(),
    proved,
    version: HUB_VERSION,
    schema: migrationNames().at(-1),
    scratch_database: scratch.name,
    checks,
    steps: found.steps,
    backup: found.backup ?? null,
    tables: found.tables ?? [],
    audit_heads: found.heads,
    alert_routes: found.channelTests,
  };
  return { proved, steps: found.steps, text: `${JSON.stringify(report, null, 2)}\n` };
}

async function clearUp(found: Found, scratch: Scratch, log: Logger): Promise<void> {
  const isClear = await step(found, 'clear up', async () => {
    await scratch.drop();
    return 'the scratch database and the backup are gone';
  });
  // A proof that was stopped leaves no report.
  if (!isClear) log.error({ database: scratch.name }, found.steps.at(-1)?.detail);
  await scratch.close();
}

/** Sends test alerts from this process instead of a hub's queue, so that the results are known even if no hub runs. */
async function testAlerts(
  { context, config, alerts, stopped, log }: ProofParts,
  found: Found,
): Promise<void> {
  const { database, sealer } = context;
  log.info({ event: 'proof_step', step: 'test alert' }, 'test alert');
  const send = async () => {
    if (alerts === 'none') return 'none was sent, as requested';
    const { installation } = await context.loadSecrets();
    const origin = resolveOrigin(config, installation);
    const own = { port: config.port, origin };
    const outbound = createOutbound({ allowed: config.allowedPrivateNetworks, own });
    try {
      const secrets = createChannelSecrets(sealer);
      found.channelTests = await testChannels(
        { db: database.db, secrets, outbound, mail: config.mail, origin, stopped },
        alerts === 'all' ? null : alerts.tenantId,
      );
    } finally {
      await outbound.close();
    }
    return summarizeTests(found.channelTests);
  };
  await step(found, 'test alert', send, stopped);
}

function summarizeTests(tests: readonly ChannelTestResult[]): string {
  if (tests.length === 0) return 'no notification channel is enabled: nobody was notified';
  const failed = tests.filter(({ ok }) => !ok);
  const summary = `${tests.length - failed.length} of ${tests.length} notification channels delivered it`;
  if (failed.length === 0) return summary;
  const lines = failed.map(
    ({ kind, name, tenant_id: tenant, detail }) =>
      `${kind} "${name}" of tenant ${tenant}: ${detail}`,
  );
  throw new ConfigError(`${summary}; ${summarizeProblems(lines)}`);
}

interface Found {
  steps: Step[];
  heads: CheckpointHead[];
  channelTests: ChannelTestResult[];
  backup?: { made_at: string; rows: number; bytes: number };
  header?: BackupHeader;
  tables?: TableContents[];
}

interface Work extends ProofParts {
  scratch: Scratch;
  folder: string;
  found: Found;
}

async function work(parts: Work): Promise<void> {
  const { context, config, scratch, folder, found, log, seams, stopped } = parts;
  const { sealer, database } = context;
  const file = join(folder, 'backup');
  const next = async (name: StepName, done: () => Promise<string>) => {
    stopped.throwIfAborted();
    log.info({ event: 'proof_step', step: name }, name);
    await seams.begins?.(name, { file, scratch: scratch.connection });
    return step(found, name, done, stopped);
  };
  const isDone =
    (await next('room', () => checkRoom(database, config, folder, seams.diskOf ?? readDisk))) &&
    (await next('backup', () => backUp(parts, file)));
  if (!isDone) return;
  const restored = openDatabase(scratch.connection, {
    size: 2,
    counter: { count: 0 },
    onIdleError: (error) => log.debug({ err: error }, 'a connection to the scratch database broke'),
  });
  try {
    const isRestored = await next('restore', async () => {
      await scratch.create();
      const { rows, tables } = await restoreBackup(restored, sealer, file);
      return `${rows} rows in ${tables} tables`;
    });
    if (!isRestored) return;
    await next('contents', () => compare(scratch.connection, found));
    await next('audit trail', () => checkTrail(parts, restored));
    await next('secrets', () => openSecrets(parts, restored));
  } finally {
    await restored.close();
  }
}

/** Keeps what came of it; true where it went well. Nothing is kept of what was stopped. */
async function step(
  found: Found,
  name: StepName,
  done: () => Promise<string>,
  stopped?: AbortSignal,
): Promise<boolean> {
  const began = performance.now();
  const outcome = await done().then(
    (detail) => ({ ok: true, detail }),
    (error: unknown) => ({ ok: false, detail: (error as Error).message }),
  );
  stopped?.throwIfAborted();
  found.steps.push({ name, ...outcome, duration_ms: Math.round(performance.now() - began) });
  return outcome.ok;
}

/** What is at work when it is stopped ends by its database's being dropped. */
async function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    await Promise.race([done, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** On the embedded database's own disk, which is known to have room; what a killed proof left there goes. */
function makeFolder({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return mkdtempSync(join(tmpdir(), FOLDER));
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(FOLDER)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(dataDir, FOLDER));
}

async function checkRoom(
  { pool }: Database,
  config: Config,
  folder: string,
  look: (folder: string) => Promise<Disk>,
): Promise<string> {
  const { rows } = await pool.query<Record<keyof DatabaseSize, string | number>>(`
    SELECT pg_database_size(current_database()) AS database,
      (SELECT coalesce(sum(pg_table_size(oid)), 0) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`);
  const size = { database: Number(rows[0]?.database), tables: Number(rows[0]?.tables) };
  const server = config.databaseUrl === null ? await look(config.dataDir) : null;
  requireDiskSpace(size, { backup: await look(folder), server });
  const seen = server === null ? "; the database server's own disk is not seen from here" : '';
  return `enough for a database of ${size.database} bytes${seen}`;
}

async function backUp({ context, found }: Work, file: string): Promise<string> {
  const { made_at, tables, rows, bytes } = await writeBackup(
    context.database.connection,
    context.sealer,
    {
      file,
      version: HUB_VERSION,
      async asOfItsMoment(client, header) {
        found.header = header;
        found.tables = await readContents(client, header);
      },
    },
  );
  found.backup = { made_at, rows, bytes };
  return `${rows} rows of ${tables} tables as of ${made_at}, ${bytes} bytes`;
}

async function compare(connection: pg.ClientConfig, found: Found): Promise<string> {
  const { header, tables: wanted = [] } = found;
  const client = new pg.Client(connection);
  // If the database is dropped meanwhile, the query fails with that reason.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN READ ONLY');
    const differing = compareContents(wanted, await readContents(client, header ?? { tables: [] }));
    if (differing.length > 0) throw new ConfigError(summarizeProblems(differing));
    return `${wanted.length} tables have the rows of the backup's moment`;
  } finally {
    await client.end();
  }
}

async function checkTrail({ context, found }: Work, { db }: Database): Promise<string> {
  const key = await installationSecret(db, context.sealer, 'audit-key', () => {
    throw new ConfigError('the key of the audit trail is not in the backup');
  });
  const madeAt = new Date(found.backup?.made_at ?? Number.NaN);
  const trail = await checkAudit(db, Buffer.from(key, 'base64'), madeAt);
  found.heads = trail.heads;
  if (trail.problems.length > 0) throw new ConfigError(summarizeProblems(trail.problems));
  return `${trail.events} events under ${trail.checkpoints} checkpoints as they were written`;
}

async function openSecrets({ context }: Work, { db }: Database): Promise<string> {
  const unopened: string[] = [];
  let kinds = 0;
  let opened = 0;
  for (const column of SEALED_COLUMNS) {
    const samples = await openSamples(db, context.sealer, column);
    opened += samples.opened;
    if (samples.opened > 0) kinds++;
    unopened.push(...samples.unopened);
  }
  if (unopened.length > 0) throw new ConfigError(`not opened: ${summarizeProblems(unopened)}`);
  return `${opened} secrets of ${kinds} kinds open with the master key; ${SEALED_COLUMNS.length - kinds} kinds have none`;
}
