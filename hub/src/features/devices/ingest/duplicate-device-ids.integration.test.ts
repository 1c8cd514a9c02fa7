// Two machines share a device id, name and platform without a token: the hub detects them, and does not mistake a
// single machine for two.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
type Scan = Parameters<typeof aBatch>[2] & object;

const BEGIN = Date.parse('2026-11-20T10:00:00Z');
/** Half an hour after the other, by the clock of the machine. */
const at = (turn: number) => new Date(BEGIN + turn * 1_800_000).toISOString();

const post = async (body: unknown, on: TestHub = hub) => {
  const { status } = await deviceCall(on, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(status).toBe(202);
};
const scan = (device: Device, over: Scan, name = 'a') =>
  post(aBatch(device, [anEntity(name)], over));
/** Scans with these numbers, each begun and come after the one before. */
async function inTurn(device: Device, numbers: (number | undefined)[], from = 0): Promise<void> {
  for (const [i, seq] of numbers.entries()) {
    const numbered = seq === undefined ? {} : { seq };
    await scan(device, { ...numbered, started_at: at(from + i) });
  }
}
const shown = async ({ device_id: id }: Device) =>
  (await hub.console('GET', `/devices/${id}`)).body.device;
const isTwo = async (device: Device): Promise<boolean> =>
  (await shown(device)).duplicate_since !== null;

describe('two machines with the same id', () => {
  it.each([
    ['with the same image and scan number', [7, 7, 8], 8],
    ['with an older and a newer image', [900, 20, 901], 21],
    ['of which the second has counted further', [20, 900, 21, 901], 22],
    ['with unequal numbers of scans', [900, 20, 21, 22, 901, 902], 23],
  ])('detects two machines %s', async (_, before, last) => {
    const device = aDevice();
    await inTurn(device, before);
    expect(await isTwo(device)).toBe(false);
    await inTurn(device, [last], before.length);
    expect(await isTwo(device)).toBe(true);
    const listed = await hub.console('GET', '/devices?state=duplicate&limit=200');
    expect(listed.body.items.map((item: Device) => item.device_id)).toContain(device.device_id);
  });

  it('detects two machines that share a device token of the image', async () => {
    const device = aDevice();
    const body = { device, subscriber_id: 'alice' };
    const { device_token } = (await deviceCall(hub, 'POST', '/ea/v1/enroll', { body })).body;
    for (const [turn, seq] of [7, 7, 8, 8].entries()) {
      await post(aBatch(device, [anEntity('a')], { seq, started_at: at(turn) }), {
        ...hub,
        agentToken: device_token,
      });
    }
    expect(await isTwo(device)).toBe(true);
  });

  it('detects two machines although new epochs start between their scans', async () => {
    const device = aDevice();
    for (const [turn, seq] of [900, 20, 901, 21, 902, 22].entries()) {
      await scan(device, { seq, started_at: at(turn) });
      if (turn === 1 || turn === 3) await hub.console('POST', `/devices/${device.device_id}/scan`);
    }
    expect(await isTwo(device)).toBe(true);
  });

  it('detects two machines whose reports arrive all at once', async () => {
    const device = aDevice();
    await scan(device, { seq: 900, started_at: at(0) });
    for (const [turn, seq] of [20, 901].entries()) {
      await scan(device, { seq, started_at: at(turn + 1) });
    }
    await Promise.all(
      [21, 902].map((seq, i) => scan(device, { seq, started_at: at(3 + i), kind: 'delta' })),
    );
    await scan(device, { seq: 22, started_at: at(6) });
    expect(await isTwo(device)).toBe(true);
  });

  it('detects two machines again when they continue after a person resolved the conflict', async () => {
    const device = aDevice();
    await inTurn(device, [7, 7, 8, 8]);
    const solve = () =>
      hub.console('POST', `/devices/${device.device_id}/duplicate-solved`, { body: {} });
    const epoch = async () => {
      const { rows } = await hub.context.database.pool.query(
        'SELECT inventory_epoch FROM devices WHERE tenant_id = $1 AND device_id = $2',
        [hub.tenantId, device.device_id],
      );
      return rows[0].inventory_epoch;
    };
    const before = await epoch();
    expect((await solve()).status).toBe(200);
    expect(await isTwo(device)).toBe(false);
    // The one that stays may be the one that has counted less.
    expect(await epoch()).toBe(before + 1);
    // What was heard before counts no more.
    await inTurn(device, [9, 9], 4);
    expect(await isTwo(device)).toBe(false);
    await inTurn(device, [10, 10], 6);
    expect(await isTwo(device)).toBe(true);
    await solve();
    // Only the one that has counted less goes on.
    await inTurn(device, [4, 5, 6, 7, 8, 9, 10, 11, 12], 8);
    expect(await isTwo(device)).toBe(false);
  });

  it('forgets a conflict with a retired device, and detects it after the return', async () => {
    const device = aDevice();
    await inTurn(device, [7, 7, 8]);
    const path = `/devices/${device.device_id}`;
    await hub.console('DELETE', path);
    await hub.console('POST', `${path}/admit`);
    await inTurn(device, [8], 3);
    expect(await isTwo(device)).toBe(false);
    await inTurn(device, [9, 9, 10, 10], 4);
    expect(await isTwo(device)).toBe(true);
  });

  it('ignores a second machine that stays silent for two days', async () => {
    const device = aDevice();
    await inTurn(device, [900, 20, 901]);
    await sql`
      UPDATE devices SET lower_scan_at = ${shiftTime('lower_scan_at', '-49 hours')}
      WHERE tenant_id = ${hub.tenantId} AND device_id = ${device.device_id}`.execute(
      hub.context.database.db,
    );
    await inTurn(device, [21], 3);
    expect(await isTwo(device)).toBe(false);
    await inTurn(device, [902, 22], 4);
    expect(await isTwo(device)).toBe(true);
  });

  it('detects two machines across two hub processes', async () => {
    const other = await startTestHub(hub.config);
    try {
      const device = aDevice();
      for (const [turn, seq] of [900, 20, 901, 21].entries()) {
        const body = aBatch(device, [anEntity('a')], { seq, started_at: at(turn) });
        await post(body, turn % 2 === 0 ? hub : { ...hub, url: other.url });
      }
      expect(await isTwo(device)).toBe(true);
    } finally {
      await other.stop();
    }
  });
});

describe('single machine', () => {
  it.each([
    ['that lost its store and restarts its scan numbers', [900, 901, 1, 2, 3, 4]],
    ['that lost its store and counts on past what it had', [3, 4, 1, 2, 3, 4, 5, 6, 7]],
    ['that begins anew at a number above', [3, 4, 1_700_000_001, 1_700_000_002]],
    ['that is put back from a snapshot', [10, 11, 12, 11, 12, 13, 14]],
    [
      'that is put back to the same snapshot daily',
      [10, 11, 12, 10, 11, 12, 13, 10, 11, 10, 11, 12, 13],
    ],
    ['of which scans were lost after it was put back', [10, 11, 12, 10, 15, 17, 20]],
    ['that gives its scans no numbers', [undefined, undefined, undefined, undefined]],
    ['that gives numbers to some', [5, undefined, 5, undefined, 6, undefined, 7, 8]],
  ])('reports no conflict for a machine %s', async (_, numbers) => {
    const device = aDevice();
    await inTurn(device, numbers);
    expect(await isTwo(device)).toBe(false);
  });

  it('reports no conflict when scans arrive late, unordered and repeated', async () => {
    const device = aDevice();
    const made = [10, 11, 12, 13, 14, 15].map((seq, turn) =>
      aBatch(device, [anEntity('a')], { seq, started_at: at(turn), kind: 'delta' }),
    );
    for (const i of [2, 0, 4, 1, 5, 3, 0, 5, 1]) await post(made[i]);
    expect(await isTwo(device)).toBe(false);
  });

  it('reports no conflict when the clock jumps', async () => {
    const device = aDevice();
    for (const [i, turn] of [0, 1, 900, 901, 2, 3, 1, 4, -700, 5].entries()) {
      await scan(device, { seq: 10 + i, started_at: at(turn) });
    }
    expect(await isTwo(device)).toBe(false);
  });

  it('reports no conflict when a scan is planned anew after a partial rejection', async () => {
    const device = aDevice();
    // The refused plan and its successors are of one look, so they began at one moment.
    const plans = [10, 11, 12].map((seq) =>
      aBatch(device, [anEntity('a')], { seq, started_at: at(0), kind: 'delta' }),
    );
    for (const i of [1, 0, 2]) await post(plans[i]);
    await scan(device, { seq: 11, started_at: at(0), scan_id: randomUUID() });
    expect(await isTwo(device)).toBe(false);
  });

  it('reports no conflict when batches of two scans overlap', async () => {
    const device = aDevice();
    const two = [20, 21].map((seq, turn) => ({
      scan_id: randomUUID(),
      seq,
      started_at: at(turn),
      batches: 2,
    }));
    for (const batch of [0, 1]) {
      for (const of of two.toReversed()) await scan(device, { ...of, batch }, `a${batch}`);
    }
    expect(await isTwo(device)).toBe(false);
  });
});
