// A proof finds each kind of fault in a backup and leaves nothing behind. Every fault is planted for real.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  cloneDatabase,
  emptyDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../test/support/hub.ts';
import { makeApp, manage } from '../../../test/support/management.ts';
import { type HttpSink, openHttpSink, reaching } from '../../../test/support/sinks.ts';
import { readLastProof } from '../platform/installation.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runDoctorCommand, runProof } from './doctor.ts';
import { runMigrate } from './operator-commands.ts';
import type { ProofSeams, StepName } from './prove.ts';

const KEY = randomBytes(32).toString('hex');
const SECRET_PATH = '/secret-of-a-route';
const log = createLog('silent');
const folder = mkdtempSync(join(tmpdir(), 'gw-prove-'));
/** For what is temporary here: other files prove at the same time. */
const own = mkdtempSync(join(tmpdir(), 'gw-prove-own-'));
const shared = process.env.TMPDIR;
const { isCitus } = inject('postgres');
let url: string;
let hub: TestHub;
let sink: HttpSink;

beforeAll(async () => {
  process.env.TMPDIR = own;
  url = await cloneDatabase();
  sink = await openHttpSink();
  hub = await startTestHub(reaching(hubConfig(url, KEY)));
  await makeApp(await manage(hub), 'assistant');
  await hub.console('POST', '/alert-routes', {
    body: { kind: 'webhook', name: 'r', url: sink.url + SECRET_PATH, min_severity: 'low' },
  });
});
afterAll(async () => {
  if (shared === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = shared;
  rmSync(own, { recursive: true, force: true });
  await hub.stop();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (key = KEY, at = url) => ({
  config: reaching(hubConfig(at, key)),
  log,
  stdin: process.stdin,
});
const report = () => join(folder, `${randomBytes(6).toString('hex')}.json`);
const never = new AbortController().signal;
const proof = (seams: ProofSeams = {}, stopped = never) =>
  runProof(run(), { report: report(), stopped }, seams);
const readReport = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

async function asked<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
const source = <Row extends pg.QueryResultRow>(text: string) =>
  asked<Row>({ connectionString: url }, text);

/** Of this file's installation; other files prove theirs. */
async function scratchDatabases(): Promise<string[]> {
  const found = await source<{ name: string }>(`
    SELECT datname AS name FROM pg_database WHERE starts_with(datname, 'gatewarden_proof_' ||
      (SELECT oid FROM pg_database WHERE datname = current_database()) || '_')`);
  return found.map((item) => item.name);
}

/** Writes by HTTP until it is stopped; returns the number of answered requests. */
function writer() {
  let stopped = false;
  let answered = 0;
  const done = (async () => {
    while (!stopped) {
      const { status } = await hub.console('POST', '/overrides', {
        body: {
          match: { name: `app-${randomBytes(6).toString('hex')}` },
          approval_status: 'approved',
          execution_policy: 'allow',
          scope: { kind: 'tenant' },
        },
      });
      expect([201, 503]).toContain(status);
      if (status === 201) answered++;
    }
  })();
  return {
    answered: () => answered,
    async stop() {
      stopped = true;
      await done;
    },
  };
}

describe.runIf(isCitus)('proof on Citus', () => {
  test('rejects a proof on Citus with a clear line', async () => {
    await expect(proof()).rejects.toThrow(/^a proof is not offered on Citus/);
  });
});

describe.runIf(!isCitus)('proof of a healthy installation', () => {
  test('proves an installation under writes, and leaves nothing behind', async () => {
    const writing = writer();
    await expect.poll(writing.answered).toBeGreaterThan(3);
    const copies: string[] = [];
    const proved = await proof({
      async begins(step) {
        const written = writing.answered();
        if (step === 'contents') copies.push(...(await scratchDatabases()));
        await expect.poll(writing.answered).toBeGreaterThan(written);
      },
    });
    await writing.stop();
    expect(proved.steps.filter((step) => !step.ok)).toEqual([]);
    expect(proved.steps.map((step) => step.name)).toEqual([
      'room',
      'backup',
      'restore',
      'contents',
      'audit trail',
      'secrets',
      'clear up',
      'test alert',
      'note',
    ]);
    expect(proved.ok).toBe(true);
    expect(copies).toHaveLength(1);
    expect(await scratchDatabases()).toEqual([]);
    expect(readdirSync(own).filter((name) => name.startsWith('gatewarden-proof-'))).toEqual([]);
    const text = readFileSync(proved.report, 'utf8');
    const report = JSON.parse(text);
    expect(report).toMatchObject({ proved: true, backup: { rows: expect.any(Number) } });
    expect(report.tables).toContainEqual({
      name: 'tenants',
      rows: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(SECRET_PATH);
  });

  test('proves with a role that may only create databases', async () => {
    const role = `creator_${randomBytes(4).toString('hex')}`;
    const mine = await emptyDatabase();
    const name = /\/(\w+)\?/.exec(mine)?.[1];
    await source(`CREATE ROLE ${role} LOGIN CREATEDB`);
    await source(`ALTER DATABASE ${name} OWNER TO ${role}`);
    const as = run(KEY, mine.replace(/\/\/[^@]*@/, `//${role}@`));
    try {
      await runMigrate(as);
      const { steps } = await runProof(as, { report: report(), stopped: never });
      expect(steps.filter((step) => !step.ok)).toEqual([]);
      expect(steps).toHaveLength(9);
    } finally {
      await asked({ connectionString: mine }, `DROP OWNED BY ${role} CASCADE`);
      await source(`ALTER DATABASE ${name} OWNER TO CURRENT_USER`);
      await source(`DROP ROLE ${role}`);
    }
  });

  test('drops the copy of a killed proof at the next proof', async () => {
    const [database] = await source<{ oid: string }>(
      'SELECT oid::text FROM pg_database WHERE datname = current_database()',
    );
    await source(`CREATE DATABASE gatewarden_proof_${database?.oid}_dead TEMPLATE template0`);
    expect((await proof()).ok).toBe(true);
    expect(await scratchDatabases()).toEqual([]);
  });

  test('runs a single proof at a time', async () => {
    let second: unknown;
    const first = await proof({
      async begins(step) {
        if (step === 'contents') second = await proof().catch((error: unknown) => error);
      },
    });
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ message: 'another proof is at work' });
  });
});

describe.runIf(!isCitus)('proof of a faulty backup', () => {
  const inCopy = (text: string) => (at: { scratch: pg.ClientConfig }) => asked(at.scratch, text);
  const faults: [
    string,
    StepName,
    (at: { file: string; scratch: pg.ClientConfig }) => unknown,
    RegExp,
  ][] = [
    [
      'a byte of the backup turned over',
      'restore',
      ({ file }) => {
        const bytes = readFileSync(file);
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      /is no complete backup, or was changed/,
    ],
    [
      'a row changed in the copy',
      'contents',
      inCopy("UPDATE tenants SET name = name || '.'"),
      /^tenants has other rows than the backup$/,
    ],
    [
      'a row missing in the copy',
      'contents',
      inCopy('DELETE FROM notification_channels'),
      /^notification_channels has 0 rows instead of 1$/,
    ],
    [
      'an event of the audit trail changed in the copy',
      'audit trail',
      inCopy(`UPDATE audit_events SET detail = '{"n":0}' WHERE checkpoint IS NOT NULL`),
      /was changed/,
    ],
    [
      'the key of the audit trail missing in the copy',
      'audit trail',
      inCopy("DELETE FROM installation_secrets WHERE name = 'audit-key'"),
      /^the key of the audit trail is not in the backup$/,
    ],
    [
      'a secret under a master key that is not there',
      'secrets',
      inCopy("UPDATE notification_channels SET url_sealed = 'v1.00000000.AAAA'"),
      /^not opened: notification_channels\/.*sealed with master key 00000000, not in the ring$/,
    ],
    [
      'a secret that was moved to another place',
      'secrets',
      inCopy(`UPDATE installation_secrets SET sealed =
        (SELECT sealed FROM installation_secrets WHERE name = 'audit-key')`),
      /^not opened: installation_secrets\/.*moved from another location/,
    ],
  ];

  test.each(faults)('finds %s', async (_name, at, plant, reason) => {
    await checkpointed();
    const found = await proof({
      async begins(step, where) {
        if (step === at) await plant(where);
      },
    });
    const failed = found.steps.filter((step) => !step.ok);
    expect(failed).toEqual([expect.objectContaining({ name: at })]);
    expect(failed[0]?.detail).toMatch(reason);
    expect(found.ok).toBe(false);
    expect(await scratchDatabases()).toEqual([]);
    expect(readReport(found.report)).toMatchObject({ proved: false });
  });

  test('finds in the copy an audit trail that is broken in the installation', async () => {
    await checkpointed();
    await source(`UPDATE audit_events SET result = 'failed' WHERE checkpoint IS NOT NULL`);
    const found = await proof();
    await source(`UPDATE audit_events SET result = 'succeeded' WHERE checkpoint IS NOT NULL`);
    expect(found.ok).toBe(false);
    const failed = [...found.checks, ...found.steps].filter((check) => !check.ok);
    expect(failed.map((check) => check.name)).toEqual(['audit trail', 'audit trail']);
  });

  test('reports a full disk before the first write', async () => {
    const found = await proof({
      diskOf: async (at) => ({ folder: at, device: 1, freeBytes: 1_000_000 }),
    });
    expect(found.steps.map(({ name, ok }) => ({ name, ok }))).toEqual([
      { name: 'room', ok: false },
      { name: 'clear up', ok: true },
      { name: 'test alert', ok: true },
      { name: 'note', ok: true },
    ]);
    expect(found.ok).toBe(false);
  });

  /** Events have come under a checkpoint, as they do each minute. */
  async function checkpointed() {
    const { createAuditCheckpoints } = await import('../platform/audit-checkpoints.ts');
    const { auditKey } = await hub.context.loadSecrets();
    await createAuditCheckpoints(hub.context.database.db, auditKey, () => undefined).advance();
  }
});

describe.runIf(!isCitus)('proof that cannot begin', () => {
  test('rejects another master key, and the hub reports it until a proof succeeds', async () => {
    const other = randomBytes(32).toString('hex');
    const path = report();
    await expect(runProof(run(other), { report: path, stopped: never })).rejects.toThrow(
      /^nothing can be proved: master key: the master key does not open/,
    );
    const noted = async () => (await readLastProof(hub.context.database.pool))?.failed;
    expect(await noted()).toEqual(['begin']);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(proof({}, stop.signal)).rejects.toThrow('stopped');
    expect(await noted()).toEqual(['begin']);
    expect((await proof({})).ok).toBe(true);
    expect(await noted()).toEqual([]);
  });

  test('rejects a role that may not create databases', async () => {
    const role = `limited_${randomBytes(4).toString('hex')}`;
    await source(`CREATE ROLE ${role} LOGIN`);
    await source(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const limited = url.replace(/\/\/[^@]*@/, `//${role}@`);
    try {
      await expect(
        runProof(run(KEY, limited), { report: report(), stopped: never }),
      ).rejects.toThrow(
        new RegExp(`^the role ${role} may not create a scratch database: ALTER ROLE … CREATEDB`),
      );
    } finally {
      await source(`DROP OWNED BY ${role}`);
      await source(`DROP ROLE ${role}`);
    }
  });

  test('rejects a report path that cannot be written', async () => {
    await expect(
      runProof(run(), { report: '/nowhere/at/all.json', stopped: never }),
    ).rejects.toThrow('/nowhere/at/all.json cannot be written (ENOENT)');
  });

  test.each([
    [{ report: 'x' }, '--report is for --prove'],
    [{ alerts: 'none' }, '--alerts is for --prove'],
  ])('rejects options that do not fit together: %j', async (options, reason) => {
    await expect(runDoctorCommand(run(), options)).rejects.toThrow(reason);
  });
});

describe.runIf(!isCitus)('interrupted proof', () => {
  const steps: StepName[] = ['room', 'backup', 'restore', 'secrets'];
  test.each(steps)('leaves nothing behind when it is stopped before %s', async (at) => {
    const stop = new AbortController();
    const stopped = proof(
      {
        async begins(step) {
          if (step === at) stop.abort(new Error('stopped'));
        },
      },
      stop.signal,
    );
    await expect(stopped).rejects.toThrow('stopped');
    expect(await scratchDatabases()).toEqual([]);
  });

  test('leaves nothing behind when it is stopped while restoring', async () => {
    const stop = new AbortController();
    const stopped = proof({}, stop.signal).catch((error: unknown) => error);
    await expect.poll(scratchDatabases, { interval: 5 }).toHaveLength(1);
    stop.abort(new Error('stopped'));
    expect(await stopped).toMatchObject({ message: 'stopped' });
    expect(await scratchDatabases()).toEqual([]);
  });
});
