// The agent works over a faulty network and on a damaged store: it ends with the same state as the hub. Full sizes run
// in test/long.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadIdentity } from '../src/config/device-identity.ts';
import { fileTokens } from '../src/config/token-store.ts';
import { uuid7 } from '../src/runtime/uuid7.ts';
import { openInventory } from '../src/store/inventory-store.ts';
import { openState } from '../src/store/state-store.ts';
import { lockDataDir } from '../src/store/store-database.ts';
import { createPusher } from '../src/sync/inventory-pusher.ts';
import { makeFolder, makeOverride, startAgent, until, writeConfig } from './agent-process.ts';
import { damageFile, damageLogs } from './damaged-store.ts';
import { startHubDouble } from './hub-double.ts';
import { runFaultSequence } from './network-fault-sequence.ts';
import { seededRandom } from './random.ts';
import { putAlerts, startQueue } from './waiting-alerts.ts';

test('converges after every kind of network fault', { timeout: 180_000 }, async () => {
  await runFaultSequence(24, seededRandom(3));
});

test('loses only the end of a torn or changed log', () => {
  const { kept } = damageLogs(40, seededRandom(11));
  expect(kept).toHaveLength(40);
});

test.each([
  ['before it starts', false],
  ['while it runs', true],
])('sets aside, reports and refills a store that is damaged %s', async (_, running) => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  hub.overrides.push(makeOverride({ match: { name: 'gw-none' } }));
  const first = await startAgent(dataDir);
  const isWhole = (from: number) => hub.batches.slice(from).some((b) => b.scan.coverage);
  await until(() => isWhole(0));
  await first.end('SIGTERM');
  // More than is kept in memory, and nobody takes them: what is damaged is read again.
  putAlerts(dataDir, 8000);
  hub.intercept = ({ path }) => (path.endsWith('/alerts') ? { status: 503 } : null);
  if (!running) damageFile(dataDir);
  let from = hub.batches.length;
  const agent = await startAgent(dataDir);
  if (running) {
    await until(() => isWhole(from));
    from = hub.batches.length;
    damageFile(dataDir);
  }
  hub.intercept = null;
  await until(() => hub.alerts.some((alert) => alert.code === 'store_reset'));
  await until(() => isWhole(from));
  const seqs = hub.batches.map((b) => b.scan.seq ?? 0);
  expect(seqs.slice(from).every((seq) => seq > Math.max(...seqs.slice(0, from)))).toBe(true);
  expect(readdirSync(dataDir).filter((name) => /^agent\.db\.corrupt-\d+$/.test(name))).toHaveLength(
    1,
  );
  expect(agent.child.exitCode).toBeNull();
  expect(await agent.end('SIGTERM')).toBe(0);
  await hub.close();
});

test.each([
  ['a folder', (file: string) => mkdirSync(join(file, 'inside'), { recursive: true })],
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
])(
  'sets aside and reports %s in place of its databases and log, without waiting for it',
  async (_, put) => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url, 'monitor');
    mkdirSync(join(dataDir, 'logs'));
    for (const name of ['agent.db', 'quarantine.db', 'logs/agent.log']) put(join(dataDir, name));
    const agent = await startAgent(dataDir);
    await until(() => hub.alerts.some((alert) => alert.code === 'store_reset'));
    await until(() => hub.batches.some((batch) => batch.scan.coverage));
    const asides = readdirSync(dataDir).filter((name) => name.includes('.corrupt-'));
    expect(asides.map((name) => name.replace(/\d+$/, '')).sort()).toEqual([
      'agent.db.corrupt-',
      'quarantine.db.corrupt-',
    ]);
    expect(agent.child.exitCode).toBeNull();
    expect(await agent.end('SIGTERM')).toBe(0);
    await hub.close();
  },
);

test('rejects a pipe in place of its identity, tokens or lock with a clear line', async () => {
  const dataDir = makeFolder();
  for (const name of ['device.json', 'tokens.json', 'agent.lock']) {
    execFileSync('mkfifo', [join(dataDir, name)]);
  }
  expect(() => loadIdentity(dataDir, uuid7)).toThrow(
    /cannot read .*device.json: .* no regular file/,
  );
  await expect(fileTokens(dataDir).read('agent_token')).rejects.toThrow(
    /tokens.json: .* no regular file/,
  );
  expect(() => lockDataDir(dataDir)).toThrow(/cannot lock .* no regular file/);
});

test('names the sending agent version in a batch that waited during an upgrade', async () => {
  const hub = await startHubDouble();
  const { db, client } = startQueue(makeFolder(), hub.url);
  const inventory = openInventory(db);
  const [batchId, scanId] = [uuid7(), uuid7()];
  const scan = {
    ...{ scan_id: scanId, seq: 1, started_at: new Date().toISOString() },
    ...{ kind: 'delta', batch: 0, batches: 1, coverage: [] },
  };
  const device = { ...client.device, agent_version: '0.0.1' };
  inventory.replaceOutgoing([
    {
      batchId,
      body: JSON.stringify({ batch_id: batchId, device, scan, entities: [] }),
      effects: { scan_id: scanId, upserts: [], removals: [], ends: null },
    },
  ]);
  const log = () => undefined;
  const state = openState(db);
  await createPusher({ client, inventory, state, makeId: uuid7, now: Date.now, log }).drain();
  expect(hub.batches.map((batch) => [batch.batch_id, batch.device])).toEqual([
    [batchId, client.device],
  ]);
  client.close();
  db.close();
  await hub.close();
});

test.each([
  ['taken away', (file: string) => rmSync(file)],
  ['emptied', (file: string) => truncateSync(file)],
])('recreates and reports a store that was %s', async (_, lose) => {
  const hub = await startHubDouble();
  onTestFinished(() => hub.close());
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const first = await startAgent(dataDir);
  expect(await first.end('SIGTERM')).toBe(0);
  expect(hub.alerts).toEqual([]);
  for (const ending of ['-wal', '-shm'])
    rmSync(join(dataDir, `agent.db${ending}`), { force: true });
  lose(join(dataDir, 'agent.db'));
  const next = await startAgent(dataDir);
  await until(() => hub.alerts.length > 0);
  expect(hub.alerts).toMatchObject([
    { code: 'store_reset', message: expect.stringMatching(/lost/) },
  ]);
  expect(await next.end('SIGTERM')).toBe(0);
});
