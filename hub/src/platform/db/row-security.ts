// The second wall between tenants: PostgreSQL's row security. What is done for one tenant runs as a role that sees that
// tenant's rows and no others, so that a statement which forgot its tenant finds nothing of anybody else. The hub's own
// role, and any other, is not bound: work over all tenants, before a tenant is known, or of the operator's.
import { sql } from 'kysely';
import { alone } from './alone.ts';
import { type Db, row, rows } from './database.ts';
import { isCitus } from './distribute.ts';
import { changeWaiting, givingWay } from './giving-way.ts';
import { TENANT_ROLE, TENANT_SETTING } from './tenant-connections.ts';

/** What is of no tenant and needed all the same. */
const SHARED: Record<string, string> = { configuration_feed: 'SELECT, UPDATE' };
/** What was recorded stays: not even a statement that goes wrong changes the trail. */
const APPEND_ONLY = 'audit_events';

/** What keeps row security from standing; `none` where it stands. */
export type Lack =
  | 'none'
  /** A cluster's nodes would each have to know the role. */
  | 'citus'
  /** There is no such role, and the hub's own may not make one. */
  | 'role'
  /** The hub's own role may not act as it. */
  | 'membership'
  /** `ensureRowSecurity` has not run since a table came. */
  | 'tables';

/** What an operator reads of it, and does. */
export const LACK_TEXTS: Record<Lack, string> = {
  none: 'what people and keys ask sees their own tenant only',
  citus: 'not on Citus: statements name their tenant, and that is the one wall',
  role: `there is no role ${TENANT_ROLE}: CREATE ROLE ${TENANT_ROLE}, GRANT it to the hub's role, run migrate`,
  membership: `the hub's role may not act as ${TENANT_ROLE}: GRANT it to the hub's role, run migrate`,
  tables: 'some tables have no rule yet: run migrate as their owner',
};

/** What row security lacks in this database. */
export async function lackOfRowSecurity(db: Db): Promise<Lack> {
  if (await isCitus(db)) return 'citus';
  const lack = await lackOfRole(db);
  if (lack !== 'none') return lack;
  return (await openTables(db)).length > 0 ? 'tables' : 'none';
}

async function lackOfRole(db: Db): Promise<'role' | 'membership' | 'none'> {
  const found = await row(
    db,
    sql<{ may: boolean }>`
      SELECT pg_has_role(oid, 'MEMBER') AS may FROM pg_roles WHERE rolname = ${TENANT_ROLE}`,
  );
  if (found === null) return 'role';
  return found.may ? 'none' : 'membership';
}

/**
 * Raises the wall where it does not stand: the role, and on each table that has a tenant its rule and what the role may
 * do. One table at a time, giving way to hubs at work; may be called by many. Does what the hub's own role may do and
 * leaves the rest to the operator (docs/how-to/your-own-postgresql.md): `lackOfRowSecurity` tells.
 */
export async function ensureRowSecurity(db: Db): Promise<void> {
  const lack = await lackOfRowSecurity(db);
  if (lack === 'none' || lack === 'citus') return;
  await alone(db, 'rowSecurity', async (one) => {
    if (!(await mayAct(one))) return;
    await sql`GRANT USAGE ON SCHEMA ${sql.id(await schemaOf(one))} TO ${role}`.execute(one);
    for (const table of await openTables(one)) {
      await givingWay(`row security of ${table}`, (lockTimeout) =>
        changeWaiting(one, lockTimeout, (tx) => close(tx, table)),
      );
    }
  });
}

const role = sql.id(TENANT_ROLE);

/** Sees to the role and to acting as it; false where the hub's own role may not. */
async function mayAct(db: Db): Promise<boolean> {
  try {
    if ((await lackOfRole(db)) === 'role') {
      await sql`CREATE ROLE ${role} NOLOGIN`.execute(db).catch((error: unknown) => {
        // A hub of another database on the same server was quicker.
        if (!['42710', '23505'].includes(codeOf(error))) throw error;
      });
    }
    if ((await lackOfRole(db)) === 'membership') {
      await sql`GRANT ${role} TO CURRENT_USER`.execute(db);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === '42501') return false;
    throw error;
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

async function schemaOf(db: Db): Promise<string> {
  const found = await row(db, sql<{ name: string }>`SELECT current_schema() AS name`);
  return found?.name ?? 'public';
}

/** Tables whose rule or rights are not there. */
async function openTables(db: Db): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_class c
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relnamespace = current_schema()::regnamespace
        AND CASE
          WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')
          THEN NOT c.relrowsecurity
            OR (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid
              AND p.polname IN ('everybody', 'of_tenant')) < 2
            OR NOT has_table_privilege(${TENANT_ROLE}, c.oid, 'SELECT')
          ELSE c.relname = ANY (${Object.keys(SHARED)})
            AND NOT has_table_privilege(${TENANT_ROLE}, c.oid, 'SELECT')
        END
      ORDER BY 1`,
  );
  return found.map((one) => one.name);
}

async function close(db: Db, name: string): Promise<void> {
  const table = sql.id(name);
  const shared = SHARED[name];
  if (shared !== undefined) {
    await sql`GRANT ${sql.raw(shared)} ON ${table} TO ${role}`.execute(db);
    return;
  }
  const may = name === APPEND_ONLY ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
  await sql`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`.execute(db);
  await sql`DROP POLICY IF EXISTS everybody ON ${table}`.execute(db);
  await sql`DROP POLICY IF EXISTS of_tenant ON ${table}`.execute(db);
  // Others (a hub whose role does not own the tables, a reader of the operator's) see what they were granted, as ever.
  await sql`CREATE POLICY everybody ON ${table} USING (true)`.execute(db);
  // A plain comparison would be counted a second time beside the statement's own, and the planner would expect a hundredth
  // of the rows among a hundred tenants; of this one it expects nearly all. The setting is read once for a statement.
  const tenant = sql`(SELECT NULLIF(current_setting('${sql.raw(TENANT_SETTING)}', true), '')::uuid)`;
  await sql`
    CREATE POLICY of_tenant ON ${table} AS RESTRICTIVE TO ${role}
    USING (NULLIF(tenant_id = ${tenant}, false) IS NOT NULL)`.execute(db);
  await sql`GRANT ${sql.raw(may)} ON ${table} TO ${role}`.execute(db);
}
