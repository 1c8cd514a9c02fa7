// Daily partitions follow the clock: rows around midnight are stored, expired days are dropped together with their ids.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine, aToolCallLine } from '../../../../../test/support/logs.ts';
import { rows } from '../../../platform/db/database.ts';
import { maintainLogs } from './index.ts';

const DAY = 86_400_000;
let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const db = () => hub.context.database.db;
async function partitions(): Promise<string[]> {
  const found = await rows(
    db(),
    sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'llm_requests'::regclass ORDER BY 1`,
  );
  return found.map(({ name }) => name);
}
async function ids(): Promise<string[]> {
  const found = await rows(db(), sql<{ id: string }>`SELECT request_id AS id FROM llm_requests`);
  return found.map(({ id }) => id).sort();
}
const dayName = (at: number) =>
  `llm_requests_p${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`;

it('rolls over at midnight, and drops whole days past 15', async () => {
  const node = await aNode(hub, hub.tenantId);
  const midnight = Date.now() - (Date.now() % DAY);
  const at = (ms: number) => new Date(midnight + ms).toISOString();
  const lines = [
    aRequestLine({ id: 'before', timestamp: at(-1) }),
    aRequestLine({ id: 'at', timestamp: at(0) }),
    aRequestLine({ id: 'old', timestamp: at(-13 * DAY) }),
    aRequestLine({ id: 'ahead', timestamp: new Date(Date.now() + DAY / 2).toISOString() }),
  ];
  expect((await node.send('llm-requests', lines)).body.accepted).toBe(4);
  await node.send('mcp-tool-calls', [aToolCallLine({ started_at: at(-1) })]);
  expect(await partitions()).toContain(dayName(Date.now() + 7 * DAY));
  // Two hubs at once, after a week without any.
  const later = new Date(midnight + 7 * DAY);
  await Promise.all([maintainLogs(db(), later), maintainLogs(db(), later)]);
  expect(await partitions()).toContain(dayName(later.getTime() + 7 * DAY));
  expect(await partitions()).not.toContain(dayName(midnight - 13 * DAY));
  expect(await ids()).toEqual(['ahead', 'at', 'before']);
  const [left] = await rows(db(), sql<{ n: number }>`SELECT count(*) AS n FROM llm_request_ids`);
  expect(left?.n).toBe(3);
  // The last day within the retention is complete.
  await maintainLogs(db(), new Date(midnight + 15 * DAY));
  expect(await ids()).toEqual(['ahead', 'at', 'before']);
  await maintainLogs(db(), new Date(midnight + 16 * DAY));
  expect(await ids()).toEqual(['ahead', 'at']);
  await maintainLogs(db(), new Date(midnight + 18 * DAY));
  expect(await ids()).toEqual([]);
});

it('deletes rows of a tenant with a shorter retention earlier, and of no other tenant', async () => {
  await maintainLogs(db(), new Date());
  const other = await hub.newTenant('Keeps all');
  const settings = await hub.console('GET', '/log-settings');
  const long = new Date(Date.now() - 3 * DAY).toISOString();
  for (const tenantId of [hub.tenantId, other.tenantId]) {
    const node = await aNode(hub, tenantId);
    await node.send('llm-requests', [aRequestLine({ id: `of ${tenantId}`, timestamp: long })]);
  }
  await hub.console('PUT', '/log-settings', {
    body: { store_payloads: true, retention_days: 2 },
    headers: { 'if-match': settings.body.settings.version },
  });
  await maintainLogs(db(), new Date());
  expect(await ids()).toEqual([`of ${other.tenantId}`]);
});
