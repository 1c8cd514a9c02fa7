// The health page shows a running hub and its problems in a single view.
import { randomUUID } from 'node:crypto';
import type { HubHealth } from '@gatewarden/shared/wire/console/hub-health.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine } from '../support/logs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

async function health(as: { tenantId?: string; token?: string } = {}): Promise<HubHealth> {
  const answer = await hub.console('GET', '/hub-health', as);
  expect(answer.status).toBe(200);
  return answer.body.health;
}

it('reports only the unknown backup of a running hub whose jobs and migrations all ran', async () => {
  await expect
    .poll(async () => (await health()).jobs.filter((job) => job.last_completed_at === null))
    .toEqual([]);
  const report = await health();
  expect(report).toMatchObject({ live: true, problems: ['backup_unknown'], last_backup_at: null });
  expect(report.migrations).toMatchObject({ missing: [], unknown: [] });
  expect(report.jobs.map((job) => job.name)).toContain('partitions');
  expect(report.database.version).toMatch(/^\d+/);
});

it('counts waiting, failed and received items of its own tenant only', async () => {
  const node = await aNode(hub, hub.tenantId);
  await node.send('llm-requests', [aRequestLine({})]);
  const { pool } = hub.context.database;
  const delivery = (state: string, age: string) =>
    pool.query(
      `INSERT INTO notification_deliveries
        (tenant_id, delivery_id, channel_id, alert_id, device_id, is_test, state, created_at, last_attempt_at)
       VALUES ($1, $2, $2, $2, $2, false, $3, now() - $4::interval, now())`,
      [hub.tenantId, randomUUID(), state, age],
    );
  await delivery('failed', '1 hour');
  await delivery('pending', '20 minutes');
  const report = await health();
  expect(report).toMatchObject({
    deliveries: { waiting: 1, failed: 1 },
    logs: { llm_requests: 1, tool_calls: 0, latest_llm_request_at: expect.any(String) },
    problems: ['deliveries_failed', 'deliveries_late', 'backup_unknown'],
  });
  const secondTenant = await hub.newTenant('Other');
  expect(
    await health({ tenantId: secondTenant.tenantId, token: secondTenant.adminToken }),
  ).toMatchObject({
    deliveries: { waiting: 0, failed: 0 },
    logs: { llm_requests: 0, latest_llm_request_at: null },
    problems: ['backup_unknown'],
  });
});

it('serves administrators only', async () => {
  for (const role of ['Member', 'Viewer', 'Reviewer'] as const) {
    const token = await hub.tokenFor(role);
    expect((await hub.console('GET', '/hub-health', { token })).status).toBe(403);
  }
});
