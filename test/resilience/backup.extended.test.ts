// A backup under load is restored into an empty database and equals the installation at a single moment. A damaged or
// foreign backup is rejected and leaves the target unchanged. GATEWARDEN_BACKUPS=10 is the long run, instead of two
// backups.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBackup, runRestore } from '@gatewarden/hub/src/cli/backup.ts';
import { runDoctor } from '@gatewarden/hub/src/cli/doctor.ts';
import { createNodeToken } from '@gatewarden/hub/src/features/nodes/tokens/index.ts';
import { openContext } from '@gatewarden/hub/src/platform/context.ts';
import { restoreBackup } from '@gatewarden/hub/src/platform/db/backup/restore.ts';
import { writeBackup } from '@gatewarden/hub/src/platform/db/backup/write.ts';
import { MIGRATIONS, migrate } from '@gatewarden/hub/src/platform/db/migrate.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import {
  call,
  cloneDatabase,
  deviceCall,
  emptyDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { makeApp, manage } from '../support/management.ts';
import { HUB_MAIN } from '../support/programs.ts';

/** The backup needs the machine, too; in most moments some write is under way all the same. */
const BREATH_MS = 30;
const BACKUPS = Number(process.env.GATEWARDEN_BACKUPS ?? 2);
const FLIPS = 120;
const KEY = randomBytes(32).toString('hex');
const folder = mkdtempSync(join(tmpdir(), 'gw-backup-'));
const log = createLog('silent');
const run = (url: string, key = KEY) => ({
  config: hubConfig(url, key),
  log,
  stdin: process.stdin,
});
let source: string;
let hub: TestHub;

beforeAll(async () => {
  source = await cloneDatabase();
  hub = await startTestHub(hubConfig(source, KEY));
  const api = await manage(hub);
  await makeApp(api, 'assistant');
});
afterAll(async () => {
  await hub.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function asked<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET timezone = 'UTC'");
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function number(url: string, text: string): Promise<number> {
  const [row] = await asked<{ n: string }>(url, text);
  return Number(row?.n);
}

/** Writes rows of every kind until it is stopped; returns what was acknowledged. */
function writers() {
  const acknowledged: string[] = [];
  let stopped = false;
  const decide = async () => {
    while (!stopped) {
      const name = `app-${randomUUID()}`;
      const answer = await hub.console('POST', '/overrides', {
        body: {
          match: { name },
          approval_status: 'approved',
          execution_policy: 'allow',
          scope: { kind: 'tenant' },
        },
      });
      expect([201, 503]).toContain(answer.status);
      if (answer.status === 201) acknowledged.push(name);
      await sleep(Math.random() * BREATH_MS);
    }
  };
  const scan = async () => {
    const device = aDevice();
    while (!stopped) {
      const entities = Array.from({ length: 20 }, () => anEntity(`p-${randomUUID()}`));
      const sent = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(device, entities),
      });
      // An overloaded hub answers 503 to some; agents send again.
      expect([202, 503]).toContain(sent.status);
      const alert = await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
        body: { batch_id: randomUUID(), device, alerts: [anAlert()] },
      });
      expect([202, 503]).toContain(alert.status);
      await sleep(Math.random() * BREATH_MS);
    }
  };
  const reached = async (count: number) => {
    while (acknowledged.length < count) await sleep(10);
  };
  const done = Promise.all([decide(), decide(), decide(), scan(), scan(), scan()]);
  return {
    acknowledged,
    /** Throws what a writer threw. */
    reached: (count: number) => Promise.race([reached(count), done]),
    async stop() {
      stopped = true;
      await done;
    },
  };
}

