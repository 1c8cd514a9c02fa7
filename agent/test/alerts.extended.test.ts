// The alert queue is tested after an outage, under kill -9 and on a disk that accepts no writes. The full sizes run in
// test/long.
import { expect, test } from 'vitest';
import { uuid7 } from '../src/runtime/uuid7.ts';
import { makeFolder, until } from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { seededRandom } from './random.ts';
import {
  deliverAfterOutage,
  killWhileAlertsWait,
  makeAlert,
  overflowInAnOutage,
  putAlerts,
  startQueue,
} from './waiting-alerts.ts';

test('delivers a thousand waiting alerts in order, each once', async () => {
  await deliverAfterOutage(1000);
});

test('loses and repeats no alert after kill -9 at any moment', { timeout: 120_000 }, async () => {
  await killWhileAlertsWait(5, seededRandom(7));
});

test('drops no critical alert in an outage that fills the queue', {
  timeout: 120_000,
}, async () => {
  await overflowInAnOutage({ limit: 300, kills: 3 }, seededRandom(5));
});

test('buffers alerts in memory while the disk accepts no writes, sends them, and writes them later', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const stored = putAlerts(dataDir, 60);
  let isAway = true;
  hub.intercept = () => (isAway ? { status: 503 } : null);
  const { db, queue, store, client, failures } = startQueue(dataDir, hub.url);
  const pages = Number(db.pragma('page_count', { simple: true }));
  db.pragma(`max_page_count = ${pages}`);
  const raise = (count: number) => {
    const ids = Array.from({ length: count }, () => uuid7());
    // Longer than what is free in the pages there are.
    for (const id of ids) queue.raise({ ...makeAlert(id), message: 'x'.repeat(4000) });
    return ids;
  };
  const first = raise(20);
  expect(queue.unwritten()).toBeGreaterThan(0);
  expect(failures.length).toBeGreaterThan(0);

  // Room again: what waited in memory becomes durable, in its order.
  db.pragma('max_page_count = 1000000');
  queue.wake();
  expect(queue.unwritten()).toBe(0);
  expect(store.oldest(100).map((alert) => alert.alert_id)).toEqual([...stored, ...first]);

  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
  const second = raise(20);
  expect(queue.unwritten()).toBeGreaterThan(0);
  isAway = false;
  queue.flush();
  await until(() => hub.alerts.length === 100);
  expect(hub.alerts.map((alert) => alert.alert_id)).toEqual([...stored, ...first, ...second]);
  await until(() => queue.unwritten() === 0 && store.count() === 0);
  await queue.stop();
  client.close();
  db.close();
  expect(hub.violations).toEqual([]);
  await hub.close();
});

test('does not resend an alert that a read-only store cannot delete', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const ids = putAlerts(dataDir, 120);
  hub.intercept = () => ({ status: 503 });
  const { db, queue, store, client } = startQueue(dataDir, hub.url);
  await until(() => hub.seen.length > 0);
  db.pragma('query_only = on');
  const from = hub.seen.length;
  hub.intercept = null;
  queue.flush();
  await until(() => hub.alerts.length === 120);
  const raised = uuid7();
  queue.raise(makeAlert(raised));
  await until(() => hub.alerts.length === 121);
  const sent = hub.seen
    .slice(from)
    .flatMap((request) => (request.body as { alerts: { alert_id: string }[] }).alerts)
    .map((alert) => alert.alert_id);
  expect(sent).toEqual([...ids, raised]);
  db.pragma('query_only = off');
  queue.wake();
  await until(() => store.count() === 0);
  await queue.stop();
  client.close();
  db.close();
  await hub.close();
});

test('keeps refused alerts: a while after a 413 or a wrong header, until the next start after another refusal', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const ids = putAlerts(dataDir, 3);
  const refusal = (status: number, code: string) => () => ({
    status,
    body: { error: { code, message: code }, request_id: 'r' },
  });
  hub.intercept = refusal(413, 'body_too_large');
  const first = startQueue(dataDir, hub.url);
  const lastSizes = () => hub.seen.map(({ body }) => (body as { alerts: object[] }).alerts.length);
  await until(() => lastSizes().at(-1) === 1);
  hub.intercept = refusal(400, 'invalid_subscriber_id');
  const seen = hub.seen.length;
  first.queue.flush();
  await until(() => hub.seen.length > seen);
  hub.intercept = refusal(400, 'invalid_body');
  first.queue.flush();
  await until(() => first.store.list(9).every((alert) => alert.refused !== null));
  await first.queue.stop();
  first.client.close();
  first.db.close();
  hub.intercept = null;
  const second = startQueue(dataDir, hub.url);
  await until(() => second.store.count() === 0);
  expect(hub.alerts.map((alert) => alert.alert_id)).toEqual(ids);
  await second.queue.stop();
  second.client.close();
  second.db.close();
  await hub.close();
});
