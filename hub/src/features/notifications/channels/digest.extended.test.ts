// A flood of alerts results in a few messages and a digest. Each alert is sent once and listed in the history.
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { aDevice, anAlert } from '../../../../../test/support/builders.ts';
import {
  type ChannelBench,
  openChannelBench,
  SOON,
} from '../../../../../test/support/channel-bench.ts';
import { deviceCall, startTestHub } from '../../../../../test/support/hub.ts';

let { hub, sink, smtp, create, webhook, deliveries } = {} as ChannelBench;
let bench: ChannelBench;
beforeAll(async () => {
  bench = await openChannelBench();
  ({ hub, sink, smtp, create, webhook, deliveries } = bench);
});
afterEach(() => bench.reset());
afterAll(() => bench?.close());

async function raise(count: number, url = hub.url, device = aDevice()) {
  const alerts = Array.from({ length: count }, (_, i) =>
    anAlert({ severity: i === count - 1 ? 'critical' : 'medium' }),
  );
  const body = { device, alerts };
  const answer = await deviceCall({ ...hub, url }, 'POST', '/ea/v1/sync/alerts', { body });
  expect(answer.status).toBe(202);
  return { ids: alerts.map((alert) => alert.alert_id), again: body };
}
const digestsAt = async (path: string) =>
  (await deliveries(path, '?limit=200')).filter((item) => item.digest_alerts !== null);
/** Makes a digest due before the end of its minute. */
const sendNow = async (path: string, digestId: string) => {
  const answer = await hub.console('POST', `${path}/deliveries/${digestId}/retry`, { body: {} });
  expect(answer.status).toBe(202);
};
const idsIn = (body: { data: { alert?: { alert_id: string }; alerts?: { alert_id: string }[] } }) =>
  (body.data.alerts ?? [body.data.alert]).map((alert) => alert?.alert_id);

it('sends each alert once: the first separately, the rest counted and listed in a digest', async () => {
  const { path } = await webhook('/flood', { digest_after: 5 });
  const { ids, again } = await raise(40);
  await expect.poll(() => sink.at('/flood').length, SOON).toBe(5);
  const [digest] = await digestsAt(path);
  expect(digest).toMatchObject({
    digest_alerts: 35,
    state: 'pending',
    attempts: 0,
    alert_id: null,
  });
  // A repeated alert of the device is added to no digest.
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: again });
  await sendNow(path, digest.delivery_id);
  await expect.poll(() => sink.at('/flood').length, SOON).toBe(6);
  const last = sink.at('/flood')[5];
  expect(last?.headers['webhook-id']).toBe(`msg_${digest.delivery_id}`);
  expect(last?.body).toMatchObject({
    type: 'alert.digest',
    data: { digest: { count: 35, by_severity: { critical: 1, medium: 34 } } },
  });
  expect(last?.body.data.alerts[0].severity).toBe('critical');
  expect(
    sink
      .at('/flood')
      .flatMap((item) => idsIn(item.body))
      .sort(),
  ).toEqual([...ids].sort());
  await expect
    .poll(async () =>
      (await deliveries(path, '?limit=200'))
        .map((item) => item.state)
        .filter((s) => s !== 'delivered'),
    )
    .toEqual([]);
  const history = await deliveries(path, '?limit=200');
  expect(history.filter((item) => item.digest_id === digest.delivery_id)).toHaveLength(35);
  const part = history.find((item) => item.digest_id !== null);
  const refused = await hub.console('POST', `${path}/deliveries/${part.delivery_id}/retry`, {
    body: {},
  });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'already_delivered']);
});

it('sends a single digest for a flood over two hubs, without a duplicate', async () => {
  const second = await startTestHub(hub.config);
  const { path } = await webhook('/two-hubs', { digest_after: 10 });
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, i) => raise(7, i % 2 ? hub.url : second.url)),
  );
  await expect.poll(() => sink.at('/two-hubs').length, SOON).toBe(10);
  const digests = await digestsAt(path);
  expect(digests.map((digest) => digest.digest_alerts)).toEqual([130]);
  // The job of the digest is due at the end of the minute.
  const { pool } = hub.context.database;
  const id = digests[0].delivery_id;
  await pool.query(
    'UPDATE notification_deliveries SET next_attempt_at = now() WHERE delivery_id = $1',
    [id],
  );
  const moved = await pool.query(
    'UPDATE pgboss.job SET start_after = now() WHERE singleton_key = $1 AND start_after > now()',
    [id],
  );
  expect(moved.rowCount).toBe(1);
  await expect.poll(() => sink.at('/two-hubs').length, SOON).toBe(11);
  expect(
    sink
      .at('/two-hubs')
      .flatMap((item) => idsIn(item.body))
      .sort(),
  ).toEqual(sent.flatMap((item) => item.ids).sort());
  await second.stop();
});

it('retries a failed digest unchanged, and puts later alerts into the next digest', async () => {
  const { path } = await webhook('/again', { digest_after: 1 });
  sink.answer = (response: ServerResponse) => response.writeHead(503).end();
  const first = await raise(4);
  const [digest] = await digestsAt(path);
  await sendNow(path, digest.delivery_id);
  await expect
    .poll(async () => (await digestsAt(path))[0], SOON)
    .toMatchObject({ attempts: 1, last_error: 'answered 503' });
  await raise(3);
  expect((await digestsAt(path)).map((item) => item.digest_alerts).sort()).toEqual([3, 3]);
  sink.answer = (response: ServerResponse) => response.writeHead(204).end();
  await sendNow(path, digest.delivery_id);
  const digestRequests = () =>
    sink.at('/again').filter((item) => item.headers['webhook-id'] === `msg_${digest.delivery_id}`);
  await expect.poll(async () => digestRequests().length, SOON).toBe(2);
  expect(digestRequests()[1]?.raw).toBe(digestRequests()[0]?.raw);
  expect(idsIn(digestRequests()[1]?.body).sort()).toEqual(first.ids.slice(1).sort());
});

it('sends digests to people by default, and to programs only on request', async () => {
  const chat = await create({ kind: 'chat', url: `${sink.url}/chat` });
  const mail = await create({ kind: 'email', to: ['team@example.com'] });
  const each = await create({ kind: 'chat', url: `${sink.url}/each`, digest_after: null });
  const hook = await webhook('/hook');
  const shown = async (path: string) => (await bench.channelAt(path)).digest_after;
  expect(await Promise.all([chat, mail, each, hook].map((route) => shown(route.path)))).toEqual([
    20,
    20,
    null,
    null,
  ]);
  await raise(45);
  await expect.poll(() => sink.at('/hook').length, SOON).toBe(45);
  await expect.poll(() => sink.at('/each').length, SOON).toBe(45);
  for (const { path } of [chat, mail]) {
    const [digest] = await digestsAt(path);
    await sendNow(path, digest.delivery_id);
  }
  await expect.poll(() => sink.at('/chat').length, SOON).toBe(21);
  await expect.poll(() => smtp.mails.length, SOON).toBe(21);
  const digest = sink.at('/chat').find((item) => item.body.text.includes(' alerts: '));
  expect(digest?.body.text).toContain('*25 alerts: 1 critical, 24 medium*');
  expect(digest?.body.text).toContain('and 15 more');
  for (const digest_after of [0, 1_001, 2.5]) {
    const body = { kind: 'chat', name: 'X', url: `${sink.url}/x`, digest_after };
    expect((await hub.console('POST', '/alert-routes', { body })).status).toBe(400);
  }
});
