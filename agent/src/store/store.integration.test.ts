// The agent's database is tested on real files: versions, damage, the limit of the queue, kill -9.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeFolder, until } from '../../test/agent-process.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { type NewAlert, openAlerts } from './alert-store.ts';
import { openHubClock } from './hub-clock.ts';
import { openInventory } from './inventory-store.ts';
import { MIGRATIONS } from './migrations.ts';
import { type Migration, migrate } from './schema-version.ts';
import { claimStore, openState } from './state-store.ts';
import {
  type Db,
  inspectStore,
  lockDataDir,
  openStore,
  openStoreForReading,
} from './store-database.ts';

const options = { makeId: uuid7, now: Date.now };

function makeAlert(severity: NewAlert['severity'], message = 'm'): NewAlert {
  return {
    alert_id: uuid7(),
    occurred_at: new Date().toISOString(),
    severity,
    action: 'block',
    message,
  };
}

test('creates a durable file of this version, readable by its owner only', () => {
  const folder = makeFolder();
  const { db, setAside } = openStore(folder);
  expect(setAside).toBeNull();
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
  expect(statSync(join(folder, 'agent.db')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'agent.db-wal')).mode & 0o777).toBe(0o600);
  db.close();
});

test('sets a damaged file aside and creates another', () => {
  const folder = makeFolder();
  openStore(folder).db.close();
  writeFileSync(
    join(folder, 'agent.db'),
    'this is no database at all, not even nearly'.repeat(200),
  );
  const { db, setAside } = openStore(folder, () => 7);
  expect(setAside).toBe(join(folder, 'agent.db.corrupt-7'));
  expect(readdirSync(folder)).toContain('agent.db.corrupt-7');
  expect(openState(db).get('cursor')).toBeNull();
  db.close();
});

/** Changes the store as a newer agent would. */
function changeForm(folder: string, ...more: Migration[]): void {
  const db = new Database(join(folder, 'agent.db'));
  migrate(db, [...MIGRATIONS, ...more]);
  db.close();
}

const ADDS: Migration = {
  sql: "ALTER TABLE alerts ADD COLUMN tried_at TEXT; CREATE TABLE more (a INTEGER) STRICT; INSERT INTO more VALUES (1); INSERT INTO state VALUES ('since_then', '{\"a\":1}')",
};
const BREAKS: Migration = {
  sql: "ALTER TABLE overrides RENAME TO decisions; UPDATE state SET value = '[7]' WHERE key = 'breaker_opened_at'",
  breaking: true,
};
/** A store with a cursor and two alerts, of which it gives the ids. */
function fillStore(folder: string): string[] {
  const { db } = openStore(folder);
  const state = openState(db);
  claimStore(db, state, 't|d');
  state.set('cursor', 'c');
  state.set('scan_seq', 40);
  state.set('breaker_opened_at', 5);
  state.set('enforcement_ceiling', 'monitor');
  const two = [makeAlert('high', 'first'), makeAlert('low', 'second')];
  for (const alert of two) openAlerts(db, state, options).put(alert);
  db.close();
  return two.map((alert) => alert.alert_id);
}

const waitingIn = (db: Db) =>
  openAlerts(db, openState(db), options)
    .oldest(100)
    .map((alert) => alert.alert_id);

test('uses a store to which a newer agent only added, in turn with that agent', () => {
  const folder = makeFolder();
  const ids = fillStore(folder);
  changeForm(folder, ADDS);
  const { db, setAside, updatedStore } = openStore(folder);
  expect([setAside, updatedStore]).toEqual([null, null]);
  expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length + 1);
  expect(openState(db).get('cursor')).toBe('c');
  const third = makeAlert('high');
  openAlerts(db, openState(db), options).put(third);
  db.close();
  // Run again, its step would fail.
  changeForm(folder, ADDS);
  const again = openStore(folder).db;
  expect(waitingIn(again)).toEqual([...ids, third.alert_id]);
  again.close();
  expect(inspectStore(folder)).toBeNull();
});