/** Counts of rows that a transaction writes together but that miss their counterpart: each must be 0. */
const TORN = `
  SELECT
    (SELECT count(*) FROM overrides o WHERE NOT EXISTS (SELECT 1 FROM audit_events a
      WHERE a.tenant_id = o.tenant_id AND a.resource ->> 'id' = o.override_id::text)) +
    (SELECT count(*) FROM audit_events a WHERE a.operation = 'override.create'
      AND NOT EXISTS (SELECT 1 FROM overrides o WHERE o.tenant_id = a.tenant_id
        AND o.override_id::text = a.resource ->> 'id')) +
    (SELECT count(*) FROM devices d WHERE d.entity_count <> (SELECT count(*) FROM entities e
      WHERE e.tenant_id = d.tenant_id AND e.device_id = d.device_id AND e.removed_at IS NULL)) +
    (SELECT abs((SELECT count(*) FROM alerts) - (SELECT count(*) FROM alert_ids))) AS n`;

/** A digest of each table's rows. */
async function digests(url: string): Promise<Record<string, string>> {
  const tables = await asked<{ name: string }>(
    url,
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
      AND c.relkind IN ('r', 'p') AND c.relname NOT LIKE 'kysely%' ORDER BY 1`,
  );
  const digestByTable: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await asked<{ digest: string | null; n: string }>(
      url,
      `SELECT count(*) AS n, md5(string_agg(t::text, '|' ORDER BY t::text COLLATE "C")) AS digest
        FROM "${name}" t`,
    );
    digestByTable[name] = `${row?.n} ${row?.digest}`;
  }
  return digestByTable;
}

describe('backup under load', () => {
  it('equals the installation at a single moment, each time', async () => {
    const writing = writers();
    for (let n = 0; n < BACKUPS; n++) {
      await writing.reached((n + 1) * 40);
      const before = [...writing.acknowledged];
      const file = join(folder, `busy-${n}`);
      await runBackup(run(source), { file });
      const target = await emptyDatabase();
      await runRestore(run(target), { file });
      expect(await number(target, TORN)).toBe(0);
      const kept = await asked<{ name: string }>(
        target,
        `SELECT match ->> 'name' AS name FROM overrides`,
      );
      const names = new Set(kept.map(({ name }) => name));
      expect(before.filter((name) => !names.has(name))).toEqual([]);
      expect(await number(target, 'SELECT count(*) AS n FROM entities')).toBeGreaterThan(0);
    }
    await writing.stop();
  });

  it('contains every row of a hub at rest', async () => {
    await hub.stop();
    const file = join(folder, 'still');
    const backup = await runBackup(run(source), { file });
    expect(backup).toMatchObject({ file, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const target = await emptyDatabase();
    await runRestore(run(target), { file });
    const [{ installation: was, ...rows }, { installation: is, ...restored }] = [
      await digests(source),
      await digests(target),
    ];
    expect(restored).toEqual(rows);
    expect(is).not.toBe(was);
    const doctor = await runDoctor(run(target));
    expect(doctor.checks.filter((check) => !check.ok)).toEqual([]);
    hub = await startTestHub(hubConfig(source, KEY));
  });
});

describe('restored installation', () => {
  it('restores through a pipe from a database into the next, because a container exports no file', async () => {
    const target = await emptyDatabase();
    const besides = mkdtempSync(join(folder, 'besides-'));
    const script = `"$NODE" "$MAIN" backup - --json 2>"$TMPDIR/report" | DATABASE_URL="$TARGET" "$NODE" "$MAIN" restore - --json`;
    const env = {
      ...{ NODE: process.execPath, MAIN: HUB_MAIN, DATABASE_URL: source, TARGET: target },
      ...{ HUB_MASTER_KEY: KEY, TMPDIR: besides },
    };
    const piped = spawnSync('sh', ['-c', script], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect(piped).toMatchObject({ status: 0, stderr: '' });
    const report = JSON.parse(readFileSync(join(besides, 'report'), 'utf8'));
    expect(JSON.parse(piped.stdout)).toMatchObject({ rows: report.rows, made_at: report.made_at });
    expect(report.rows).toBeGreaterThan(0);
    const cut = spawnSync(
      'sh',
      ['-c', `head -c 100 "$MAIN" | DATABASE_URL="$TARGET" "$NODE" "$MAIN" restore -`],
      { env: { ...process.env, ...env }, encoding: 'utf8' },
    );
    expect(cut).toMatchObject({ status: 1, stdout: '' });
    expect(cut.stderr).toMatch(/^hub: standard input is no complete backup/);
    // No temporary copy of the dump stays behind.
    expect(readdirSync(besides)).toEqual(['report']);
  });

  it('resyncs devices and gateway nodes without a loss, and opens secrets', async () => {
    const whose = { tenantId: hub.tenantId, agentToken: hub.agentToken };
    const api = await manage(hub);
    await makeApp(api, 'assistant');
    const device = aDevice();
    const asks = { headers: { 'x-device-id': device.device_id } };
    const before = await deviceCall(hub, 'GET', '/ea/v1/sync/delta?limit=5', asks);
    expect(before.status).toBe(200);
    const nodeToken = await createNodeToken(hub.context.database.db, {
      name: 'node',
      tenantId: hub.tenantId,
    });
    const config = (url: string, query = '') =>
      call(`${url}/node/v1/config${query}`, 'GET', { authorization: `Bearer ${nodeToken.token}` });
    const node = await config(hub.url);
    expect(node.status).toBe(200);
    const file = join(folder, 'cursors');
    await runBackup(run(source), { file });
    const target = await emptyDatabase();
    await runRestore(run(target), { file });
    const restored = await startTestHub(hubConfig(target, KEY));
    try {
      const there = { url: restored.url, ...whose };
      const query = `cursor=${before.body.next_cursor}`;
      const after = await deviceCall(there, 'GET', `/ea/v1/sync/delta?${query}`, asks);
      expect(after.status).toBe(410);
      const anew = await deviceCall(there, 'GET', '/ea/v1/sync/delta?limit=5', asks);
      expect(anew.status).toBe(200);
      expect(anew.body.inventory_epoch).not.toBe(before.body.inventory_epoch);
      expect((await config(restored.url, `?cursor=${node.body.next_cursor}`)).status).toBe(410);
      expect((await config(restored.url)).body.items).toEqual(node.body.items);
    } finally {
      await restored.stop();
    }
  });

  it('migrates a backup of this version into a database of the next', async () => {
    const old = await emptyDatabase();
    const context = await openContext(hubConfig(old, KEY), log);
    await migrate(context.database.db);
    const file = join(folder, 'old');
    await writeBackup(context.database.connection, context.sealer, { file, version: '0.1.0' });
    await context.close();
    const next = {
      names: () => [...MIGRATIONS.names(), '0002-notes'],
      textOf: (name: string) =>
        name === '0002-notes' ? 'CREATE TABLE notes (id int)' : MIGRATIONS.textOf(name),
    };
    const target = await openContext(hubConfig(await emptyDatabase(), KEY), log);
    const restored = await restoreBackup(target.database, target.sealer, file, undefined, next);
    await target.close();
    expect(restored).toMatchObject({ version: '0.1.0', migrated: ['0002-notes'] });
  });
});

describe('rejected restore leaves the target unchanged', () => {
  let good: Buffer;
  let target: string;
  const tables = () =>
    number(target, `SELECT count(*) AS n FROM pg_tables WHERE schemaname = 'public'`);

  beforeAll(async () => {
    const file = join(folder, 'good');
    await runBackup(run(source), { file });
    good = readFileSync(file);
    target = await emptyDatabase();
  });

  async function refused(bytes: Buffer, message: RegExp, key = KEY): Promise<void> {
    const file = join(folder, 'bad');
    writeFileSync(file, bytes);
    for (const dryRun of [true, false]) {
      await expect(runRestore(run(target, key), { file, dryRun })).rejects.toThrow(message);
    }
    expect(await tables()).toBe(0);
  }

  it('describes a good backup in a dry run, and restores nothing', async () => {
    const answer = await runRestore(run(target), { file: join(folder, 'good'), dryRun: true });
    expect(answer).toMatchObject({
      dry_run: true,
      would_restore: { made_at: expect.stringMatching(/^\d{4}-/), tables: expect.any(Number) },
    });
    expect(await tables()).toBe(0);
  });

  it('rejects a file with a flipped bit at any position', async () => {
    for (let n = 0; n < FLIPS; n++) {
      const at = n === 0 ? good.length - 1 : randomInt(good.length);
      const bytes = Buffer.from(good);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << randomInt(8)), at);
      await refused(bytes, /no complete backup, or was changed|sealed with master key/);
    }
  });

  it('rejects a file that is cut at any position', async () => {
    for (const length of [
      0,
      1,
      100,
      good.length - 1,
      ...Array.from({ length: 10 }, () => randomInt(good.length)),
    ]) {
      await refused(good.subarray(0, length), /no complete backup/);
    }
  });

  it('rejects a backup of another installation', () =>
    refused(good, /sealed with master key/, randomBytes(32).toString('hex')));

  it('rejects a file that is no backup', async () => {
    await refused(Buffer.from('hello\nworld\n'), /no complete backup/);
    await expect(runRestore(run(target), { file: join(folder, 'none') })).rejects.toThrow(/ENOENT/);
  });

  it('rejects a backup of a newer hub', async () => {
    const newer = await emptyDatabase();
    const context = await openContext(hubConfig(newer, KEY), log);
    await migrate(context.database.db);
    await context.database.pool.query(
      `INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', 'x')`,
    );
    const file = join(folder, 'newer');
    await writeBackup(context.database.connection, context.sealer, { file, version: '9.0.0' });
    await context.close();
    await expect(runRestore(run(target), { file })).rejects.toThrow(/of a newer hub/);
    expect(await tables()).toBe(0);
  });

  it('rejects a database that is in use', async () => {
    const file = join(folder, 'good');
    const used = await emptyDatabase();
    await runRestore(run(used), { file });
    const before = await digests(used);
    await expect(runRestore(run(used), { file })).rejects.toThrow(/in use/);
    expect(await digests(used)).toEqual(before);
  });

  it('restores only the first of two simultaneous restores into a database', async () => {
    const otherTarget = await emptyDatabase();
    await runRestore(run(otherTarget), { file: join(folder, 'good') });
    await asked(otherTarget, "UPDATE tenants SET name = 'Of the other'");
    const files = [join(folder, 'good'), join(folder, 'other')];
    await runBackup(run(otherTarget), { file: files[1] ?? '' });
    const used = await emptyDatabase();
    const ends = await Promise.allSettled(files.map((file) => runRestore(run(used), { file })));
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('the database is in use'),
    ]);
    const winner = ends[1]?.status === 'fulfilled' ? 'Of the other' : 'First';
    expect(await asked(used, 'SELECT DISTINCT name FROM tenants')).toEqual([{ name: winner }]);
  });

  it('rejects an existing file unless it may be overwritten', async () => {
    const file = join(folder, 'kept');
    writeFileSync(file, 'the only good copy');
    await expect(runBackup(run(source), { file })).rejects.toThrow(/kept is there already/);
    expect(readFileSync(file, 'utf8')).toBe('the only good copy');
    await runBackup(run(source), { file, overwrite: true });
    await runRestore(run(await emptyDatabase()), { file });
    expect(readdirSync(folder).filter((name) => name.startsWith('kept'))).toEqual(['kept']);
  });

  it('writes the first of two simultaneous backups to a path, and rejects the second', async () => {
    const file = join(folder, 'twice');
    const ends = await Promise.allSettled([1, 2].map(() => runBackup(run(source), { file })));
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused.map(({ reason }) => String(reason))).toEqual([
      expect.stringContaining('twice is there already'),
    ]);
    await runRestore(run(await emptyDatabase()), { file });
  });

  it('rejects a file that cannot be written, and leaves nothing behind', async () => {
    const file = join(folder, 'nowhere', 'x');
    await expect(runBackup(run(source), { file })).rejects.toThrow(/cannot be written \(ENOENT\)/);
  });
});
