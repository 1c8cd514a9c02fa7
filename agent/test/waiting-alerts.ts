// Alerts with known ids, written into an agent's store while it is not running, and what became of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { uuid7 } from '../src/runtime/uuid7.ts';
import { openAlerts } from '../src/store/alert-store.ts';
import { openState } from '../src/store/state-store.ts';
import { openStore } from '../src/store/store-database.ts';
import { startAlertQueue } from '../src/sync/alert-queue.ts';
import { createSyncClient } from '../src/sync/hub-client.ts';
import { makeFolder, startAgent, TENANT, until, writeConfig } from './agent-process.ts';
import { type HubDouble, startHubDouble } from './hub-double.ts';

/** Ids of as many new alerts, oldest first. */
export function putAlerts(dataDir: string, count: number): string[] {
  const { db } = openStore(dataDir);
  const alerts = openAlerts(db, openState(db), { makeId: uuid7, now: Date.now });
  const ids = Array.from({ length: count }, () => uuid7());
  for (const id of ids) alerts.put(makeAlert(id));
  db.close();
  return ids;
}

export function makeAlert(id: string) {
  return {
    alert_id: id,
    occurred_at: new Date().toISOString(),
    severity: 'critical' as const,
    action: 'block' as const,
    code: null,
    application_name: 'gw-waits',
    process: null,
    override_id: null,
    outcome: 'terminated',
    message: 'waits for the hub',
  };
}

/**
 * An outage with more alerts than the queue has room for: room full of critical alerts, half as many low alerts
 * beside them, in random order. Then the hub is back, and the agent is killed again and again while it delivers.
 */
export async function overflowInAnOutage(
  { limit, kills, settleMs = 0 }: { limit: number; kills: number; settleMs?: number },
  random: () => number,
): Promise<{ residentMb: number; emptyMb: number; repeated: number }> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeFileSync(
    writeConfig(dataDir, hub.url, 'monitor'),
    configWithoutCrashLimit(dataDir, hub.url),
  );
  let isAway = true;
  let inFlight = 0;
  let most = 0;
  let largest = 0;
  const sent = new Map<string, number>();
  hub.intercept = ({ path, body }) => {
    if (!path.endsWith('/alerts')) return null;
    if (isAway) return refused;
    const { alerts } = body as { alerts: { alert_id: string }[] };
    largest = Math.max(largest, alerts.length);
    for (const { alert_id: id } of alerts) sent.set(id, (sent.get(id) ?? 0) + 1);
    most = Math.max(most, ++inFlight);
    setImmediate(() => inFlight--);
    return null;
  };
  const residentMb = async () => {
    const agent = await startAgent(dataDir);
    await until(() => agent.log().includes('the hub answers'));
    await wait(settleMs);
    const status = readFileSync(`/proc/${agent.child.pid}/status`, 'utf8');
    await agent.end('SIGTERM');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const emptyMb = await residentMb();

  const critical: string[] = [];
  const { db } = openStore(dataDir);
  const state = openState(db);
  const store = openAlerts(db, state, { limit, makeId: uuid7, now: Date.now });
  let low = limit / 2;
  while (critical.length < limit || low > 0) {
    const isLow = low > 0 && (critical.length === limit || random() < 1 / 3);
    const id = uuid7();
    store.put({ ...makeAlert(id), severity: isLow ? 'low' : 'critical' });
    if (isLow) low--;
    else critical.push(id);
    expect(store.count()).toBeLessThanOrEqual(limit);
  }
  expect(store.oldest(2 * limit).map((alert) => alert.alert_id)).toEqual(critical);
  expect(state.get('alerts_dropped')).toBe(limit / 2);
  db.close();
  const fullMb = await residentMb();

  isAway = false;
  for (let kill = 0; kill < kills; kill++) {
    const agent = await startAgent(dataDir);
    await wait(random() * 120);
    await agent.end('SIGKILL');
  }
  const last = await startAgent(dataDir);
  const dropped = () => hub.alerts.filter((alert) => alert.code === 'alerts_dropped');
  await until(() => critical.every((id) => isThere(hub, id)) && dropped().length > 0);
  await last.end('SIGTERM');
  const of = new Set(critical);
  const arrived = hub.alerts.map((alert) => alert.alert_id).filter((id) => of.has(id));
  expect(arrived).toEqual(critical);
  expect(dropped().at(-1)?.message).toMatch(`: ${limit / 2} of the least severe`);
  expect(hub.alerts.filter((alert) => alert.severity === 'low')).toEqual([]);
  expect([most, largest]).toEqual([1, 50]);
  expect(hub.violations).toEqual([]);
  await hub.close();
  return { residentMb: fullMb, emptyMb, repeated: [...sent.values()].filter((n) => n > 1).length };
}

