// Parts of the data folder are deleted while the agent runs: identity, tokens, keys and sockets are created again, and the
// run continues with its open store.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, startAgent, until, writeConfig } from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';
import { putAlerts } from './waiting-alerts.ts';

/** An agent whose alerts nobody takes yet, with the ids of those that wait. */
async function startWaiting(hub: HubDouble) {
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const ids = putAlerts(dataDir, 20);
  hub.intercept = ({ path }) => (path.endsWith('/alerts') ? { status: 503 } : null);
  const agent = await startAgent(dataDir);
  await until(() => hub.batches.some((batch) => batch.scan.coverage));
  return { dataDir, ids, agent };
}

const deviceOf = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'device.json'), 'utf8')).device_id;

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
])('delivers waiting alerts when %s is deleted while the agent runs', async (_, name) => {
  const hub = await startHubDouble();
  const { dataDir, ids, agent } = await startWaiting(hub);
  rmSync(join(dataDir, name));
  await expectDelivered(hub, ids);
  expect(await agent.end('SIGTERM')).toBe(0);
  await hub.close();
});

test('reports at its next start that the store was deleted', async () => {
  const hub = await startHubDouble();
  const { dataDir, agent } = await startWaiting(hub);
  rmSync(join(dataDir, 'agent.db'));
  expect(await agent.end('SIGKILL')).toBe('SIGKILL');
  hub.intercept = null;
  await startAgent(dataDir);
  await until(() => hub.alerts.some((alert) => alert.code === 'store_reset'));
  await hub.close();
});

test('continues as the same device with its tokens and sockets after the whole folder is deleted', async () => {
  const hub = await startHubDouble();
  const { dataDir, ids, agent } = await startWaiting(hub);
  const device = deviceOf(dataDir);
  await until(() =>
    hub.seen.some((request) => request.headers.authorization === 'Bearer device-token'),
  );
  const config = readFileSync(join(dataDir, 'agent.toml'));
  // The agent writes into it meanwhile: again until it is gone.
  rmSync(dataDir, { recursive: true, maxRetries: 20, retryDelay: 5 });
  await until(() => existsSync(join(dataDir, 'status.sock')));
  await until(async () => (await status(dataDir))?.alerts_queued === ids.length);
  expect(deviceOf(dataDir)).toBe(device);
  expect(JSON.parse(readFileSync(join(dataDir, 'tokens.json'), 'utf8')).device_token).toContain(
    'device-token',
  );
  await expectDelivered(hub, ids);
  expect(await agent.end('SIGTERM')).toBe(0);
  writeFileSync(join(dataDir, 'agent.toml'), config);
  await startAgent(dataDir);
  const batches = hub.batches.length;
  await until(() => hub.batches.length > batches);
  expect(new Set(hub.batches.map((batch) => batch.device.device_id))).toEqual(new Set([device]));
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
  await hub.close();
});
