// Parts of the data folder that are deleted while the agent runs are created again, and no waiting data is lost.
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecords, readRecords } from '../src/enforcement/quarantine/quarantine-records.ts';
import { makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { putAlerts } from './waiting-alerts.ts';

/** An agent whose alerts nobody takes yet, with the ids of those that wait. */
async function startWaiting(hub: HubDouble, before: (dataDir: string) => void = () => undefined) {
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const ids = putAlerts(dataDir, 20);
  before(dataDir);
  hub.intercept = ({ path }) => (path.endsWith('/alerts') ? { status: 503 } : null);
  const agent = await startAgent(dataDir);
  await until(() => hub.batches.some((batch) => batch.scan.coverage));
  return { dataDir, ids, agent };
}

const deviceOf = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'device.json'), 'utf8')).device_id;

const begunAgain = (log: string) => log.includes('is put in place again');

async function expectDelivered(hub: HubDouble, ids: readonly string[]) {
  hub.intercept = null;
  await until(() => hub.alerts.length >= ids.length);
  expect(hub.alerts.map((alert) => alert.alert_id)).toEqual(ids);
  expect(hub.violations).toEqual([]);
}

const status = async (dataDir: string) => {
  const { code, stdout } = await runCommand(['status', '--data-dir', dataDir, '--json']);
  return code === 0 ? JSON.parse(stdout) : null;
};

test.each([
  ['a store', 'agent.db'],
  ["a store's log", 'agent.db-wal'],
])('loses no waiting data when %s is deleted while the agent runs', async (_, name) => {
  const hub = await startHubDouble();
  const { dataDir, ids, agent } = await startWaiting(hub);
  const file = join(dataDir, 'agent.db');
  rmSync(join(dataDir, name));
  await until(() => begunAgain(agent.log()) && existsSync(file));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await until(async () => (await status(dataDir))?.alerts_queued === ids.length);
  // The alerts are durable from here on, whatever ends the agent.
  expect(await agent.end('SIGKILL')).toBe('SIGKILL');
  const next = await startAgent(dataDir);
  await expectDelivered(hub, ids);
  expect(agent.log() + next.log()).not.toMatch(/is begun anew|another tenant/);
  await hub.close();
});

test('restores a store that was deleted a moment before the agent stops', async () => {
  const hub = await startHubDouble();
  const { dataDir, ids, agent } = await startWaiting(hub);
  rmSync(join(dataDir, 'agent.db'));
  expect(await agent.end('SIGTERM')).toBe(0);
  await startAgent(dataDir);
  await expectDelivered(hub, ids);
  await hub.close();
});

test('moves a foreign file aside that replaced the store', async () => {
  const hub = await startHubDouble();
  const { dataDir, ids, agent } = await startWaiting(hub);
  const elsewhere = makeFolder();
  putAlerts(elsewhere, 1);
  rmSync(join(dataDir, 'agent.db'));
  copyFileSync(join(elsewhere, 'agent.db'), join(dataDir, 'agent.db'));
  await until(() => readdirSync(dataDir).some((name) => /^agent\.db\.other-\d+$/.test(name)));
  await until(async () => (await status(dataDir))?.alerts_queued === ids.length);
  await expectDelivered(hub, ids);
  expect(agent.child.exitCode).toBeNull();
  await hub.close();
});

test('continues as the same device with its tokens, sockets and records after the whole folder is deleted', async () => {
  const hub = await startHubDouble();
  const record = { id: 'x', takenAt: '2026-01-01T00:00:00.000Z', state: 'unknown' };
  const { dataDir, ids, agent } = await startWaiting(hub, (folder) => {
    const records = openRecords(folder);
    records.save(record as unknown as Parameters<typeof records.save>[0]);
    records.close();
  });
  const device = deviceOf(dataDir);
  await until(() =>
    hub.seen.some((request) => request.headers.authorization === 'Bearer device-token'),
  );
  const config = readFileSync(join(dataDir, 'agent.toml'));
  // The agent writes into it meanwhile: again until it is gone.
  rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 5 });
  await until(() => begunAgain(agent.log()) && existsSync(join(dataDir, 'status.sock')));
  await until(async () => (await status(dataDir))?.alerts_queued === ids.length);
  expect(deviceOf(dataDir)).toBe(device);
  expect(readRecords(dataDir).foreign).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(dataDir, 'tokens.json'), 'utf8')).device_token).toContain(
    'device-token',
  );
  expect(readFileSync(join(dataDir, 'logs/agent.log'), 'utf8')).toContain('put in place again');
  await expectDelivered(hub, ids);
  // The lock excludes a second agent still.
  writeFileSync(join(dataDir, 'agent.toml'), config);
  const second = await runCommand(['run', '--data-dir', dataDir]);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('already runs') });
  await hub.close();
});

test('restores deleted sockets and keys unchanged', async () => {
  const hub = await startHubDouble();
  const { dataDir, agent } = await startWaiting(hub);
  const own = join(dataDir, 'people', String(process.getuid?.()));
  const paths = ['status.sock', 'control.sock'].map((name) => join(dataDir, name));
  await until(() => existsSync(own));
  const modes = [...paths, own].map((path) => statSync(path).mode);
  const key = readFileSync(own, 'utf8');
  for (const path of paths) rmSync(path);
  rmSync(join(dataDir, 'people'), { recursive: true, maxRetries: 20, retryDelay: 5 });
  await until(() => [...paths, own].every((path) => existsSync(path)));
  await until(async () => (await status(dataDir)) !== null);
  expect([...paths, own].map((path) => statSync(path).mode)).toEqual(modes);
  expect(readFileSync(own, 'utf8')).toBe(key);
  expect((await runCommand(['queue', '--data-dir', dataDir])).code).toBe(0);
  expect(agent.log().match(/opened a local socket again/g)).toHaveLength(2);
  expect(agent.log()).not.toContain('put in place again');
  await hub.close();
});
