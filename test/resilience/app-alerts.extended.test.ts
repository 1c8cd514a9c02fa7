// An app that fails is reported once, by mail and webhook, from any hub; its recovery is reported as well.

import {
  type AppAlerts,
  createAppAlerts,
  formatAppAlert,
} from '@gatewarden/hub/src/features/logs/app-alerts/index.ts';
import {
  insertLlmRows,
  llmRow,
  nowMicros,
} from '@gatewarden/hub/src/features/logs/events/index.ts';
import { alertingApps, webhookOf } from '@gatewarden/hub/src/features/management/apps/index.ts';
import {
  createChannelSecrets,
  startNotificationService,
} from '@gatewarden/hub/src/features/notifications/channels/index.ts';
import { createCopyTransactions } from '@gatewarden/hub/src/platform/db/copy-transactions.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { createOutbound } from '@gatewarden/hub/src/platform/http/outbound/outbound.ts';
import { startJobs } from '@gatewarden/hub/src/platform/jobs/jobs.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AlertFacts,
  expectedAlerts,
  inOrder,
  type Level,
  type Levels,
  level,
  MINUTE,
  type PastRow,
} from '../support/app-alert-model.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aRequestLine } from '../support/logs.ts';
import { type Management, makeApp, manage } from '../support/management.ts';
import { propertyRuns } from '../support/property-runs.ts';
import {
  type HttpSink,
  openHttpSink,
  openSmtpSink,
  reaching,
  type SmtpSink,
} from '../support/sinks.ts';

/** Each chat system by a URL that names it, and the text that its message about the app carries. */
const CHAT_PATHS = {
  teams: {
    path: '/workflows/0a1b/triggers/manual/paths/invoke?sig=x',
    message: { type: 'message', attachments: [{ contentUrl: null, content: { version: '1.4' } }] },
  },
  slack: {
    path: '/services/T00/B00/abc',
    message: { blocks: expect.arrayContaining([expect.objectContaining({ type: 'header' })]) },
  },
  google_chat: { path: '/v1/spaces/AAA/messages?key=k', message: { cardsV2: [{}] } },
  pagerduty: {
    path: '/v2/enqueue?routing_key=R',
    message: { routing_key: 'R', event_action: 'trigger', payload: { source: 'watched' } },
  },
};

const log = createLog('silent');
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
          ...Object.entries(CHAT_PATHS).map(([id, { path }]) => ({
            ...{ id, type: 'vendorL', url: `https://hooks.example.com${path}` },
          })),
        ],
      },
    },
  });
  expect(app.status).toBe(201);
  appId = app.body.app.app_id;
  // The hub itself would take the work, and its own addresses.
  await hub.hub.stop();
  // Two hub processes evaluate. A saved address is https and public, so the sink answers in its place.
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
  const { notifyOfAppAlert } = await startNotificationService(
    {
      ...{ db: database.db, log, metrics, outbound, mail, origin: own.origin },
      peers: { id: 'test', differing: async () => [] },
      pages: { announce: () => undefined, stop: async () => undefined },
      secrets: createChannelSecrets(hub.context.sealer),
      groupsOf: async () => [],
      selectAlerts: async () => [],
      selectRequest: async () => null,
      selectBudgetNotice: async () => null,
      formatAppAlert: (tenantId, facts) => formatAppAlert(tenantId, facts as never),
      loadAppWebhook: async (tenantId, app, id) => {
        const saved = await webhookOf(database.db, hub.context.sealer, tenantId, app, id);
        return saved && { ...saved, url: saved.url.replace('https://hooks.example.com', http.url) };
      },
    },
    jobs,
  );
  return createAppAlerts({
    ...{ db: database.db, log, notifyOfAppAlert },
    alertingApps: async () => (await alertingApps(database.db)) as never,
  });
}

/** Stores log rows in the columns that ingest writes. */
const store = (
  app_id: string,
  count: number,
  request: { status_code: number; provider: string | null },
  at = nowMicros(),
) => {
  const { database, counter } = hub.context;
  const rows = Array.from({ length: count }, () =>
    llmRow(aRequestLine(request), at, {
      tenantId: hub.tenantId,
      app: { app_id, name: 'watched' },
      storePayloads: true,
      cost: null,
    }),
  );
  return createCopyTransactions(
    database.db,
    database.pool,
    counter,
  )((tx) => insertLlmRows(tx, rows));
};
const send = (count: number, status_code: number, provider = 'p') =>
  store(appId, count, { status_code, provider });

const evaluateAll = (at = new Date()) =>
  Promise.all(processes.map((process) => process.evaluate(at)));

