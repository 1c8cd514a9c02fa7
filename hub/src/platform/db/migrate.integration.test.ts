// Databases are upgraded from this version to a later one: in any order of migrations, and while other transactions run.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { ensureSchema, MIGRATIONS, type MigrationSource, migrate, schemaState } from './migrate.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** Returns a later version: the migrations of this version and more. */
function laterVersion(texts: Record<string, string>): MigrationSource {
  const names = Object.keys(texts).sort();
  return {
    names: () => [...MIGRATIONS.names(), ...names],
    textOf: (name) => texts[name] ?? MIGRATIONS.textOf(name),
  };
}

const NOTES = { '0002-notes': 'CREATE TABLE notes (id int)' };
const LATE = { '0003-late': 'CREATE TABLE late (id int)' };
const LAST = { '0004-last': 'CREATE TABLE last (id int)' };

it('upgrades a database with the migrations of the next version, which this version refuses', async () => {
  const { db } = hub.context.database;
  const next = laterVersion(NOTES);
  await expect(ensureSchema(db, 'refuse', next)).rejects.toThrow('lacks 1 migrations');
  await ensureSchema(db, 'auto', next);
  expect(await schemaState(db, next)).toEqual({ missing: [], unknown: [], isNew: false });
  await expect(ensureSchema(db, 'auto')).rejects.toThrow('newer version (0002-notes)');
});

it('runs a migration whose number is below an applied migration', async () => {
  const { db } = hub.context.database;
  await migrate(db, { source: laterVersion({ ...NOTES, ...LAST }) });
  const next = laterVersion({ ...NOTES, ...LATE, ...LAST });
  expect((await schemaState(db, next)).missing).toEqual(['0003-late']);
  await ensureSchema(db, 'auto', next);
  expect((await schemaState(db, next)).missing).toEqual([]);
});

it('yields and retries the migration in a deadlock with a request', async () => {
  const { db } = hub.context.database;
  const name = '0005-two-tables';
  const change =
    'ALTER TABLE devices ADD COLUMN color text; ALTER TABLE product_drifts ADD COLUMN color text';
  const source = laterVersion({ ...NOTES, ...LATE, ...LAST, [name]: change });
  let migrating: Promise<string[]> | undefined;
  await db.transaction().execute(async (request) => {
    await sql`LOCK TABLE product_drifts IN ROW EXCLUSIVE MODE`.execute(request);
    migrating = migrate(db, { source });
    await expect.poll(() => isLocked('devices'), { timeout: 30_000, interval: 5 }).toBe(true);
    // PostgreSQL must end the migration, and the request must succeed.
    await sql`SELECT count(*) FROM devices`.execute(request);
  });
  expect(await migrating).toEqual([name]);
});

it('refuses a database of a development version with a clear line', async () => {
  const { db } = hub.context.database;
  await sql`
    INSERT INTO kysely_migration (name, timestamp) VALUES ('0001-platform', now()::text)`.execute(
    db,
  );
  await expect(ensureSchema(db, 'auto')).rejects.toThrow('development version before 0.1.0');
});

async function isLocked(table: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_locks
    WHERE relation = ${table}::regclass AND mode = 'AccessExclusiveLock' AND granted`.execute(
    hub.context.database.db,
  );
  return rows.length > 0;
}
