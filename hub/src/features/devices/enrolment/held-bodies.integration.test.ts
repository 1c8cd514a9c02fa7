// What bodies take is counted until they are answered: not until they are read, for then they wait for the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

async function bodyBytes(): Promise<number> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  return Number(/^gatewarden_body_bytes (\d+)$/m.exec(text)?.[1]);
}

test('a batch that waits for the database is counted as it was sent and inflated, and no longer once it is answered', async () => {
  const entities = Array.from({ length: 50 }, (_, i) => anEntity(`part-${i}`));
  const body = aBatch(aDevice(), entities);
  const inflated = Buffer.byteLength(JSON.stringify(body));
  const client = await hub.context.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE devices IN SHARE MODE');
    const answer = deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body });
    await expect.poll(bodyBytes, { timeout: 10_000 }).toBeGreaterThan(inflated);
    // Read, and waiting.
    await sleep(100);
    expect(await bodyBytes()).toBeGreaterThan(inflated);
    await client.query('ROLLBACK');
    expect((await answer).status).toBe(202);
  } finally {
    client.release();
  }
  await expect.poll(bodyBytes).toBe(0);
});
