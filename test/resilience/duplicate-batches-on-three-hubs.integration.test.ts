// The same batch and the same alerts are sent to three hubs simultaneously: each is stored once, all hubs answer alike,
// and each alert is delivered once. GATEWARDEN_REPEATS=10000 is the long run, instead of 30.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { type HttpSink, openHttpSink, reaching } from '../support/sinks.ts';

const REPEATS = Number(process.env.GATEWARDEN_REPEATS ?? 30);
const ENTITIES = 5;
const DEVICES = 6;

let sink: HttpSink;
let hubs: TestHub[];
beforeAll(async () => {
  sink = await openHttpSink();
  const first = await startTestHub(reaching(hubConfig(await cloneDatabase())));
  hubs = [first, await startTestHub(first.config), await startTestHub(first.config)];
});
afterAll(async () => {
  for (const hub of [...(hubs ?? [])].reverse()) await hub.stop();
  await sink?.close();
});

it(`stores and notifies once for simultaneous sends to three hubs (${REPEATS} times)`, {
  timeout: 120_000 + REPEATS * 200,
}, async () => {
  const [hub] = hubs as [TestHub];
  const body = { kind: 'webhook', name: 'sink', url: `${sink.url}/alerts` };
  expect((await hub.console('POST', '/alert-routes', { body })).status).toBe(201);
  const toAll = async (path: string, sent: unknown) => {
    const answers = await Promise.all(
      hubs.map(({ url }) =>
        deviceCall({ ...hub, url }, 'POST', `/ea/v1/sync/${path}`, { body: sent }),
      ),
    );
    const acknowledged = answers.map(({ status, body: { request_id: _, ...rest } }) => ({
      status,
      rest,
    }));
    expect(acknowledged.map((item) => item.status)).toEqual([202, 202, 202]);
    expect(acknowledged[1]).toEqual(acknowledged[0]);
    expect(acknowledged[2]).toEqual(acknowledged[0]);
  };
  const devices = Array.from({ length: DEVICES }, () => aDevice());
  const alertIds: string[] = [];
  const lane = async (device: (typeof devices)[number], n: number) => {
    for (let i = n; i < REPEATS; i += DEVICES) {
      const entities = Array.from({ length: ENTITIES }, (_, k) => anEntity(`e${i}-${k}`));
      await toAll('discovered-apps', aBatch(device, entities, { kind: 'delta', seq: i }));
      const alerts = [anAlert({ alert_id: randomUUID() }), anAlert({ alert_id: randomUUID() })];
      alertIds.push(...alerts.map((alert) => alert.alert_id));
      await toAll('alerts', { device, alerts });
    }
  };
  await Promise.all(devices.map(lane));

  const count = async (table: string) =>
    Number(
      (
        await hub.context.database.pool.query<{ n: string }>(
          `SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1`,
          [hub.tenantId],
        )
      ).rows[0]?.n,
    );
  expect(await count('entities')).toBe(REPEATS * ENTITIES);
  expect(await count('products')).toBe(REPEATS * ENTITIES);
  expect(await count('alerts')).toBe(REPEATS * 2);
  expect(await count('batches')).toBe(REPEATS);
  await expect
    .poll(() => sink.at('/alerts').length, { timeout: 60_000 + REPEATS * 100, interval: 100 })
    .toBe(REPEATS * 2);
  const notified = sink.at('/alerts').map((request) => request.body.data.alert.alert_id as string);
  expect(notified.sort()).toEqual(alertIds.sort());
  expect(await count('notification_deliveries')).toBe(REPEATS * 2);
});
