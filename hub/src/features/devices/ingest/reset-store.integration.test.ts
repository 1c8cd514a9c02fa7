// A device whose store was lost restarts its scan numbers: its reports count from the next epoch on.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
type Scan = Parameters<typeof aBatch>[2];

async function scan(device: Device, names: string[], over: Scan) {
  const entities = names.map((name) => anEntity(name));
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, entities, over),
  });
  expect(answer.status).toBe(202);
  return answer.body;
}
const present = async (device: Device) =>
  (await hub.console('GET', `/devices/${device.device_id}/entities`)).body.items.map(
    (item: { name: string }) => item.name,
  );

describe('device with restarted scan numbers', () => {
  it('counts reports after "scan now", deltas included, and ignores earlier late scans', async () => {
    const device = aDevice();
    const late = { scan_id: randomUUID(), seq: 99, kind: 'full' as const, batches: 2 };
    await scan(device, ['old-part'], { ...late, batch: 0 });
    await scan(device, ['a', 'b'], { seq: 100 });
    await scan(device, ['c'], { seq: 1 });
    expect(await present(device)).toEqual(['a', 'b']);
    await hub.console('POST', `/devices/${device.device_id}/scan`);
    await scan(device, ['b', 'c'], { seq: 2 });
    expect(await present(device)).toEqual(['b', 'c']);
    await scan(device, ['d'], { seq: 3, kind: 'delta' });
    expect(await present(device)).toEqual(['b', 'c', 'd']);
    // Of a scan that began before: its number is the one it began with.
    await scan(device, ['a'], { ...late, batch: 1 });
    expect(await present(device)).toEqual(['b', 'c', 'd']);
    // Its own order still counts.
    await scan(device, ['e'], { seq: 1, kind: 'delta' });
    await scan(device, ['b'], { seq: 2 });
    expect(await present(device)).toContain('d');
  });

  it('keeps the scan order of a device that kept its store', async () => {
    const device = aDevice();
    await scan(device, ['a'], { seq: 10 });
    await hub.console('POST', `/devices/${device.device_id}/scan`);
    await scan(device, ['b'], { seq: 12 });
    await scan(device, ['a', 'z'], { seq: 11 });
    expect(await present(device)).toEqual(['b']);
  });

  it('accepts the highest possible numbers', async () => {
    const device = aDevice();
    await scan(device, ['a'], { seq: Number.MAX_SAFE_INTEGER });
    for (const name of ['b', 'c']) {
      await hub.console('POST', `/devices/${device.device_id}/scan`);
      await scan(device, [name], { seq: Number.MAX_SAFE_INTEGER });
      expect(await present(device)).toEqual([name]);
    }
  });

  it('counts reports after the device was readmitted', async () => {
    const device = aDevice();
    await scan(device, ['a'], { seq: 50 });
    await hub.console('DELETE', `/devices/${device.device_id}`);
    await hub.console('POST', `/devices/${device.device_id}/admit`);
    await scan(device, ['b'], { seq: 1 });
    expect(await present(device)).toEqual(['b']);
    const { rows } = await sql<{ n: number }>`
      SELECT inventory_epoch AS n FROM devices WHERE tenant_id = ${hub.tenantId}
        AND device_id = ${device.device_id}`.execute(hub.context.database.db);
    expect(rows[0]?.n).toBe(2);
  });
});
