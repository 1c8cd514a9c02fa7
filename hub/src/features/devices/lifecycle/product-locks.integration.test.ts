// Devices are retired and erased while others are scanned or moved: all transactions lock shared rows in the same
// order.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

// What waits for a lock waits on a worker there, where this does not look.
const { isCitus } = inject('postgres');
if (isCitus) console.warn('skipped: a lock on a worker is not seen from the coordinator');

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const entities = Array.from({ length: 40 }, (_, i) => anEntity(`held-${i}`)).sort((a, b) =>
  a.entity_id < b.entity_id ? -1 : 1,
);
const [first, ...rest] = entities;
if (first === undefined) throw new Error('there are forty');

async function scan(deviceId: string, subscriberId: string, found: typeof entities) {
  const body = aBatch(aDevice({ device_id: deviceId }), found, { kind: 'delta' });
  const headers = { 'x-subscriber-id': subscriberId };
  const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body, headers });
  expect(answer.status).toBe(202);
}

interface Lock {
  /** Of what comes first, which is held. */
  held: [text: string, values: unknown[]];
  /** Of a statement that waits for it. */
  waiting: string;
  /** What is not to be held meanwhile. */
  free: [text: string, values: unknown[]];
}

/** Holds what comes first, lets `act` run into it, and sees that it holds nothing of what comes later meanwhile. */
async function waitsFor({ held, waiting, free }: Lock, act: () => Promise<{ status: number }>) {
  const { pool } = hub.context.database;
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(`${held[0]} FOR UPDATE`, held[1]);
    const acting = act();
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
             AND wait_event_type = 'Lock' AND query LIKE $1
             -- The job that groups products may wait for the same row.
             AND query NOT LIKE '%product_rules%'`,
          [`%${waiting}%`],
        );
        return rows.length;
      })
      .toBe(1);
    await other.query(`${free[0]} FOR UPDATE NOWAIT`, free[1]);
    await other.query('COMMIT');
    expect((await acting).status).toBe(200);
  } finally {
    other.release();
  }
}

const bytes = ({ entity_id: id }: { entity_id: string }) => Buffer.from(id, 'hex');
const waitsAtTheFirst = (act: () => Promise<{ status: number }>) =>
  waitsFor(
    {
      held: ['SELECT 1 FROM products WHERE entity_id = $1', [bytes(first)]],
      waiting: 'products',
      free: ['SELECT 1 FROM products WHERE entity_id = ANY ($1)', [rest.map(bytes)]],
    },
    act,
  );

it.skipIf(isCitus)(
  'locks no product while a retirement waits for a preceding product',
  async () => {
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    // The first product is the last row of the table.
    await scan(id, 'alice', rest.toReversed());
    await scan(id, 'alice', [first]);
    await waitsAtTheFirst(() => hub.console('DELETE', `/devices/${id}`));
  },
);

it.skipIf(isCitus)(
  'locks no product while the erasure of a user with several devices waits',
  async () => {
    await scan('bbbbbbbb-0000-4000-8000-000000000001', 'bob', rest);
    await scan('bbbbbbbb-0000-4000-8000-000000000002', 'bob', [first]);
    await waitsAtTheFirst(() => hub.console('POST', '/people/bob/erase'));
    const left = await hub.console('GET', '/discovered-apps?query=held&limit=200');
    const counts = left.body.items.map((item: { device_count: number }) => item.device_count);
    expect(new Set(counts)).toEqual(new Set(counts.length === 0 ? [] : [0]));
  },
);

it.skipIf(isCitus)(
  'locks no token while an erasure waits for its device, also after a move',
  async () => {
    const id = 'cccccccc-0000-4000-8000-000000000001';
    await scan(id, 'carol', [first]);
    const { pool } = hub.context.database;
    // Of an enrolment before: the device is another's since.
    await pool.query(
      `INSERT INTO agent_tokens (tenant_id, token_id, token_hash, name, device_id, subscriber_id, revoked_at)
       VALUES ($1, gen_random_uuid(), sha256('former'), 'former', $2, 'dave', now())`,
      [hub.tenantId, id],
    );
    await waitsFor(
      {
        held: ['SELECT 1 FROM devices WHERE device_id = $1', [id]],
        waiting: 'FROM devices',
        free: ['SELECT 1 FROM agent_tokens WHERE device_id = $1', [id]],
      },
      () => hub.console('POST', '/people/dave/erase'),
    );
    const { rows } = await pool.query(
      'SELECT subscriber_id FROM agent_tokens WHERE device_id = $1',
      [id],
    );
    expect(rows).toEqual([{ subscriber_id: 'erased' }]);
  },
);
