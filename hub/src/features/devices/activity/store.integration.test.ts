// Previews read the last days of activity completely, in any time zone of the hub.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { selectRecentProcesses } from './store.ts';

const zone = process.env.TZ;
let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(async () => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  await hub.stop();
});

it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'includes the whole first day in a hub in %s',
  async (tz) => {
    process.env.TZ = tz;
    const { db, pool } = hub.context.database;
    const device = randomUUID();
    const since = new Date('2026-11-08T20:00:00Z');
    expect(since.getHours()).toBe(
      { UTC: 20, 'Pacific/Kiritimati': 10, 'Pacific/Pago_Pago': 9 }[tz],
    );
    await pool.query(
      `INSERT INTO activity (tenant_id, received_on, activity_id, device_id, received_at, decided_at,
       process, process_name_folded, decision, enforced, outcome)
     VALUES ($1, '2026-11-08', $2, $3, '2026-11-08T21:00:00Z', '2026-11-08T21:00:00Z',
       '{"name": "demo"}', 'demo', 'block', true, 'terminated')`,
      [hub.tenantId, randomUUID(), device],
    );
    const asked = { since, meant: null, among: [device] };
    expect(await selectRecentProcesses(db, hub.tenantId, asked, 10)).toHaveLength(1);
  },
);

it('leaves out refusals by protection rules and verdicts that are much older than their report', async () => {
  const { db, pool } = hub.context.database;
  const device = randomUUID();
  const since = new Date('2026-11-08T20:00:00Z');
  for (const [name, decidedAt, outcome] of [
    ['reported', '2026-11-08T20:30:00Z', 'terminated'],
    ['refused', '2026-11-08T20:30:00Z', 'refused'],
    ['late', '2026-11-07T20:30:00Z', 'terminated'],
  ]) {
    await pool.query(
      `INSERT INTO activity (tenant_id, received_on, activity_id, device_id, received_at, decided_at,
         process, process_name_folded, decision, enforced, outcome)
       VALUES ($1, '2026-11-08', $2, $3, '2026-11-08T21:00:00Z', $4, $5, $6, 'block', true, $7)`,
      [hub.tenantId, randomUUID(), device, decidedAt, { name }, name, outcome],
    );
  }
  const asked = { since, meant: null, among: [device] };
  const found = await selectRecentProcesses(db, hub.tenantId, asked, 10);
  expect(found.map((process) => process.process.name)).toEqual(['reported']);
});
