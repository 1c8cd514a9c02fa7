// Devices that do not follow are detected over several hub processes, without database statements for devices that do.

import { entityHashHex } from '@gatewarden/shared/digests.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';
import { notify } from '../../../platform/feed/feed.ts';

let hub: TestHub;
/** A second hub process on the same database. */
let twin: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  twin = await startTestHub(hub.config);
});
afterAll(async () => {
  await twin.stop();
  await hub.stop();
});

type Device = ReturnType<typeof aDevice>;
const OTHER = 'a'.repeat(64);
const here = { get: () => hub };
const there = { get: () => ({ ...hub, url: twin.url }) };

async function poll(device: Device, query: Record<string, string> = {}, at = here) {
  const text = new URLSearchParams(query).toString();
  return deviceCall(at.get(), 'GET', `/ea/v1/sync/delta?${text}`, {
    headers: { 'x-device-id': device.device_id },
  });
}
const epochOf = async (device: Device, inventory: string, at = here) =>
  (await poll(device, { inventory }, at)).body.inventory_epoch as string;
async function aScannedDevice() {
  const device = aDevice();
  const entity = anEntity('bash');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, [entity]) });
  return { device, inventory: entityHashHex(entity) };
}
/** Moves a time of the device's row back, and notifies every hub process. */
async function shift(device: Device, column: string, minutes: number) {
  const { db } = hub.context.database;
  const moved = await sql`
    UPDATE devices SET ${sql.ref(column)} = ${shiftTime(column, `-${minutes} minutes`)}
    WHERE tenant_id = ${hub.tenantId} AND device_id = ${device.device_id}
      AND ${sql.ref(column)} IS NOT NULL RETURNING 1`.execute(db);
  expect(moved.rows).toHaveLength(1);
  await notify(db, {
    kind: 'forget',
    cache: 'device',
    keys: [`${hub.tenantId}/${device.device_id}`],
  });
}

describe('device with a different inventory', () => {
  it('starts a new epoch for a lasting difference, once a day over all hub processes', async () => {
    const { device } = await aScannedDevice();
    const first = await epochOf(device, OTHER);
    expect(await epochOf(device, OTHER, there)).toBe(first);
    await shift(device, 'inventory_unequal_since', 31);
    await expect.poll(() => epochOf(device, OTHER, there)).not.toBe(first);
    const second = await epochOf(device, OTHER, there);
    await expect.poll(() => epochOf(device, OTHER)).toBe(second);
    // A day must pass before it is tried again.
    await shift(device, 'inventory_unequal_since', 600);
    await epochOf(device, OTHER);
    expect(await epochOf(device, OTHER, there)).toBe(second);
    await shift(device, 'inventory_doubted_at', 25 * 60);
    await expect.poll(() => epochOf(device, OTHER)).not.toBe(second);
  });

  it('starts no epoch when the inventories agreed in between', async () => {
    const { device, inventory } = await aScannedDevice();
    const first = await epochOf(device, OTHER);
    await epochOf(device, inventory, there);
    const unequalSince = async () => {
      const { rows } = await sql<{ at: Date | null }>`
        SELECT inventory_unequal_since AS at FROM devices WHERE tenant_id = ${hub.tenantId}
          AND device_id = ${device.device_id}`.execute(hub.context.database.db);
      return rows[0]?.at ?? null;
    };
    expect(await unequalSince()).toBeNull();
    // The first process hears a moment later that it was the same, and notes the difference anew.
    await expect
      .poll(async () => {
        await epochOf(device, OTHER);
        return unequalSince();
      })
      .not.toBeNull();
    expect(await epochOf(device, OTHER)).toBe(first);
  });
});

describe('device with different overrides', () => {
  it('resyncs the device once an hour, whichever hub process it polls', async () => {
    const { device } = await aScannedDevice();
    const cursor = (await poll(device)).body.next_cursor as string;
    const diverged = { cursor, applied: OTHER };
    expect((await poll(device, diverged)).status).toBe(410);
    for (const at of [there, here, there]) {
      expect((await poll(device, diverged, at)).status).toBe(200);
    }
    await shift(device, 'governance_reset_at', 61);
    await expect.poll(async () => (await poll(device, diverged, there)).status).toBe(410);
    expect((await poll(device, diverged)).status).toBe(200);
  });
});
