// Statements within a tenant see only rows of that tenant, whatever their conditions.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDatabase, startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { admin, manage } from '../../../../test/support/management.ts';
import { createBatchLoader } from './batch-loader.ts';
import { isCitus } from './citus-distribution.ts';
import { type Db, openDatabase, rows, transact } from './database.ts';
import { migrate } from './migrate.ts';
import { ensureRowSecurity, findRowSecurityGap } from './row-security.ts';
import { outsideTenants, TENANT_ROLE, withinTenant } from './tenant-connections.ts';

let hub: TestHub;
let db: Db;
let otherTenant: string;
/** False on a cluster, which has no row security. */
let isEnabled = true;
beforeAll(async () => {
  hub = await startTestHub();
  db = hub.context.database.db;
  otherTenant = (await hub.newTenant('Other')).tenantId;
  isEnabled = !(await isCitus(db));
  if (isEnabled) hub.context.database.enableRowSecurity();
});
afterAll(() => hub.stop());

const tenantsSeen = () =>
  rows(db, sql<{ tenant_id: string }>`SELECT tenant_id FROM tenants ORDER BY tenant_id`).then(
    (found) => found.map(({ tenant_id }) => tenant_id),
  );
const groupFor = (tenantId: string, on: Db = db) =>
  sql`
  INSERT INTO people_groups (tenant_id, group_id, name, name_folded, description)
  VALUES (${tenantId}, ${randomUUID()}, 'a', ${randomUUID()}, '')`.execute(on);

