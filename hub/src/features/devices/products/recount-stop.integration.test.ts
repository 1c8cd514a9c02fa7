import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub } from '../../../../../test/support/hub.ts';
import { waitsForLock } from '../../../../../test/support/locks.ts';
import { transact } from '../../../platform/db/database.ts';
import { lockRecount } from './counts-store.ts';
import { createProductCounts } from './product-counts.ts';

/** Two batches of grouping. */
const APPS = 150;

it('ends a recount after its current batch when the hub stops', async () => {
  const hub = await startTestHub();
  const { tenantId } = hub;
  const { db } = hub.context.database;
  for (let first = 0; first < APPS; first += 50) {
    const apps = Array.from({ length: 50 }, (_, i) => anEntity(`app-${first + i}`));
    const answer = await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(aDevice(), apps),
    });
    expect(answer.status).toBe(202);
  }
  // Only the recount of this test runs.
  await hub.hub.stop();
  await sql`UPDATE products SET is_grouped = false WHERE tenant_id = ${tenantId}`.execute(db);
  const errors: unknown[] = [];
  const counts = createProductCounts(db, {
    recounted: () => undefined,
    complain: (error) => errors.push(error),
  });

  const stopped = await transact(db, async (tx) => {
    await lockRecount(tx, tenantId);
    counts.changed(tenantId);
    await expect
      .poll(() => waitsForLock(hub.context.database.pool, ['advisory']), { timeout: 30_000 })
      .toBe(true);
    return { promise: counts.stop() };
  });
  await stopped.promise;

  const { rows } = await sql<{ grouped: number }>`
    SELECT count(*) FILTER (WHERE is_grouped)::integer AS grouped
    FROM products WHERE tenant_id = ${tenantId}`.execute(db);
  expect(rows).toEqual([{ grouped: 100 }]);
  expect(errors).toEqual([]);
  await hub.context.close();
});
