// The metric of devices by state covers all tenants, counts each device once, contains no name, and is cheap to read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillFleet } from '../../../../../test/support/fleet-rows.ts';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

const FLEET = { products: 0, perDevice: 0, events: 0 };
let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

async function scraped(of: TestHub): Promise<Record<string, number>> {
  const text = await (await fetch(`${of.url}/metrics`)).text();
  const found = text.matchAll(/^gatewarden_devices\{state="(\w+)"\} (\d+)$/gm);
  const shown = [...found].map(([, state = '', count]) => [state, Number(count)]);
  expect(text.split('\n').filter((line) => line.startsWith('gatewarden_devices'))).toHaveLength(
    shown.length,
  );
  return Object.fromEntries(shown);
}

test('reports every device in a single state from any hub, with few database queries', async () => {
  const { pool } = hub.context.database;
  const other = await hub.newTenant('Elsewhere');
  await fillFleet(pool, hub.tenantId, { ...FLEET, devices: 100 });
  await fillFleet(pool, other.tenantId, { ...FLEET, devices: 40 });
  // There minute 61 and later is too long ago, and nowhere else.
  await pool.query('UPDATE tenants SET stale_after_hours = 1 WHERE tenant_id = $1', [hub.tenantId]);
  await pool.query(
    `UPDATE devices SET retired_at = now() WHERE tenant_id = $1 AND hostname = 'host-000020'`,
    [other.tenantId],
  );
  // Every twentieth has diverged: 20 and 40 here (60 and more are stale), 40 there (20 is retired).
  const counts = { applied: 57 + 38, applying: 0, diverged: 2 + 1, unknown: 0, stale: 41 };
  expect(await scraped(hub)).toEqual(counts);
  const second = await startTestHub({ ...hub.config, port: 0 });
  try {
    expect(await scraped(second)).toEqual(counts);
  } finally {
    await second.stop();
  }
  await pool.query('DELETE FROM devices WHERE tenant_id = $1', [other.tenantId]);
  expect(await scraped(hub)).toEqual(counts);
});
