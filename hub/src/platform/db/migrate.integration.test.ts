// A database is migrated in any order of migrations, and while other transactions run.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { ensureSchema, migrate, schemaState } from './migrate.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it('runs a migration whose number is below an applied migration', async () => {
  const { db } = hub.context.database;
  const late = '0025-catalogs-and-tenures';
  await sql`DROP TABLE device_tenures`.execute(db);
  await sql`DELETE FROM kysely_migration WHERE name = ${late}`.execute(db);
  expect(await schemaState(db)).toEqual({ missing: [late], unknown: [], isNew: false });
  await ensureSchema(db, 'auto');
  expect(await schemaState(db)).toEqual({ missing: [], unknown: [], isNew: false });
});

it('yields and retries the migration in a deadlock with a request', async () => {
  const { db } = hub.context.database;
  const name = '0041-seen-and-former';
  await sql`ALTER TABLE devices DROP COLUMN version`.execute(db);
  await sql`ALTER TABLE product_drifts DROP COLUMN former`.execute(db);
  await sql`DROP TABLE application_versions`.execute(db);
  await sql`DELETE FROM kysely_migration WHERE name = ${name}`.execute(db);
  let migrating: Promise<string[]> | undefined;
  await db.transaction().execute(async (request) => {
    // The second change of the other transaction.
    await sql`LOCK TABLE product_drifts IN ROW EXCLUSIVE MODE`.execute(request);
    migrating = migrate(db);
    await expect.poll(() => isLocked('devices'), { timeout: 30_000, interval: 5 }).toBe(true);
    // PostgreSQL must end the migration, and the request must succeed.
    await sql`SELECT count(*) FROM devices`.execute(request);
  });
  expect(await migrating).toEqual([name]);
});

async function isLocked(table: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_locks
    WHERE relation = ${table}::regclass AND mode = 'AccessExclusiveLock' AND granted`.execute(
    hub.context.database.db,
  );
  return rows.length > 0;
}
