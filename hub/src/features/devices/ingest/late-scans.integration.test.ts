// Full and delta scans of several users arrive in any order, repeated, alone or together: inventory and coverage end as
// after the order of the scans.
import { randomUUID } from 'node:crypto';
import { EMPTY_INVENTORY, xorHash } from '@gatewarden/shared/digests.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

type Device = ReturnType<typeof aDevice>;
type Batch = ReturnType<typeof aBatch>;

const push = async (body: Batch) => {
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
  expect(answer.status).toBe(202);
};

async function stateOf({ device_id: id }: Device) {
  const { items } = (await hub.console('GET', `/devices/${id}/entities`)).body;
  const { device } = (await hub.console('GET', `/devices/${id}`)).body;
  return {
    entities: items.map((item: object) => ({ ...item, first_seen_at: null, last_seen_at: null })),
    count: device.entity_count,
    hash: await hashOf(id),
    coverage: device.coverage.map((item: object) => ({ ...item, at: null })),
  };
}

/** As the device's row has it; it is that of its entities. */
async function hashOf(deviceId: string): Promise<string | undefined> {
  const { db } = hub.context.database;
  const rows = await sql<{ content_hash: Buffer }>`
    SELECT content_hash FROM entities
    WHERE device_id = ${deviceId} AND removed_at IS NULL`.execute(db);
  const device = await sql<{ inventory_hash: Buffer }>`
    SELECT inventory_hash FROM devices WHERE device_id = ${deviceId}`.execute(db);
  const hashes = rows.rows.map((row) => row.content_hash);
  const kept = device.rows[0]?.inventory_hash.toString('hex');
  expect(kept).toBe(hashes.reduce(xorHash, EMPTY_INVENTORY).toString('hex'));
  return kept;
}

/** Returns the stored counts of products and versions, and the counts of the rows. */
async function countsOf(tenantId: string) {
  const { db } = hub.context.database;
  const kept = await sql`
    SELECT encode(entity_id, 'hex') AS id, version, device_count AS n FROM product_versions
    WHERE tenant_id = ${tenantId} UNION ALL
    SELECT encode(entity_id, 'hex'), NULL, device_count FROM products
    WHERE tenant_id = ${tenantId} AND device_count <> 0 ORDER BY 1, 2`.execute(db);
  const counted = await sql`
    SELECT encode(entity_id, 'hex') AS id, coalesce(version, '') AS version, count(*)::int AS n
    FROM entities WHERE tenant_id = ${tenantId} AND removed_at IS NULL GROUP BY 1, 2 UNION ALL
    SELECT encode(entity_id, 'hex'), NULL, count(*)::int
    FROM entities WHERE tenant_id = ${tenantId} AND removed_at IS NULL GROUP BY 1
    ORDER BY 1, 2`.execute(db);
  return { kept: kept.rows, counted: counted.rows };
}

const SOURCES = ['dpkg', 'chrome'];
const OWNERS = [null, 'alice', 'bob'];
const sourceOf = (name: string) => (name < 'c' ? 'dpkg' : 'chrome');

const entity = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  version: fc.constantFrom('1', '2'),
  owners: fc.subarray(OWNERS),
  isRemoved: fc.boolean(),
});
const scan = fc.record({
  isFull: fc.boolean(),
  entities: fc.uniqueArray(entity, { selector: (item) => item.name, maxLength: 4 }),
  isInTwo: fc.boolean(),
  coverage: fc.option(
    fc.array(
      fc.record({
        source: fc.constantFrom(...SOURCES),
        owner: fc.constantFrom(...OWNERS),
        state: fc.constantFrom('read', 'absent', 'unreadable'),
      }),
      { maxLength: 5 },
    ),
  ),
});
type Scan = typeof scan extends fc.Arbitrary<infer S> ? S : never;

function asSent(item: Scan['entities'][number], isFull: boolean): WireEntity {
  const { name, version, owners } = item;
  const { entity_id, kind } = anEntity(name);
  const source = sourceOf(name);
  if (item.isRemoved && !isFull) return { entity_id, kind, source, name, removed: true };
  const instances = owners.map((owner) => ({ owner, path: '/there', version }));
  return anEntity(name, { source, version, instances });
}

function batchesOf(device: Device, scans: readonly Scan[]): Batch[] {
  return scans.flatMap(({ isFull, entities, isInTwo, coverage }, i) => {
    const sent = entities.map((item) => asSent(item, isFull));
    const parts = isInTwo && sent.length > 1 ? [sent.slice(0, 1), sent.slice(1)] : [sent];
    const declared = coverage ?? (isFull || sent.length > 0 ? null : []);
    const id = randomUUID();
    return parts.map((part, batch) =>
      aBatch(device, part, {
        scan_id: id,
        seq: i + 1,
        kind: isFull ? 'full' : 'delta',
        batch,
        batches: parts.length,
        ...(declared === null || batch < parts.length - 1
          ? {}
          : { coverage: declared.map((item) => ({ ...item, entities: i, reason: null })) }),
      }),
    );
  });
}

describe('scans in any order', () => {
  it('end with the inventory and coverage of their own order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(scan, { minLength: 2, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        async (scans, order, atOnce) => {
          const [inOrder, shuffled] = [aDevice(), aDevice()];
          for (const batch of batchesOf(inOrder, scans)) await push(batch);
          const batches = batchesOf(shuffled, scans);
          const sent = [...batches, ...batches]
            .map((batch) => ({ batch, at: order.next().value }))
            .sort((a, b) => a.at - b.at);
          while (sent.length > 0) {
            const together = sent.splice(0, atOnce.next().value);
            await Promise.all(together.map(({ batch }) => push(batch)));
          }
          expect(await stateOf(shuffled)).toEqual(await stateOf(inOrder));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
    const { kept, counted } = await countsOf(hub.tenantId);
    expect(kept).toEqual(counted);
  });

  const shared = (owners: (string | null)[], version = '1') =>
    anEntity('shared', { version, instances: owners.map((owner) => ({ owner, path: '/there' })) });
  const read = (...owners: (string | null)[]) => ({
    coverage: owners.map((owner) => ({
      source: 'dpkg',
      owner,
      state: 'read',
      entities: 1,
      reason: null,
    })),
  });
  const state = async (device: Device) => (await stateOf(device)).entities.length;

  it('remove an entity that a late scan moved to a location of a later scan', async () => {
    const device = aDevice();
    await push(aBatch(device, [shared(['bob'])], { seq: 1, ...read('bob') }));
    await push(aBatch(device, [], { seq: 3, ...read('alice') }));
    expect(await state(device)).toBe(1);
    await push(aBatch(device, [shared(['alice'])], { seq: 2, kind: 'delta' }));
    expect(await state(device)).toBe(0);
  });

  it('keep an entity that a late scan moved to a location outside of the later scan', async () => {
    const device = aDevice();
    await push(aBatch(device, [shared(['bob'])], { seq: 1, ...read('bob') }));
    await push(aBatch(device, [], { seq: 3, ...read('bob') }));
    expect(await state(device)).toBe(0);
    await push(aBatch(device, [shared(['alice'])], { seq: 2, kind: 'delta' }));
    expect(await state(device)).toBe(1);
  });
});
