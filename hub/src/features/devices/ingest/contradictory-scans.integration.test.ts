// Scans that contradict themselves, batches that name an entity twice, and batches that arrive long after they were
// sent change nothing wrongly.

import { randomUUID } from 'node:crypto';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBatch,
  aDevice,
  anEntity,
  anUnknownProcess,
} from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { shiftTime } from '../../../platform/db/time-shift.ts';
import { pruneBatches as deleteOldBatches } from './scan-store.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
const push = (body: unknown) => deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
const scan = (device: Device, entities: WireEntity[], over: Parameters<typeof aBatch>[2]) =>
  push(aBatch(device, entities, over));
const present = async (device: Device) =>
  (await hub.console('GET', `/devices/${device.device_id}/entities`)).body.items.map(
    (item: { name: string; version: string }) => `${item.name} ${item.version}`,
  );
const cover = (state: string) => ({
  source: 'dpkg',
  owner: null,
  state,
  entities: 1,
  reason: null,
});

describe('batch', () => {
  it('rejects a batch that names an entity twice, and stores nothing', async () => {
    const device = aDevice();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => anEntity(name)) as [
      WireEntity,
      WireEntity,
      WireEntity,
    ];
    await scan(device, [a, b], {});
    for (const entities of [
      [a, a],
      [a, c, a],
      [c, b, b],
      [a, { ...a, version: '9' }],
    ]) {
      const body = aBatch(device, entities, { kind: 'delta' });
      const { status, body: answer } = await push(body);
      expect([status, answer.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.error.message).toContain(`/entities/${entities.length - 1}/entity_id`);
      // Its id is free.
      expect((await push({ ...body, entities: [b] })).status).toBe(202);
    }
    const many = await scan(device, Array(60).fill(a), { kind: 'delta' });
    expect([many.status, many.body.error.code]).toEqual([400, 'batch_too_large']);
    expect(await present(device)).toEqual(['a 1.0', 'b 1.0']);
  });
});

describe('replayed batch', () => {
  it.each([
    ['of entities', (device: Device) => aBatch(device, [anEntity('a')]), 'discovered-apps'],
    [
      'of unknown processes',
      (device: Device) => ({
        batch_id: randomUUID(),
        device,
        processes: [anUnknownProcess('odd')],
      }),
      'unknown-processes',
    ],
  ])('ignores a late replay %s', async (_, make, endpoint) => {
    const device = aDevice({ hostname: 'before' });
    const send = (body: unknown) => deviceCall(hub, 'POST', `/ea/v1/sync/${endpoint}`, { body });
    const first = make(device);
    const accepted = await send(first);
    await send(make({ ...device, hostname: 'renamed' }));
    // A refused batch changes nothing.
    expect((await send({ ...first, device: { ...device, hostname: 'other' } })).status).toBe(409);
    const again = await send(first);
    expect([again.status, again.body.accepted]).toEqual([202, accepted.body.accepted]);
    const { device: shown } = (await hub.console('GET', `/devices/${device.device_id}`)).body;
    expect(shown).toMatchObject({ hostname: 'renamed', duplicate_since: null });
  });
});