it('reports app and provider once each over two hubs, and their recovery', async () => {
  await send(9, 502);
  await evaluateAll();
  // Nine requests are enough for the provider, not for the app.
  await expect.poll(() => http.at('/w').length).toBe(1);
  expect(http.at('/w')[0]?.body).toMatchObject({
    type: 'app.failing',
    data: { app: { id: appId, name: 'watched' }, level: 'provider', provider: 'p', failures: 9 },
  });
  await send(9, 502);
  for (let i = 0; i < 3; i++) await evaluateAll();
  await expect.poll(() => http.at('/w').length).toBe(2);
  await expect.poll(() => http.at('/chat').length).toBe(2);
  await expect.poll(() => smtp.mails.length).toBe(2);
  expect(http.at('/chat')[1]?.body.text).toContain(
    '*App is failing:* `watched`\n`18 of 18 requests failed (100%, limit: 50%)`',
  );
  for (const { path, message } of Object.values(CHAT_PATHS)) {
    const sent = path.replace('?routing_key=R', '');
    await expect.poll(() => http.at(sent).length).toBe(2);
    expect(http.at(sent)[1]?.body).toMatchObject(message);
    expect(http.at(sent)[1]?.raw).toContain('18 of 18 requests failed');
  }
  expect(smtp.mails[1]).toMatchObject({ to: ['ops@example.com'] });
  await send(200, 200);
  for (let i = 0; i < 3; i++) await evaluateAll();
  await expect.poll(() => http.at('/w').length).toBe(4);
  await expect.poll(() => http.at('/chat').length).toBe(4);
  // The recovery resolves the incident that the failure opened.
  await expect.poll(() => http.at('/v2/enqueue').length).toBe(4);
  const events = http.at('/v2/enqueue').map(({ body }) => body);
  const keys = (action: string) =>
    events.filter((event) => event.event_action === action).map((event) => event.dedup_key);
  expect(keys('resolve').sort()).toEqual(keys('trigger').sort());
  await expect.poll(() => smtp.mails.length).toBe(4);
  expect(
    http
      .at('/w')
      .slice(2)
      .map(({ body }) => body.type),
  ).toEqual(['app.recovered', 'app.recovered']);
});

it('raises no alert again within the cooldown, and raises it after the cooldown', async () => {
  await send(2_000, 500, 'q');
  const before = http.at('/w').length;
  await evaluateAll();
  // Provider q is new; an alert of the app was sent a moment ago.
  await expect.poll(() => http.at('/w').length).toBe(before + 1);
  await evaluateAll(new Date(Date.now() + 11 * 60_000));
  await expect.poll(() => http.at('/w').length).toBe(before + 2);
});

