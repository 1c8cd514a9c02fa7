// Request bodies count against the byte limit until their response is sent, because they wait for the database after
// they are read.
import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import {
  deviceCall,
  inFlightBodyBytes,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const bodyBytes = () => inFlightBodyBytes(hub);

/** Until a statement of this hub that names the table waits for a lock. */
const expectWaiting = (table: string) =>
  expect
    .poll(
      async () => {
        const waiting = await hub.context.database.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
             AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${table}%`],
        );
        return waiting.rowCount;
      },
      { timeout: 10_000 },
    )
    .toBe(1);

test('counts a batch in its sent and inflated size until it is answered', async () => {
  const entities = Array.from({ length: 50 }, (_, i) => anEntity(`part-${i}`));
  const body = aBatch(aDevice(), entities);
  const inflated = Buffer.byteLength(JSON.stringify(body));
  const client = await hub.context.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE devices IN SHARE MODE');
    const answer = deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
    // Read, and waiting.
    await expectWaiting('devices');
    expect(await bodyBytes()).toBeGreaterThan(inflated);
    await client.query('ROLLBACK');
    expect((await answer).status).toBe(202);
  } finally {
    client.release();
  }
  await expect.poll(bodyBytes).toBe(0);
});

test('releases the bytes of a client that disconnects during the token lookup', async () => {
  const other = await hub.newTenant('Elsewhere');
  const client = await hub.context.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE agent_tokens IN ACCESS EXCLUSIVE MODE');
    const gone = request(`${hub.url}/ea/v1/sync/discovered-apps`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other.agentToken}`,
        'x-tenant-id': other.tenantId,
        'x-subscriber-id': 'alice',
        'content-encoding': 'gzip',
      },
    });
    gone.end(gzipSync(JSON.stringify(aBatch(aDevice(), [anEntity('a')]))));
    await once(gone, 'finish');
    await expectWaiting('agent_tokens');
    gone.on('error', () => undefined).destroy();
    // What is asked after it is answered after the hub has heard of the end.
    for (let i = 0; i < 3; i++) await bodyBytes();
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  // The next one of the same token comes after it.
  const answer = await deviceCall({ ...hub, ...other }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [anEntity('a')]),
  });
  expect(answer.status).toBe(202);
  await expect.poll(bodyBytes).toBe(0);
});
