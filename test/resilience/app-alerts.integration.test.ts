// An app that fails is told of once, by mail and webhook, whichever hub looks; so is its recovery.

import {
  type AppAlerts,
  startAppAlerts,
} from '@gatewarden/hub/src/features/logs/alerting/index.ts';
import { insertLlmRows, llmRow, nowMicros } from '@gatewarden/hub/src/features/logs/rows/index.ts';
import { alertingApps, webhookOf } from '@gatewarden/hub/src/features/management/apps/index.ts';
import { createCopying } from '@gatewarden/hub/src/platform/db/copying.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { createOutbound } from '@gatewarden/hub/src/platform/http/outbound.ts';
import { startJobs } from '@gatewarden/hub/src/platform/jobs/jobs.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aRequestLine } from '../support/logs.ts';
import { type Management, makeApp, manage } from '../support/management.ts';
import {
  type HttpSink,
  openHttpSink,
  openSmtpSink,
  reaching,
  type SmtpSink,
} from '../support/sinks.ts';

const log = createLog('silent');
const SOON = { timeout: 30_000 };
let hub: TestHub;
let api: Management;
let http: HttpSink;
let smtp: SmtpSink;
let appId: string;
const processes: AppAlerts[] = [];
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  hub = await startTestHub();
  http = await openHttpSink();
  smtp = await openSmtpSink();
  api = await manage(hub);
  const app = await makeApp(api, 'watched', {
    alerting: {
      app_level: { enabled: true, minimum_requests: 10, failure_rate_threshold: 50 },
      provider_level: { enabled: true, minimum_requests: 5 },
      channels: {
        emails: ['ops@example.com'],
        webhooks: [
          { id: 'w', url: 'https://hooks.example.com/w' },
          { id: 'chat', type: 'vendorL', url: 'https://hooks.example.com/chat' },
        ],
      },
    },
  });
  expect(app.status).toBe(201);
  appId = app.body.app.app_id;
  // The hub itself would take the work, and its own addresses.
  await hub.hub.stop();
  // As two hub processes do; the addresses that people save are https and public, so the sink stands in for them.
  for (let i = 0; i < 2; i++) processes.push(await aProcess());
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await http.close();
  await smtp.close();
  await hub.context.close();
});

async function aProcess(): Promise<AppAlerts> {
  const { database } = hub.context;
  const { allowedPrivateNetworks, mail } = reaching(hub.config, smtp);
  const notifications = await startNotifications({
    connection: database.connection,
    log,
    revive: () => hub.context.revive(),
  });
  const jobs = await startJobs(database, notifications, log);
  const own = { port: 1, origin: 'https://hub.example.com' };
  const outbound = createOutbound({ allowed: allowedPrivateNetworks, own });
  closers.push(
    () => notifications.stop(),
    () => outbound.close(),
    () => jobs.stop(),
  );
  const metrics = createMetrics('test', {
    counter: { count: 0 },
    pools: [database.pool],
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  return startAppAlerts(
    {
      db: database.db,
      log,
      metrics,
      outbound,
      mail,
      alertingApps: async () => (await alertingApps(database.db)) as never,
      webhookOf: async (tenantId, app, id) => {
        const saved = await webhookOf(database.db, hub.context.sealer, tenantId, app, id);
        return saved && { ...saved, url: saved.url.replace('https://hooks.example.com', http.url) };
      },
    },
    jobs,
  );
}

/** As ingest stores them. */
const send = (count: number, status_code: number, provider = 'p') => {
  const { database, counter } = hub.context;
  const rows = Array.from({ length: count }, () =>
    llmRow(aRequestLine({ status_code, provider }), nowMicros(), {
      tenantId: hub.tenantId,
      app: { app_id: appId, name: 'watched' },
      storePayloads: true,
      cost: null,
    }),
  );
  return createCopying(database.db, database.pool, counter)((tx) => insertLlmRows(tx, rows));
};

const evaluateAll = (at = new Date()) => Promise.all(processes.map((one) => one.evaluate(at)));

it('tells of app and provider once each, over two hubs, and of their recovery', async () => {
  await send(9, 502);
  await evaluateAll();
  // Nine requests are enough for the provider, not for the app.
  await expect.poll(() => http.at('/w').length, SOON).toBe(1);
  expect(http.at('/w')[0]?.body).toMatchObject({
    type: 'app.failing',
    data: { app: { id: appId, name: 'watched' }, level: 'provider', provider: 'p', failures: 9 },
  });
  await send(9, 502);
  for (let i = 0; i < 3; i++) await evaluateAll();
  await expect.poll(() => http.at('/w').length, SOON).toBe(2);
  await expect.poll(() => http.at('/chat').length, SOON).toBe(2);
  await expect.poll(() => smtp.mails.length, SOON).toBe(2);
  expect(http.at('/chat')[1]?.body.text).toBe(
    'watched is failing: 18 of 18 requests failed (100 %), the limit is 50 %',
  );
  expect(smtp.mails[1]).toMatchObject({ to: ['ops@example.com'] });
  await send(200, 200);
  for (let i = 0; i < 3; i++) await evaluateAll();
  await expect.poll(() => http.at('/w').length, SOON).toBe(4);
  await expect.poll(() => http.at('/chat').length, SOON).toBe(4);
  await expect.poll(() => smtp.mails.length, SOON).toBe(4);
  expect(
    http
      .at('/w')
      .slice(2)
      .map(({ body }) => body.type),
  ).toEqual(['app.recovered', 'app.recovered']);
});

it('raises nothing again within the cooldown, and does after it', async () => {
  await send(2_000, 500, 'q');
  const before = http.at('/w').length;
  await evaluateAll();
  // Provider q is new; the app was told of a moment ago.
  await expect.poll(() => http.at('/w').length, SOON).toBe(before + 1);
  await evaluateAll(new Date(Date.now() + 11 * 60_000));
  await expect.poll(() => http.at('/w').length, SOON).toBe(before + 2);
});

it('a message whose target refuses waits and is tried again', async () => {
  const { rows } = await hub.context.database.pool.query<{ state: string }>(
    'SELECT DISTINCT state FROM app_alert_deliveries',
  );
  expect(rows.find(({ state }) => state === 'failed')).toBeUndefined();
  http.answer = (response) => response.writeHead(503).end();
  const pending = async () => {
    const found = await hub.context.database.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM app_alert_deliveries
      WHERE state = 'pending' AND attempts > 0 AND last_status = 503`,
    );
    return found.rows[0]?.n;
  };
  await send(50, 500, 'r');
  await evaluateAll();
  await expect.poll(pending, SOON).toBe(2);
  http.answer = (response) => response.writeHead(204).end();
  await expect.poll(pending, SOON).toBe(0);
});