test('refuses the store of a newer agent, and leaves it unchanged', () => {
  const folder = makeFolder();
  fillStore(folder);
  changeForm(folder, ADDS, BREAKS);
  const refusal =
    /agent\.db is of a newer agent \(schema 3, readable from 3 on; this agent knows up to 1\): install that version again$/;
  expect(inspectStore(folder)).toMatch(refusal);
  expect(openStoreForReading(folder)).toBeNull();
  for (const before of [null, join(folder, 'missing.db')]) {
    expect(() => openStore(folder, () => 7, { before })).toThrow(refusal);
  }
  expect(readdirSync(folder)).toEqual(['agent.db']);
});

test('restores the store from before a failed update, and sets the changed store aside', () => {
  const folder = makeFolder();
  const ids = fillStore(folder);
  const before = join(folder, 'before.db');
  copyFileSync(join(folder, 'agent.db'), before);
  const newer = openStore(folder).db;
  openAlerts(newer, openState(newer), options).put(makeAlert('high'));
  openState(newer).set('cursor', 'of the newer agent');
  newer.close();
  changeForm(folder, BREAKS);
  // A crash left half of an earlier restoration.
  writeFileSync(join(folder, 'agent.db.restored'), 'half');
  const { db, updatedStore } = openStore(folder, () => 7, { before });
  expect(updatedStore).toBe(join(folder, 'agent.db.newer-7'));
  expect(waitingIn(db)).toEqual(ids);
  const state = openState(db);
  // Scans are counted from the clock: the hub received higher numbers than the copy contains.
  expect([state.get('cursor'), state.get('scan_seq')]).toEqual(['c', null]);
  db.close();
  expect(readdirSync(folder)).not.toContain('agent.db.restored');
  expect(openStore(folder, () => 8, { before }).updatedStore).toBeNull();
  const aside = new Database(join(folder, 'agent.db.newer-7'), { readonly: true });
  expect(aside.prepare('SELECT count(*) AS n FROM alerts').get()).toEqual({ n: 3 });
  aside.close();
});

test('rejects a second user of a data folder, in the same or another process', () => {
  const folder = makeFolder();
  const lock = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow('another agent already runs');
  lock.release();
  lockDataDir(folder).release();
});

test('drops the oldest of the least severe alerts from a full queue, and counts them', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  const alerts = openAlerts(db, state, { ...options, limit: 5 });
  for (const n of [1, 2, 3]) alerts.put(makeAlert('low', `low ${n}`));
  for (const n of [1, 2, 3]) alerts.put(makeAlert('critical', `critical ${n}`));
  const left = alerts.oldest(50);
  expect(alerts.count()).toBe(5);
  expect(left.filter((a) => a.severity === 'critical' && a.code == null)).toHaveLength(3);
  expect(left.filter((a) => a.code === 'alerts_dropped')).toHaveLength(1);
  expect(left.map((a) => a.message)).toContain('low 3');
  expect(state.get('alerts_dropped')).toBe(2);
  db.close();
});

test('defers the report of a loss rather than displace a critical alert', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  const alerts = openAlerts(db, state, { ...options, limit: 5 });
  const notices = () => alerts.oldest(50).filter((notice) => notice.code === 'alerts_dropped');
  for (const n of [1, 2, 3, 4, 5]) alerts.put(makeAlert('critical', `critical ${n}`));
  for (const n of [1, 2, 3]) alerts.put(makeAlert('low', `low ${n}`));
  expect(alerts.oldest(50).map((alert) => alert.message)).toEqual(
    [1, 2, 3, 4, 5].map((n) => `critical ${n}`),
  );
  expect(state.get('alerts_dropped')).toBe(3);
  alerts.remove([alerts.oldest(1)[0]?.alert_id ?? '']);
  expect(notices().map((notice) => notice.message)).toEqual([expect.stringMatching(/: 3 of the/)]);
  expect(alerts.count()).toBe(5);
  alerts.put(makeAlert('critical', 'critical 6'));
  expect(alerts.oldest(50).map((alert) => alert.message)).toEqual(
    [2, 3, 4, 5, 6].map((n) => `critical ${n}`),
  );
  expect(state.get('alerts_dropped')).toBe(3);
  alerts.remove([alerts.oldest(1)[0]?.alert_id ?? '']);
  expect(notices().map((notice) => notice.message)).toEqual([expect.stringMatching(/: 3 of the/)]);
  for (const n of [7, 8]) alerts.put(makeAlert('critical', `critical ${n}`));
  expect(state.get('alerts_dropped')).toBe(4);
  alerts.remove(alerts.oldest(50).map((alert) => alert.alert_id));
  expect(notices().map((notice) => notice.message)).toEqual([expect.stringMatching(/: 4 of the/)]);
  alerts.remove(notices().map((notice) => notice.alert_id));
  expect(alerts.count()).toBe(0);
  expect(notices()).toEqual([]);
  db.close();
});

