// Every table has a placement on Citus and meets its constraints; a plain PostgreSQL checks what Citus would reject.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { distribute, isCitus, misplacedTables } from './citus-distribution.ts';
import { type Db, rows } from './database.ts';
import { PLACEMENTS } from './placement.ts';

let hub: TestHub;
let db: Db;
beforeAll(async () => {
  hub = await startTestHub();
  db = hub.context.database.db;
});
afterAll(() => hub.stop());

const OURS = sql`c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'kysely_%'
  AND c.relname NOT LIKE 'citus_%' AND NOT c.relispartition`;

it('assigns a placement to every table, and to nothing else', async () => {
  const tables = await rows(
    db,
    sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND ${OURS}`,
  );
  expect([...PLACEMENTS.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
});

it('requires the tenant id as uuid in each unique key, and no exclusion constraints', async () => {
  const odd = await rows(
    db,
    sql<{ name: string; index: string }>`
      SELECT c.relname AS name, i.indexrelid::regclass::text AS index
      FROM pg_class c
      LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        AND a.atttypid = 'uuid'::regtype AND a.attnotnull
      LEFT JOIN pg_index i ON i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion)
      WHERE ${OURS} AND c.relkind IN ('r', 'p') AND (a.attnum IS NULL OR i.indisexclusion
        OR (i.indexrelid IS NOT NULL AND NOT a.attnum = ANY (i.indkey::int2[])))`,
  );
  expect(odd.filter(({ name }) => PLACEMENTS.get(name) === 'tenant')).toEqual([]);
});

it('allows no trigger or rule on a table', async () => {
  const triggers = await rows(
    db,
    sql`SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT t.tgisinternal AND ${OURS} AND t.tgname NOT LIKE 'truncate_trigger_%'`,
  );
  const rules = await rows(
    db,
    sql`SELECT r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
      WHERE c.relkind IN ('r', 'p') AND ${OURS}`,
  );
  expect([...triggers, ...rules]).toEqual([]);
});

it("requires foreign keys of a tenant's table to include the tenant and stay beside it", async () => {
  const keys = await rows(
    db,
    sql<{ name: string; to: string; with_tenant: boolean }>`
      SELECT c.relname AS name, f.relname AS to, EXISTS (
          SELECT 1 FROM unnest(k.conkey, k.confkey) AS u(mine, theirs)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.mine
          JOIN pg_attribute b ON b.attrelid = f.oid AND b.attnum = u.theirs
          WHERE a.attname = 'tenant_id' AND b.attname = 'tenant_id') AS with_tenant
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      JOIN pg_class f ON f.oid = k.confrelid
      WHERE k.contype = 'f' AND ${OURS}`,
  );
  const refused = keys.filter(({ name, to, with_tenant }) => {
    const [from, target] = [PLACEMENTS.get(name), PLACEMENTS.get(to)];
    if (target === 'everywhere') return false;
    return from === 'tenant' ? target !== 'tenant' || !with_tenant : target === 'tenant';
  });
  expect(refused).toEqual([]);
});

it('distributes nothing on a plain PostgreSQL, and reports and corrects placements on Citus once', async () => {
  expect(await misplacedTables(db)).toEqual([]);
  expect(await distribute(db)).toEqual([]);
  if (!(await isCitus(db))) return;
  const partitions = await rows(
    db,
    sql`SELECT 1 FROM pg_inherits i LEFT JOIN pg_dist_partition p ON p.logicalrelid = i.inhrelid
      WHERE i.inhparent = ANY ('{activity,alerts,llm_requests,mcp_tool_calls}'::regclass[])
        AND p.logicalrelid IS NULL`,
  );
  expect(partitions).toEqual([]);
  await sql`SELECT undistribute_table('saved_views')`.execute(db);
  expect(await misplacedTables(db)).toEqual([
    { table: 'saved_views', declared: 'tenant', is: 'coordinator' },
  ]);
  const [first, second] = await Promise.all([distribute(db), distribute(db)]);
  expect([...first, ...second]).toEqual(['saved_views']);
  expect(await misplacedTables(db)).toEqual([]);
});
