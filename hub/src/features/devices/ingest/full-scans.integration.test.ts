// Batches of full scans arrive in any order: at once in a commit batch, with ids in use, in conflict with their scan,
// at two hubs. A scan ends once all its batches are stored, and a rejected batch leaves nothing behind.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

let hub: TestHub;
let other: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  other = await startTestHub(hub.config);
});
afterAll(async () => {
  await other.stop();
  await hub.stop();
});

type Device = ReturnType<typeof aDevice>;
type Batch = ReturnType<typeof aBatch>;

const push = (body: Batch, to: TestHub = hub) =>
  deviceCall({ ...hub, url: to.url }, 'POST', '/ea/v1/sync/discovered-apps', { body });
const present = async (device: Device): Promise<string[]> =>
  (await hub.console('GET', `/devices/${device.device_id}/entities`)).body.items
    .map((item: { name: string }) => item.name)
    .sort();

/** The device's scans as stored, each with the numbers of its batches that are. */
async function scansOf({ device_id: id }: Device) {
  const { rows } = await sql<{
    scan_id: string;
    batches: number;
    ended: boolean;
    came: number[];
  }>`
    SELECT s.scan_id, s.batches, s.finished_at IS NOT NULL AS ended,
      array(SELECT DISTINCT b.scan_batch FROM batches b WHERE b.tenant_id = s.tenant_id
        AND b.device_id = s.device_id AND b.scan_id = s.scan_id ORDER BY 1) AS came
    FROM scans s WHERE s.device_id = ${id} ORDER BY s.seq`.execute(hub.context.database.db);
  return rows;
}

const NAMES = ['a', 'b', 'c'];

describe('batch id of two simultaneous batches', () => {
  it('accepts the first batch of an id, and continues the scan until the second arrives under its own id', async () => {
    const device = aDevice();
    await push(
      aBatch(
        device,
        ['a', 'b', 'old'].map((name) => anEntity(name)),
        { seq: 1 },
      ),
    );
    const scan = { scan_id: randomUUID(), seq: 2, batches: 2 };
    const parts = [0, 1].map((batch) => {
      const name = NAMES[batch] as string;
      return aBatch(device, [anEntity(name)], { ...scan, batch });
    }) as [Batch, Batch];
    const at = parts.map((part) => ({ ...part, batch_id: parts[0].batch_id }));
    const answers = await Promise.all(at.map((part) => push(part)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409]);
    expect(await present(device)).toEqual(['a', 'b', 'old']);
    const missing = parts[answers[0]?.status === 202 ? 1 : 0] as Batch;
    expect((await push({ ...missing, batch_id: randomUUID() })).status).toBe(202);
    expect(await present(device)).toEqual(['a', 'b']);
  });

  it('starts no scan for a rejected batch', async () => {
    const device = aDevice();
    await push(aBatch(device, [anEntity('a')], { seq: 1 }));
    const first = aBatch(device, [anEntity('a')], { seq: 2, batches: 2 });
    const second = aBatch(device, [anEntity('b')], { seq: 900, batches: 3 });
    const answers = await Promise.all([push(first), push({ ...second, batch_id: first.batch_id })]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 409]);
    expect(await scansOf(device)).toHaveLength(2);
    // Of the scan that was refused nothing is known, also not how many batches it has.
    const kept = answers[0]?.status === 202 ? second : first;
    const { scan } = kept;
    const again = { ...kept, batch_id: randomUUID(), scan: { ...scan, batches: 1 } };
    expect((await push(again)).status).toBe(202);
  });
});

