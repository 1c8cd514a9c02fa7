// Daily partitions are created and dropped correctly, whatever the clock of a hub shows and wherever rows were stored
// meanwhile.

import { activityRetention } from '@gatewarden/hub/src/app/routes.ts';
import { maintainPartitions } from '@gatewarden/hub/src/platform/db/partitions.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aDevice, anAlert } from '../support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../support/logs.ts';

const DAY_MS = 86_400_000;

let hub: TestHub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => {
  vi.useRealTimers();
  return hub.stop();
});

async function raise(): Promise<void> {
  const body = { device: aDevice(), alerts: [anAlert()] };
  expect((await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body })).status).toBe(202);
}
const alerts = async () => (await hub.console('GET', '/alerts')).body.items.length;

it("drops no partition of other hubs when a hub's clock is years ahead", async () => {
  await raise();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 730 * DAY_MS });
  const astray = await startTestHub(hub.config);
  await astray.stop();
  vi.useRealTimers();
  expect(await alerts()).toBe(1);
});

it('starts a hub although alerts arrived on a day without a partition, and expires them with the others', async () => {
  const { db, pool } = hub.context.database;
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  await pool.query(`DROP TABLE alerts_p${today}`);
  await raise();
  const next = await startTestHub(hub.config);
  await next.stop();
  await raise();
  expect(await alerts()).toBe(2);
  await maintainPartitions(db, activityRetention, new Date(Date.now() + 730 * DAY_MS));
  expect(await alerts()).toBe(0);
});

it('stores rows of a day without a partition, and creates it once for any number of rows', async () => {
  const { pool } = hub.context.database;
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  for (const table of ['llm_requests', 'mcp_tool_calls']) {
    await pool.query(`DROP TABLE ${table}_p${today}`);
  }
  const node = await aNode(hub, hub.tenantId);
  const at = new Date().toISOString();
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () =>
      node.send('llm-requests', [aRequestLine({ timestamp: at })]),
    ),
    ...Array.from({ length: 6 }, () =>
      node.send('mcp-tool-calls', [aToolCallLine({ started_at: at })]),
    ),
  ]);
  expect(answers.map((item) => [item.status, item.body.accepted])).toEqual(
    answers.map(() => [202, 1]),
  );
  for (const table of ['llm_requests', 'mcp_tool_calls']) {
    const { rows } = await pool.query(`SELECT count(*)::int AS n FROM ${table}_p${today}`);
    expect(rows).toEqual([{ n: 6 }]);
  }
});
