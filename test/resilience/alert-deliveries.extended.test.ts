// Every alert reaches each channel once, whichever of several hubs takes it, and no alert is lost when a hub is killed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDevice, anAlert } from '../support/builders.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { freePort, HUB_MAIN, startProgram } from '../support/programs.ts';
import { type HttpSink, LOOPBACK, openHttpSink, reaching } from '../support/sinks.ts';

const ALERTS = 200;
const MASTER_KEY = 'ab'.repeat(32);

let databaseUrl: string;
let sink: HttpSink;
let hub: TestHub;
beforeAll(async () => {
  sink = await openHttpSink();
  databaseUrl = await cloneDatabase();
  hub = await startTestHub(reaching(hubConfig(databaseUrl, MASTER_KEY)));
});
afterAll(async () => {
  await hub?.stop();
  await sink?.close();
});

const createChannel = async (path: string): Promise<string> => {
  const body = { kind: 'webhook', name: path, url: `${sink.url}${path}` };
  return (await hub.console('POST', '/alert-routes', { body })).body.route.route_id;
};
const inState = async (channelId: string, state: string): Promise<number> => {
  const result = await hub.context.database.pool.query<{ n: string }>(
    'SELECT count(*) AS n FROM notification_deliveries WHERE channel_id = $1 AND state = $2',
    [channelId, state],
  );
  return Number(result.rows[0]?.n);
};
const idsAt = (path: string) =>
  sink.at(path).map((request) => request.body.data.alert.alert_id as string);

it('delivers 200 alerts that reach two hubs simultaneously once to each of two channels', async () => {
  const second = await startTestHub(hub.config);
  const channels = [await createChannel('/a'), await createChannel('/b')];
  const sent: string[] = [];
  for (let batch = 0; batch < ALERTS / 20; batch++) {
    const device = aDevice();
    const alerts = Array.from({ length: 20 }, () => anAlert({ alert_id: randomUUID() }));
    sent.push(...alerts.map((alert) => alert.alert_id));
    const answers = await Promise.all(
      [hub.url, second.url].map((url) =>
        deviceCall({ ...hub, url }, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts } }),
      ),
    );
    expect(answers.map((item) => item.status)).toEqual([202, 202]);
  }
  for (const channel of channels) {
    await expect.poll(() => inState(channel, 'delivered'), { timeout: 60_000 }).toBe(ALERTS);
  }
  for (const path of ['/a', '/b']) expect(idsAt(path).sort()).toEqual([...sent].sort());
  await second.stop();
});

it('resumes deliveries of a killed hub under the same id', async () => {
  const port = await freePort();
  const killed = await startProgram(HUB_MAIN, ['serve'], {
    DATABASE_URL: databaseUrl,
    HUB_MASTER_KEY: MASTER_KEY,
    HUB_PORT: String(port),
    HUB_ALLOWED_PRIVATE_NETWORKS: LOOPBACK,
    BASE_URL: '',
  });
  const channel = await createChannel('/killed');
  // Only the hub that will be killed works now; its target never answers.
  await hub.stop();
  sink.answer = () => undefined;
  const alerts = Array.from({ length: 20 }, () => anAlert());
  const url = `http://127.0.0.1:${port}`;
  const body = { device: aDevice(), alerts };
  const answer = await deviceCall({ ...hub, url }, 'POST', '/ea/v1/sync/alerts', { body });
  expect(answer.status).toBe(202);
  await expect.poll(() => sink.at('/killed').length, { timeout: 30_000 }).toBe(4);
  await killed.end('SIGKILL');
  const begun = sink.at('/killed').map((request) => request.headers['webhook-id']);

  sink.answer = (response) => response.writeHead(204).end();
  hub = await startTestHub(hub.config);
  await expect.poll(() => inState(channel, 'delivered'), { timeout: 280_000 }).toBe(20);
  expect(new Set(idsAt('/killed'))).toEqual(new Set(alerts.map((alert) => alert.alert_id)));
  const times = new Map<unknown, number>();
  for (const { headers } of sink.at('/killed')) {
    const id = headers['webhook-id'];
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  for (const [id, count] of times)
    expect([id, count]).toEqual([id, begun.includes(String(id)) ? 2 : 1]);
}, 300_000);
