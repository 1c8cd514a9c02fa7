// The delivery queue serves all channels: a slow target delays no other channel, a lost job loses no delivery, and old
// history is deleted.

import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChannelBench,
  openChannelBench,
  SOON,
} from '../../../../../test/support/channel-bench.ts';
import { startTestHub } from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';

let { hub, sink, webhook, raise, deliveries, becomes } = {} as ChannelBench;
let bench: ChannelBench;
beforeAll(async () => {
  bench = await openChannelBench();
  ({ hub, sink, webhook, raise, deliveries, becomes } = bench);
});
afterEach(() => bench.reset());
afterAll(() => bench?.close());

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

it('sends a delivery whose job was lost', async () => {
  const { path, id } = await webhook('/lost');
  sink.answer = status(503, { 'retry-after': '3600' });
  await raise();
  await becomes(path, { attempts: 1, last_error: 'answered 503' });
  sink.answer = status(204);
  const { pool } = hub.context.database;
  await pool.query(
    "DELETE FROM pgboss.job WHERE name = 'notification-deliveries' AND state = 'created'",
  );
  await pool.query(
    "UPDATE notification_deliveries SET next_attempt_at = now() - interval '1 minute' WHERE channel_id = $1",
    [id],
  );
  // A starting hub runs each of its jobs once.
  const second = await startTestHub(hub.config);
  await becomes(path, { state: 'delivered', attempts: 2 });
  await second.stop();
});

describe('target that never answers', () => {
  it('delays no other channel, and uses a few concurrent attempts at most', async () => {
    const hanging: ServerResponse[] = [];
    sink.answer = (response, path) => {
      if (path === '/silent') hanging.push(response);
      else response.writeHead(204).end();
    };
    const silent = await webhook('/silent');
    for (let sent = 0; sent < 20; sent++) await raise();
    await expect.poll(() => hanging.length, SOON).toBe(4);
    const quick = await webhook('/quick');
    for (let sent = 0; sent < 10; sent++) await raise();
    await expect.poll(() => sink.at('/quick').length, SOON).toBe(10);
    await expect
      .poll(async () => (await deliveries(quick.path)).map((item: { state: string }) => item.state))
      .toEqual(Array(10).fill('delivered'));
    expect(hanging).toHaveLength(4);
    const waiting = await deliveries(silent.path);
    expect(waiting.map((item: { state: string }) => item.state)).toEqual(Array(30).fill('pending'));
    sink.answer = status(204);
    for (const response of hanging) response.writeHead(204).end();
    await expect
      .poll(
        async () =>
          (await hub.console('GET', `${silent.path}/deliveries?state=delivered`)).body.items.length,
        SOON,
      )
      .toBe(30);
    expect(sink.at('/silent')).toHaveLength(30);
  });
});

it('pages through the history, and deletes old deliveries', async () => {
  const { path, id } = await webhook('/history');
  for (let sent = 0; sent < 3; sent++) await raise();
  await expect.poll(() => sink.at('/history').length, SOON).toBe(3);
  const first = await hub.console('GET', `${path}/deliveries?limit=2`);
  expect(first.body.items).toHaveLength(2);
  const rest = await hub.console(
    'GET',
    `${path}/deliveries?limit=2&cursor=${first.body.next_cursor}`,
  );
  expect(rest.body).toMatchObject({ next_cursor: null, request_id: expect.any(String) });
  const ids = [...first.body.items, ...rest.body.items].map((item) => item.delivery_id);
  expect(new Set(ids).size).toBe(3);
  await expect
    .poll(
      async () =>
        (await hub.console('GET', `${path}/deliveries?state=delivered`)).body.items.length,
      SOON,
    )
    .toBe(3);

  await sql`
    UPDATE notification_deliveries SET created_at = ${shiftTime('created_at', '-31 days')}
    WHERE delivery_id = ${ids[0]}`.execute(hub.context.database.db);
  const second = await startTestHub(hub.config);
  // A starting hub runs each of its jobs once.
  await expect.poll(async () => (await deliveries(path)).length, { timeout: 30_000 }).toBe(2);
  await second.stop();
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toMatch(
    /gatewarden_alert_deliveries_total\{kind="webhook",outcome="delivered"\} \d/,
  );
  expect(metrics).not.toContain(id);
});
