import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { waitsForLock } from '../../../../../test/support/locks.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { countTenantRowsByTable, lockAgainstDeletion } from '../../../platform/db/tenant-rows.ts';
import { deleteTenant } from './index.ts';

const { isCitus } = inject('postgres');
if (isCitus) console.warn('the test of trigrams is skipped: Citus has no search index');

let hub: TestHub;
let db: Db;
beforeAll(async () => {
  hub = await startTestHub();
  db = hub.context.database.db;
});
afterAll(() => hub.stop());

/** Deletes a tenant while the transaction of a background job is open; returns the tables that have rows afterwards. */
async function deleteDuring(job: (tx: Tx, tenantId: string) => Promise<unknown>) {
  const { tenantId, agentToken } = await hub.newTenant('Doomed');
  const at = { ...hub, tenantId, agentToken };
  const body = aBatch(aDevice(), [anEntity('editor')]);
  expect((await deviceCall(at, 'POST', '/ea/v1/sync/discovered-apps', { body })).status).toBe(202);
  const { deletion } = await transact(db, async (tx) => {
    await job(tx, tenantId);
    const deletion = deleteTenant(db, tenantId, { invalidate: async () => undefined });
    await expect
      .poll(() => waitsForLock(hub.context.database.pool, ['advisory', 'DELETE FROM']), {
        timeout: 30_000,
      })
      .toBe(true);
    return { deletion };
  });
  await deletion;
  return [...(await countTenantRowsByTable(db, tenantId)).keys()];
}

it('deletes rows that a job adds while it locks the tenant', async () => {
  const left = await deleteDuring(async (tx, tenantId) => {
    expect(await lockAgainstDeletion(tx, tenantId)).toBe(true);
    await sql`
      INSERT INTO daily_counts (tenant_id, day, series, value)
      VALUES (${tenantId}, '2020-01-01', 'devices', 1)`.execute(tx);
  });
  expect(left).toEqual([]);
});

it.skipIf(isCitus)(
  'deletes trigrams that the job of the search index adds at the same time',
  async () => {
    const left = await deleteDuring(async (tx, tenantId) => {
      await sql`SELECT FROM products WHERE tenant_id = ${tenantId} FOR UPDATE`.execute(tx);
      await sql`
      INSERT INTO search_grams (tenant_id, list, item_id, grams)
      SELECT tenant_id, 'products', entity_id, '{1}' FROM products
      WHERE tenant_id = ${tenantId}
      ON CONFLICT (tenant_id, list, item_id) DO NOTHING`.execute(tx);
    });
    expect(left).toEqual([]);
  },
);

it('lets no job add rows of a deleted tenant', async () => {
  const { tenantId } = await hub.newTenant('Gone');
  await deleteTenant(db, tenantId, { invalidate: async () => undefined });
  expect(await transact(db, (tx) => lockAgainstDeletion(tx, tenantId))).toBe(false);
});