describe('contradictory scan', () => {
  it('rejects a batch whose number, kind or count differs from its scan', async () => {
    const device = aDevice();
    const declared = { scan_id: randomUUID(), seq: 5, batches: 3, kind: 'full' as const };
    expect((await scan(device, [anEntity('a')], { ...declared, batch: 0 })).status).toBe(202);
    for (const [field, other] of [
      ['seq', { seq: 6 }],
      ['kind', { kind: 'delta' as const }],
      ['batches', { batches: 2 }],
    ] as const) {
      const { status, body } = await scan(device, [anEntity('b')], {
        ...declared,
        batch: 1,
        ...other,
      });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toContain(`/scan/${field}`);
    }
    expect((await scan(device, [anEntity('b')], { ...declared, batch: 1 })).status).toBe(202);
    await hub.console('POST', `/devices/${device.device_id}/scan`);
    expect((await scan(device, [anEntity('c')], { ...declared, batch: 2 })).status).toBe(202);
    expect(await present(device)).toEqual(['a 1.0', 'b 1.0', 'c 1.0']);
  });

  it('removes nothing from a source that is reported both as read and as unread', async () => {
    const device = aDevice();
    await scan(device, [anEntity('a'), anEntity('b')], { seq: 1 });
    await scan(device, [anEntity('a')], {
      seq: 2,
      coverage: [cover('read'), cover('unreadable'), cover('read')],
    });
    const inTwo = { scan_id: randomUUID(), seq: 3, batches: 2 };
    await scan(device, [anEntity('a')], { ...inTwo, batch: 0, coverage: [cover('timed_out')] });
    await scan(device, [], { ...inTwo, batch: 1, coverage: [cover('read')] });
    expect(await present(device)).toEqual(['a 1.0', 'b 1.0']);
    const { device: shown } = (await hub.console('GET', `/devices/${device.device_id}`)).body;
    expect(JSON.stringify(shown)).toContain('timed_out');
    await scan(device, [anEntity('a')], { seq: 4, coverage: [cover('read')] });
    expect(await present(device)).toEqual(['a 1.0']);
  });

  it('prefers a scan with the number of its predecessor, also over failed sources', async () => {
    const shownOf = async ({ device_id: id }: Device) =>
      (await hub.console('GET', `/devices/${id}`)).body.device.coverage.map(
        (item: { state: string }) => item.state,
      );
    // The first batch gets its number, or the number is refused as that of another machine.
    for (const first of [{}, { seq: 1 }]) {
      const device = aDevice();
      await scan(device, [anEntity('a')], { ...first, coverage: [cover('timed_out')] });
      expect(await shownOf(device)).toEqual(['timed_out']);
      const inTwo = { scan_id: randomUUID(), seq: 1, batches: 2 };
      await scan(device, [anEntity('a')], { ...inTwo, batch: 0, coverage: [cover('read')] });
      expect(await shownOf(device)).toEqual(['read']);
      // Within one scan the worse word stays.
      await scan(device, [], { ...inTwo, batch: 1, coverage: [cover('unreadable')] });
      expect(await shownOf(device)).toEqual(['unreadable']);
      await scan(device, [anEntity('a')], { seq: 1, coverage: [cover('read')] });
      expect(await shownOf(device)).toEqual(['read']);
    }
  });

  it('keeps entities of a late scan that later scans covered only in halves', async () => {
    const owners = ['alice', 'bob'];
    const shared = {
      ...anEntity('shared'),
      instances: owners.map((owner) => ({ owner, path: '/x', version: '1.0' })),
    };
    const scans = [
      { entities: [shared], seq: 1 },
      ...owners.map((owner, i) => ({
        entities: [],
        seq: i + 2,
        coverage: [{ ...cover('read'), owner }],
      })),
    ];
    const both = {
      entities: [],
      seq: 4,
      coverage: owners.map((o) => ({ ...cover('read'), owner: o })),
    };
    for (const order of [scans, scans.toReversed()]) {
      const device = aDevice();
      for (const { entities, ...over } of order) await scan(device, entities, over);
      expect(await present(device)).toEqual(['shared 1.0']);
    }
    const device = aDevice();
    for (const { entities, ...over } of [both, ...scans]) await scan(device, entities, over);
    expect(await present(device)).toEqual([]);
  });

  it('ignores a late scan when the summaries of later scans are pruned', async () => {
    const device = aDevice();
    const k = (version: string) => anEntity('k', { version });
    await scan(device, [k('2')], { seq: 10 });
    await scan(device, [k('2')], { seq: 20 });
    const { db } = hub.context.database;
    await sql`
      UPDATE batches SET received_at = ${shiftTime('received_at', '-8 days')}
      WHERE tenant_id = ${hub.tenantId} AND device_id = ${device.device_id}`.execute(db);
    await deleteOldBatches(db);
    await scan(device, [k('1'), anEntity('ghost')], { seq: 15, kind: 'delta' });
    await scan(device, [anEntity('ghost')], { seq: 16 });
    expect(await present(device)).toEqual(['k 2']);
    // What comes after it counts as ever.
    await scan(device, [k('3')], { seq: 22 });
    await scan(device, [anEntity('late')], { seq: 21, kind: 'delta' });
    expect(await present(device)).toEqual(['k 3']);
  });
});