it('retries a mail whose target refuses it', async () => {
  const { rows } = await hub.context.database.pool.query<{ state: string }>(
    'SELECT DISTINCT state FROM notification_deliveries',
  );
  expect(rows.find(({ state }) => state === 'failed')).toBeUndefined();
  // A delivery of an earlier alert would be refused, too, and counted.
  const isIdle = async () =>
    (
      await hub.context.database.pool.query(
        "SELECT FROM notification_deliveries WHERE state = 'pending'",
      )
    ).rowCount === 0;
  await expect.poll(isIdle).toBe(true);
  http.answer = (response) => response.writeHead(503).end();
  const pending = async () => {
    const found = await hub.context.database.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM notification_deliveries
      WHERE state = 'pending' AND attempts > 0 AND last_status = 503`,
    );
    return found.rows[0]?.n;
  };
  await send(50, 500, 'r');
  await evaluateAll();
  await expect.poll(pending).toBe(2 + Object.keys(CHAT_PATHS).length);
  http.answer = (response) => response.writeHead(204).end();
  await expect.poll(pending).toBe(0);
});

it('reports other providers beside a provider whose name fits no index', async () => {
  const app = await anApp({ provider_level: level({ minimum_requests: 5 }) });
  // Three bytes each, in no order that could be compressed.
  const long = String.fromCodePoint(
    ...Array.from({ length: 1_000 }, (_, i) => 0x4e00 + ((i * 7919) % 20_000)),
  );
  await store(app, 9, { status_code: 500, provider: long });
  await store(app, 9, { status_code: 500, provider: `${long.slice(0, -1)}!` });
  await store(app, 9, { status_code: 500, provider: '龿' });
  await evaluateAll();
  const delivered = await deliveredFactsOf(app);
  expect(delivered.map(({ provider }) => provider?.length).sort()).toEqual([1, 1_000, 1_000]);
  for (let i = 0; i < 2; i++) await evaluateAll();
  expect(await deliveredFactsOf(app)).toHaveLength(3);
});

it('counts future records in their own window, and in no window before', async () => {
  const app = await anApp({ app_level: level({ minimum_requests: 5, window_minutes: 15 }) });
  const ahead = new Date(Date.now() + 20 * 60 * MINUTE);
  await store(app, 9, { status_code: 500, provider: null }, ahead.getTime() * 1_000);
  await evaluateAll();
  expect(await deliveredFactsOf(app)).toEqual([]);
  await evaluateAll(new Date(ahead.getTime() + MINUTE));
  expect(await deliveredFactsOf(app)).toMatchObject([{ event: 'failing', requests: 9 }]);
});

it('reports an ongoing failure again after its alerts were switched off and on', async () => {
  const on = { app_level: level({ minimum_requests: 5, cooldown_minutes: 10 }) };
  const app = await anApp(on);
  const start = Date.now();
  const at = (minutes: number) => new Date(start + minutes * MINUTE);
  await store(app, 9, { status_code: 500, provider: null }, at(0).getTime() * 1_000);
  await evaluateAll(at(1));
  await configure(app, {});
  await evaluateAll(at(20));
  await configure(app, on);
  await store(app, 9, { status_code: 500, provider: null }, at(40).getTime() * 1_000);
  await evaluateAll(at(41));
  await evaluateAll(at(42));
  expect((await deliveredFactsOf(app)).map(({ event, at: when }) => [event, when])).toEqual([
    ['failing', at(1).toISOString()],
    ['failing', at(41).toISOString()],
  ]);
});

/** Creates an app by SQL, because the hub that would take the request no longer runs. */
async function anApp(levels: Levels): Promise<string> {
  const { rows } = await hub.context.database.pool.query<{ app_id: string }>(
    `INSERT INTO apps SELECT (jsonb_populate_record(a, jsonb_build_object(
       'app_id', gen_random_uuid(), 'name', 'A' || gen_random_uuid(), 'name_folded', gen_random_uuid()))).*
     FROM apps a WHERE app_id = $1 RETURNING app_id`,
    [appId],
  );
  const app = rows[0]?.app_id as string;
  await configure(app, levels);
  return app;
}

async function configure(app: string, levels: Levels): Promise<void> {
  const channels = { emails: ['ops@example.com'] };
  await hub.context.database.pool.query(
    `UPDATE apps SET config = jsonb_set(config, '{alerting}', $2::jsonb) WHERE app_id = $1`,
    [app, JSON.stringify({ ...levels, channels })],
  );
}

async function deliveredFactsOf(app: string): Promise<AlertFacts[]> {
  const { rows } = await hub.context.database.pool.query<{ facts: AlertFacts }>(
    `SELECT facts FROM notification_deliveries WHERE app_id = $1
     ORDER BY facts ->> 'at', facts ->> 'level', facts ->> 'provider'`,
    [app],
  );
  return rows.map(({ facts }) => facts);
}

const levels: fc.Arbitrary<Level | undefined> = fc.option(
  fc.record({
    enabled: fc.boolean(),
    window_minutes: fc.constantFrom(5, 15),
    failure_rate_threshold: fc.constantFrom(0, 10, 50, 100),
    minimum_requests: fc.constantFrom(1, 4, 9),
    cooldown_minutes: fc.constantFrom(1, 7, 30),
    notify_on_recovery: fc.boolean(),
  }),
  { nil: undefined },
);
const configured = fc.record({ app_level: levels, provider_level: levels });
const step = fc.record({
  minutes: fc.constantFrom(1, 1, 2, 6, 20),
  rows: fc.array(
    fc.record({
      count: fc.integer({ min: 1, max: 6 }),
      status_code: fc.constantFrom(200, 200, 400, 429, 500),
      provider: fc.constantFrom(null, '', 'p', 'q'),
      /** Rows may come late, and to the border of a window. */
      late: fc.constantFrom(0, 0, 0, 4, 5, 15, 40),
    }),
    { maxLength: 3 },
  ),
  change: fc.option(configured, { freq: 4 }),
});

it('reports what the health checks prescribe over two hubs, through any records and changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 12 }),
      configured,
      async (steps, first) => {
        const app = await anApp(first as Levels);
        // Other apps of this file are of no interest at times to come.
        let now = Date.now();
        let current = first as Levels;
        const history: Parameters<typeof expectedAlerts>[0] = [];
        for (const { minutes, rows, change } of steps) {
          now += minutes * MINUTE;
          if (change !== null) {
            current = change as Levels;
            await configure(app, current);
          }
          const known: PastRow[] = [];
          for (const { count, late, ...request } of rows) {
            const at = now - late * MINUTE;
            await store(app, count, request, at * 1_000);
            const failed = request.status_code === 429 || request.status_code >= 500;
            const call = { at, failed, provider: request.provider };
            known.push(...Array.from({ length: count }, () => call));
          }
          await Promise.all(processes.map((process) => process.evaluate(new Date(now))));
          history.push({ now, rows: known, levels: current });
        }
        expect(inOrder(await deliveredFactsOf(app))).toEqual(inOrder(expectedAlerts(history)));
        await configure(app, {});
      },
    ),
    { numRuns: propertyRuns(15), endOnFailure: true },
  );
}, 180_000);