/** A queue over a store of its own, as the service has it, with a real client. */
export function startQueue(dataDir: string, hubUrl: string) {
  const { db } = openStore(dataDir);
  const store = openAlerts(db, openState(db), { makeId: uuid7, now: Date.now });
  const client = createSyncClient({
    backend: {
      baseUrl: hubUrl,
      tenantId: TENANT,
      subscriberId: 'alice@example.org',
      caFile: null,
      pin: null,
      proxy: null,
    },
    device: {
      device_id: '01900000-0000-7000-8000-00000000000a',
      hostname: 'test',
      platform: 'linux',
      os_version: '1',
      arch: 'x',
      agent_version: '1',
    },
    token: () => 'token',
    env: {},
  });
  const failures: unknown[] = [];
  const queue = startAlertQueue({
    store,
    client,
    log: () => undefined,
    storeFailed: (error) => failures.push(error),
  });
  return { db, store, client, queue, failures };
}

const refused = { status: 503, body: { error: { code: 'starting', message: '' } } };

/** So many waited while the hub was away. Returns in how many seconds all were delivered after its return. */
export async function deliverAfterOutage(count: number): Promise<number> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const ids = putAlerts(dataDir, count);
  let isAway = true;
  let inFlight = 0;
  let most = 0;
  hub.intercept = () => {
    if (isAway) return refused;
    most = Math.max(most, ++inFlight);
    setImmediate(() => inFlight--);
    return null;
  };
  const { queue, client, db, store } = startQueue(dataDir, hub.url);
  await until(() => hub.seen.length > 0);
  isAway = false;
  const from = performance.now();
  queue.flush();
  await until(() => store.count() === 0);
  const seconds = (performance.now() - from) / 1000;
  expect(hub.alerts.map((alert) => alert.alert_id)).toEqual(ids);
  const posts = hub.seen.flatMap((request) => [
    (request.body as { alerts: unknown[] }).alerts.length,
  ]);
  expect(Math.max(...posts)).toBeLessThanOrEqual(50);
  expect(posts.length).toBeLessThanOrEqual(Math.ceil(count / 50) + 3);
  expect(most).toBe(1);
  expect(hub.violations).toEqual([]);
  await queue.stop();
  client.close();
  db.close();
  await hub.close();
  return seconds;
}

/** Ends a real agent again and again, at a random moment, with alerts waiting; the hub is not at its best either. */
export async function killWhileAlertsWait(
  times: number,
  random: () => number,
): Promise<{ alerts: number; repeated: number }> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeFileSync(
    writeConfig(dataDir, hub.url, 'monitor'),
    configWithoutCrashLimit(dataDir, hub.url),
  );
  const sent = new Map<string, number>();
  hub.intercept = ({ path, body }) => {
    if (!path.endsWith('/alerts')) return null;
    const luck = random();
    if (luck < 0.3) return refused;
    for (const { alert_id } of (body as { alerts: { alert_id: string }[] }).alerts) {
      sent.set(alert_id, (sent.get(alert_id) ?? 0) + 1);
    }
    return null;
  };
  const ids: string[] = [];
  for (let round = 0; round < times; round++) {
    // A size that differs from a batch, so that kills happen before, between and after batches.
    ids.push(...putAlerts(dataDir, 1 + Math.floor(random() * 120)));
    const agent = await startAgent(dataDir);
    await wait(random() * 900);
    await agent.end('SIGKILL');
  }
  hub.intercept = null;
  const last = await startAgent(dataDir);
  await until(() => ids.every((id) => isThere(hub, id)));
  await last.end('SIGTERM');
  const of = new Set(ids);
  // Alerts arrive in order, each once: the hub knew repeated alerts by their ids.
  expect(hub.alerts.flatMap((alert) => (of.has(alert.alert_id) ? [alert.alert_id] : []))).toEqual(
    ids,
  );
  expect(putAlerts(dataDir, 0)).toEqual([]);
  expect(hub.violations).toEqual([]);
  await hub.close();
  return { alerts: ids.length, repeated: [...sent.values()].filter((n) => n > 1).length };
}

function isThere(hub: HubDouble, id: string): boolean {
  return hub.alerts.some((alert) => alert.alert_id === id);
}

function configWithoutCrashLimit(dataDir: string, hubUrl: string): string {
  return `[backend]
base_url = "${hubUrl}"
tenant_id = "${TENANT}"
subscriber_id = "alice@example.org"
auth_token = "agent-token"
[agent]
data_dir = "${dataDir}"
delta_interval = "1s"
crash_limit = 0
[discovery]
sources = ["dpkg"]
`;
}