it('shows no rows to the role without a tenant, and no rows of the installation', async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  expect(await findRowSecurityGap(db)).toBe('none');
  const tables = await rows(
    db,
    sql<{ name: string; of_tenant: boolean }>`
      SELECT c.relname AS name, EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id') AS of_tenant
      FROM pg_class c
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`,
  );
  await groupFor(hub.tenantId);
  const readable: string[] = [];
  await db.connection().execute(async (connection) => {
    await sql`SET ROLE ${sql.id(TENANT_ROLE)}`.execute(connection);
    for (const { name, of_tenant } of tables) {
      const { rows: found } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`
        .execute(connection)
        .catch((error: { code?: string }) => {
          expect(error.code).toBe('42501');
          return { rows: [] };
        });
      if (found.length === 0) continue;
      if (of_tenant) expect([name, found[0]?.n]).toEqual([name, 0]);
      else readable.push(name);
    }
    await sql`RESET ROLE`.execute(connection);
  });
  expect(readable).toEqual(['configuration_feed']);
});

it("filters a statement without a tenant by the request's tenant, in turn and simultaneously", async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  expect((await tenantsSeen()).length).toBeGreaterThan(1);
  const turns = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? hub.tenantId : otherTenant));
  const seen = await Promise.all(turns.map((tenant) => withinTenant(tenant, tenantsSeen)));
  expect(seen).toEqual(turns.map((tenant) => [tenant]));
});

it('rejects writes for another tenant, and changes of append-only records', async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  await withinTenant(otherTenant, async () => {
    await groupFor(otherTenant);
    await expect(groupFor(hub.tenantId)).rejects.toMatchObject({ code: '42501' });
    await expect(
      transact(db, async (tx) => {
        await groupFor(otherTenant, tx);
        await groupFor(hub.tenantId, tx);
      }),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(sql`DELETE FROM audit_events`.execute(db)).rejects.toMatchObject({
      code: '42501',
    });
    const renamed = await sql`UPDATE people_groups SET name = 'b'`.execute(db);
    expect(renamed.numAffectedRows).toBe(1n);
  });
});

it('runs batched lookups outside of any tenant', async () => {
  const ask = createBatchLoader(async (questions: readonly number[]) => {
    const seen = await tenantsSeen();
    return questions.map(() => seen.length);
  });
  const all = (await tenantsSeen()).length;
  expect(await withinTenant(otherTenant, () => Promise.all([ask(1), ask(2)]))).toEqual([all, all]);
  expect(await withinTenant(otherTenant, () => outsideTenants(tenantsSeen))).toHaveLength(all);
});

it('runs every entry point of people and programs as the role', async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  const program = await manage(hub);
  const doors = {
    apps: async () => [
      (await program.call('GET', '/apps')).status,
      (await hub.console('GET', '/gateway/apps')).status,
    ],
    management_keys: async () => [(await admin(hub, 'GET', '/keys')).status],
    device_groups: async () => [(await hub.console('GET', '/device-groups')).status],
    // Reads accounts and sessions, which are of no tenant.
    members: async () => [(await hub.console('GET', '/users')).status],
  };
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(doors).map(async ([table, ask]) => [table, await ask()] as const),
      ),
    );
  expect(Object.values(await answers()).flat()).toEqual([200, 200, 200, 200, 200]);
  const role = sql.id(TENANT_ROLE);
  for (const table of Object.keys(doors)) {
    await sql`REVOKE SELECT ON ${sql.table(table)} FROM ${role}`.execute(db);
  }
  expect(await answers()).toEqual({
    apps: [500, 500],
    management_keys: [500],
    device_groups: [500],
    members: [200],
  });
  await ensureRowSecurity(db);
  expect(Object.values(await answers()).flat()).toEqual([200, 200, 200, 200, 200]);
});

it("fills shared caches outside of the request's tenant", async () => {
  const tenants = [await hub.newTenant('One'), await hub.newTenant('Two')];
  for (const { tenantId, adminToken: token } of tenants) {
    const created = await hub.console('POST', '/mcp/backends', {
      tenantId,
      token,
      body: {
        slug: 'of-both',
        name: 'Of both',
        url: 'https://example.com/mcp',
        auth: { kind: 'none' },
      },
    });
    expect([created.status, created.body]).toMatchObject([201, {}]);
  }
  for (const { tenantId, adminToken: token } of tenants) {
    const { body } = await hub.console('GET', '/mcp/own', { tenantId, token });
    // The slug alone leads to neither.
    expect(body.servers).toMatchObject([{ name: 'Of both' }]);
    expect(body.servers[0].url).toBe(`${hub.url}/${body.servers[0].backend_id}/mcp`);
  }
});

it('reports a table without a policy, and creates it', async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  await sql`CREATE TABLE planted (tenant_id uuid NOT NULL)`.execute(db);
  expect(await findRowSecurityGap(db)).toBe('tables');
  await Promise.all([ensureRowSecurity(db), ensureRowSecurity(db)]);
  expect(await findRowSecurityGap(db)).toBe('none');
  await sql`DROP TABLE planted`.execute(db);
});

it('runs and reports without the role when it may not create it, and uses it later', async (t) => {
  if (!isEnabled) return t.skip('a cluster has no row security');
  const url = await emptyDatabase();
  const database = /@\/([^?]+)/.exec(url)?.[1] ?? '';
  const name = `plain_${randomUUID().slice(0, 8)}`;
  await sql`CREATE ROLE ${sql.id(name)} LOGIN`.execute(db);
  await sql`ALTER DATABASE ${sql.id(database)} OWNER TO ${sql.id(name)}`.execute(db);
  const plain = openDatabase(
    { connectionString: url.replace(/\/\/[^@]*@/, `//${name}@`) },
    { size: 2, counter: { count: 0 }, onIdleError: () => undefined },
  );
  await migrate(plain.db);
  expect(await findRowSecurityGap(plain.db)).toBe('membership');
  await sql`GRANT ${sql.id(TENANT_ROLE)} TO ${sql.id(name)}`.execute(db);
  expect(await findRowSecurityGap(plain.db)).toBe('tables');
  expect(await migrate(plain.db)).toEqual([]);
  expect(await findRowSecurityGap(plain.db)).toBe('none');
  plain.enableRowSecurity();
  const [first, second] = [randomUUID(), randomUUID()];
  for (const tenant of [first, second]) await groupFor(tenant, plain.db);
  const seen = () =>
    rows(plain.db, sql<{ tenant_id: string }>`SELECT tenant_id FROM people_groups`);
  expect(await seen()).toHaveLength(2);
  expect(await withinTenant(first, seen)).toEqual([{ tenant_id: first }]);
  await plain.close();
});