describe('full scans of several batches', () => {
  /** Which batch of which scan, under which id of that scan, and whether it contradicts it. */
  const sent = fc.record({
    scan: fc.constantFrom(0, 1),
    batch: fc.constantFrom(0, 1, 2),
    id: fc.constantFrom(0, 1, 2, 3),
    contradicts: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    toOther: fc.boolean(),
  });

  it('end once all batches are stored, and then remove unnamed entities', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent, { minLength: 3, maxLength: 24 }),
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 24, maxLength: 24 }),
        async (all, sizes) => {
          const device = aDevice();
          const old = aBatch(device, [anEntity('old')], { seq: 1 });
          expect((await push(old)).status).toBe(202);
          const scans = [0, 1].map(() => ({ scan_id: randomUUID(), batches: 3 }));
          const ids = [0, 1, 2, 3].map(() => randomUUID());
          const waiting = [...all];
          const stored = [new Set<number>(), new Set<number>()];
          for (const size of sizes) {
            const together = waiting.splice(0, size);
            const answers = await Promise.all(
              together.map((item) =>
                push(
                  {
                    ...aBatch(device, [anEntity(`${NAMES[item.batch]}${item.scan}`)], {
                      ...(scans[item.scan] as { scan_id: string; batches: number }),
                      seq: item.scan + 2,
                      batch: item.batch,
                      kind: item.contradicts ? 'delta' : 'full',
                    }),
                    batch_id: ids[item.id] as string,
                  },
                  item.toOther ? other : hub,
                ),
              ),
            );
            for (const [i, { status }] of answers.entries()) {
              expect([202, 400, 409]).toContain(status);
              const item = together[i];
              if (status !== 202 || item === undefined || item.contradicts) continue;
              stored[item.scan]?.add(item.batch);
            }
          }
          const rows = await scansOf(device);
          for (const [i, scan] of scans.entries()) {
            const row = rows.find((record) => record.scan_id === scan.scan_id);
            const isFull = (stored[i]?.size ?? 0) > 0;
            if (!isFull) continue;
            expect(row?.came).toEqual([...(stored[i] ?? [])].sort());
            expect(row?.ended).toBe(stored[i]?.size === 3);
          }
          // Every stored scan was opened by a batch.
          expect(rows.filter((row) => row.came.length === 0)).toEqual([]);
          // A scan whose first batch declared a delta removes nothing, even if it is complete.
          const ended = stored.some((row) => row.size === 3);
          const isDelta = rows.some((row) => row.ended && row.came.length < row.batches);
          if (!isDelta) expect((await present(device)).includes('old')).toBe(!ended);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('failing statement of a commit batch', () => {
  it.each([
    ['entities', "name = 'poison'"],
    ['batches', 'scan_seq = 666'],
    ['scans', 'seq = 666'],
    ['coverage', "reason = 'poison'"],
    ['products', "name = 'poison'"],
    ['product_versions', "version = 'poison'"],
    ['devices', "hostname = 'poison'"],
  ])('rolls back only the failing batch on an error in %s', async (table, when) => {
    const { db } = hub.context.database;
    // A constraint, for a distributed table has no triggers.
    const poisoned = sql.table(table);
    await sql`
      ALTER TABLE ${poisoned} ADD CONSTRAINT poisoned CHECK (NOT (${sql.raw(when)})) NOT VALID`.execute(
      db,
    );
    try {
      const known = aDevice();
      await push(aBatch(known, [anEntity('stays')], { seq: 1 }));
      const before = await scansOf(known);
      const poison = aBatch(
        { ...known, hostname: 'poison' },
        [anEntity('poison', { version: 'poison' })],
        {
          seq: 666,
          coverage: [{ source: 'dpkg', owner: null, state: 'read', entities: 1, reason: 'poison' }],
        },
      );
      const others = [aDevice(), aDevice(), aDevice()];
      const fine = others.map((row) => aBatch(row, [anEntity('fine')], { seq: 1 }));
      const answers = await Promise.all(
        [fine[0], poison, fine[1], fine[2]].map((item) => push(item as Batch)),
      );
      expect(answers.map((answer) => answer.status)).toEqual([202, 500, 202, 202]);
      expect(await present(known)).toEqual(['stays']);
      expect(await scansOf(known)).toEqual(before);
      for (const row of others) expect(await present(row)).toEqual(['fine']);
    } finally {
      await sql`ALTER TABLE ${poisoned} DROP CONSTRAINT poisoned`.execute(db);
    }
  });
});