test('keeps a new scan plan when a batch of the former plan is acknowledged', () => {
  const { db } = openStore(makeFolder());
  const inventory = openInventory(db);
  const batch = (batchId: string) => ({
    batchId,
    body: '{}',
    effects: { scan_id: 's', upserts: [], removals: [], ends: null },
  });
  inventory.replaceOutgoing([batch('old')]);
  const underWay = inventory.nextOutgoing();
  if (underWay === null) throw new Error('one was put');
  inventory.replaceOutgoing([batch('new')]);
  inventory.confirm(underWay, () => undefined);
  expect(inventory.nextOutgoing()?.batchId).toBe('new');
  db.close();
});

test('hides data of the former tenant', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  expect(claimStore(db, state, 't1|d').forgotten).toBe(false);
  openAlerts(db, state, options).put(makeAlert('high'));
  state.set('cursor', 'c');
  expect(claimStore(db, state, 't1|d').forgotten).toBe(false);
  expect(claimStore(db, state, 't2|d').forgotten).toBe(true);
  expect(state.get('cursor')).toBeNull();
  expect(openAlerts(db, state, options).count()).toBe(0);
  db.close();
});

test("continues the hub's time over restarts, and never backwards", () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  let uptime = 100;
  const open = (bootId: string) =>
    openHubClock(state, { wallMs: () => 5, uptimeS: () => uptime, bootId });
  const clock = open('boot-1');
  expect(clock.now()).toBe(5);
  clock.hear(1_000_000);
  uptime = 110;
  expect(clock.now()).toBe(1_010_000);
  clock.hear(900_000);
  expect(clock.now()).toBe(1_010_000);
  uptime = 120;
  expect(open('boot-1').now()).toBe(1_020_000);
  uptime = 3;
  expect(open('boot-2').now()).toBe(1_013_000);
  db.close();
});

const WRITER = `
import { openStore } from '${import.meta.dirname}/store-database.ts';
import { openState } from '${import.meta.dirname}/state-store.ts';
import { openAlerts } from '${import.meta.dirname}/alert-store.ts';
import { uuid7 } from '${import.meta.dirname}/../runtime/uuid7.ts';
import { writeSync } from 'node:fs';
const { db } = openStore(process.argv[1]);
const alerts = openAlerts(db, openState(db), { makeId: uuid7, now: Date.now });
for (;;) {
  const alert_id = uuid7();
  alerts.put({ alert_id, occurred_at: new Date().toISOString(), severity: 'high', action: 'block', message: 'm' });
  writeSync(1, alert_id + '\\n');
}`;

test('loses no written alert over ten kill -9 during writes', async () => {
  const folder = makeFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < 10; round++) {
    const writer = spawn(
      process.execPath,
      ['--input-type=module-typescript', '-e', WRITER, folder],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let text = '';
    writer.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await until(() => text.split('\n').length > 5 + round * 3);
    writer.kill('SIGKILL');
    await once(writer, 'close');
    acknowledged.push(...text.split('\n').slice(0, -1));
  }
  const { db } = openStore(folder);
  const kept = openAlerts(db, openState(db), options).oldest(100_000);
  const ids = new Set(kept.map((alert) => alert.alert_id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(kept.map((a) => a.alert_id)).toEqual([...ids].sort());
  expect(kept.every((alert) => alert.queued)).toBe(true);
  db.close();
});
