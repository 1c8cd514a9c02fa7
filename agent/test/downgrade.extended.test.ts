// The agent returns to an older version after a newer agent changed the files in the data folder: identity, waiting
// alerts and quarantine stay where the newer agent only added, else the older agent refuses to start. Quarantine records
// with unknown fields are left alone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import {
  openRecords,
  type QuarantineRecord,
  readRecords,
} from '../src/enforcement/quarantine/quarantine-records.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';
import { putAlerts } from './waiting-alerts.ts';

/** Changes a file as a newer agent's migration does; `readableFrom` null: it only adds. */
function changeForm(file: string, sql: string, readableFrom: number | null): void {
  const db = new Database(file);
  db.exec(sql);
  if (readableFrom !== null) db.prepare('UPDATE readable_from SET version = ?').run(readableFrom);
  db.pragma('user_version = 7');
  db.close();
}

const RECORD: QuarantineRecord = {
  ...{ id: 'a', state: 'quarantined', path: '/nowhere/tool', name: 'tool', overrideId: 'o' },
  ...{ takenAt: '2026-01-01T00:00:00.000Z', entityId: null, alert: null, problem: null },
  item: {
    ...{ is: 'file', storedPath: '/nowhere/kept', dev: 1, ino: 1, size: 1, mode: 0o755 },
    ...{ uid: 0, gid: 0, mtimeMs: 1, listed: null },
  },
  facts: { name: 'tool', application_name: null, publisher: null, sha256: null, entities: [] },
};

inOwnNamespace(import.meta.filename, () => {
  test('leaves alone, and reports, a file that a newer agent quarantined in an unknown way', async () => {
    const dataDir = makeFolder();
    writeConfig(dataDir, 'http://127.0.0.1:9', 'monitor');
    const records = openRecords(dataDir);
    records.save(RECORD);
    const strange = {
      ...RECORD,
      id: 'b',
      path: '/nowhere/volume',
      item: { is: 'volume', of: [1] },
    };
    records.save(strange as unknown as QuarantineRecord);
    records.close();
    changeForm(
      join(dataDir, 'quarantine.db'),
      'ALTER TABLE quarantined ADD COLUMN since TEXT',
      null,
    );
    const ran = await runCommand(['quarantine', '--release-all', '--json', '--data-dir', dataDir]);
    expect(ran).toMatchObject({ code: 1, stderr: '1 could not be put back\n' });
    expect(JSON.parse(ran.stdout).quarantined).toMatchObject([
      { kind: 'other', path: '/nowhere/volume', problem: expect.stringMatching(/newer agent/) },
    ]);
    const kept = new Database(join(dataDir, 'quarantine.db'));
    onTestFinished(() => {
      kept.close();
    });
    expect(
      JSON.parse(String(kept.prepare("SELECT body FROM quarantined WHERE id = 'b'").pluck().get())),
    ).toEqual(strange);
  });

  test('runs, quarantines nothing and raises an alert with a record that it cannot use', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url, 'monitor');
    openRecords(dataDir).close();
    changeForm(join(dataDir, 'quarantine.db'), 'ALTER TABLE quarantined RENAME TO kept', 7);
    const agent = await startAgent(dataDir);
    const isOfNewer = ({ message }: { message: string }) =>
      /quarantine\.db is of a newer agent.* nothing more is taken/.test(message);
    await until(() => hub.alerts.some(isOfNewer));
    expect(hub.alerts.find(isOfNewer)).toMatchObject({ severity: 'critical', code: 'store_reset' });
    const listed = await runCommand(['quarantine', '--data-dir', dataDir]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('0 in quarantine') });
    expect(await agent.end('SIGTERM')).toBe(0);
    expect(() => readRecords(dataDir)).toThrow(/of a newer agent/);
    const off = await runCommand(['off', '--data-dir', dataDir]);
    expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('of a newer agent') });
    await hub.close();
  });

  test('loses nothing after a newer agent that only added to the store', async () => {
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    const folder = makeFolder();
    writeConfig(dataDir, hub.url);
    const program = startHarmless(folder, 'gw-going-back');
    const path = join(folder, 'gw-going-back');
    const before = readFileSync(path);
    const policy = { execution_policy: 'quarantine' as const };
    const override = makeOverride({ match: { name: 'gw-going-back' }, ...policy });
    hub.overrides.push(override);
    const first = await startAgent(dataDir);
    await until(() => hasEnded(program) && !existsSync(path) && hub.alerts.length === 1);
    await until(() => hub.batches.length > 0);
    const device = hub.batches[0]?.device.device_id;
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const ids = putAlerts(dataDir, 60);
    changeForm(join(dataDir, 'agent.db'), 'ALTER TABLE alerts ADD COLUMN note TEXT', null);
    changeForm(
      join(dataDir, 'quarantine.db'),
      'ALTER TABLE quarantined ADD COLUMN since TEXT',
      null,
    );
    const second = await startAgent(dataDir);
    await until(() => hub.alerts.length >= 1 + ids.length);
    const alertIds = hub.alerts.map((alert) => alert.alert_id);
    expect(alertIds.filter((id) => ids.includes(id))).toEqual(ids);
    expect(hub.alerts.filter((alert) => alert.code === 'store_reset')).toEqual([]);
    await until(() => second.log().includes('the hub answers'));
    expect(existsSync(path)).toBe(false);
    hub.overrides.splice(0, 1, { ...override, revision: 2, deleted: true });
    await until(() => existsSync(path));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(new Set(hub.batches.map((batch) => batch.device.device_id))).toEqual(new Set([device]));
    expect(hub.violations).toEqual([]);
    expect(await second.end('SIGTERM')).toBe(0);
    await hub.close();
  });

  test('refuses a manual downgrade with one line after a newer agent that changed the store', async () => {
    const dataDir = makeFolder();
    writeConfig(dataDir, 'http://127.0.0.1:9', 'monitor');
    putAlerts(dataDir, 3);
    changeForm(join(dataDir, 'agent.db'), 'DROP TABLE overrides', 7);
    const ran = await runCommand(['run', '--data-dir', dataDir]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/agent\.db is of a newer agent .*: install that version again\n$/);
    expect(
      ran.stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ).toHaveLength(1);
  });
});
