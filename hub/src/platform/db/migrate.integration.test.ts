// A database is brought up whatever order its migrations came in.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { ensureSchema, schemaState } from './migrate.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it('a migration whose number is below one that ran is made up for', async () => {
  const { db } = hub.context.database;
  const late = '0025-catalogs-and-tenures';
  await sql`DROP TABLE device_tenures`.execute(db);
  await sql`DELETE FROM kysely_migration WHERE name = ${late}`.execute(db);
  expect(await schemaState(db)).toEqual({ missing: [late], unknown: [] });
  await ensureSchema(db, 'auto');
  expect(await schemaState(db)).toEqual({ missing: [], unknown: [] });
});
