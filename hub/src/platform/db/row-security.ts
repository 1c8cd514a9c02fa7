// Row-level security of PostgreSQL as a second isolation between tenants. Work within a tenant runs as a role that sees only
// rows of that tenant, so that a statement without a tenant condition returns nothing of other tenants. The hub's own role is
// not restricted: it serves work over all tenants, before a tenant is known, and for the operator.
import { sql } from 'kysely';
import { withAdvisoryLock } from './advisory-lock.ts';
import { isCitus } from './citus-distribution.ts';
import { type Db, row, rows } from './database.ts';
import { retryOnLockTimeout, transactWithLockTimeout } from './lock-timeout-retry.ts';
import { TENANT_ROLE, TENANT_SETTING } from './tenant-connections.ts';

/** Privileges on tables without a tenant that tenants need. */
const SHARED_TABLES: Record<string, string> = { configuration_feed: 'SELECT, UPDATE' };
/** Tenants cannot change or delete rows of the audit trail, not even by a faulty statement. */
const APPEND_ONLY = 'audit_events';

/** The reason why row security is not in effect; `none` if it is. */
export type RowSecurityGap =
  | 'none'
  /** Citus: the role would have to exist on each node. */
  | 'citus'
  /** The role does not exist, and the hub's own role may not create it. */
  | 'role'
  /** The hub's own role may not switch to the role. */
  | 'membership'
  /** `ensureRowSecurity` has not run since a table was created. */
  | 'tables';

/** Explanations for the operator. */
export const ROW_SECURITY_GAPS: Record<RowSecurityGap, string> = {
  none: 'requests of users and keys see only their own tenant',
  citus: 'not on Citus: tenants are isolated only by conditions in statements',
  role: `there is no role ${TENANT_ROLE}: CREATE ROLE ${TENANT_ROLE}, GRANT it to the hub's role, run migrate`,
  membership: `the hub's role may not act as ${TENANT_ROLE}: GRANT it to the hub's role, run migrate`,
  tables: 'some tables have no policy yet: run migrate as their owner',
};

/** Returns the reason why row security is not in effect in this database, or `none`. */
export async function findRowSecurityGap(db: Db): Promise<RowSecurityGap> {
  if (await isCitus(db)) return 'citus';
  const gap = await findRoleGap(db);
  if (gap !== 'none') return gap;
  return (await selectUnprotectedTables(db)).length > 0 ? 'tables' : 'none';
}

async function findRoleGap(db: Db): Promise<'role' | 'membership' | 'none'> {
  const membership = await row(
    db,
    sql<{ may: boolean }>`
      SELECT pg_has_role(oid, 'MEMBER') AS may FROM pg_roles WHERE rolname = ${TENANT_ROLE}`,
  );
  if (membership === null) return 'role';
  return membership.may ? 'none' : 'membership';
}

/**
 * Enables row security: creates the role, and the policy and privileges of each table with a tenant. Tables are changed in
 * turn with lock timeouts, beside running hubs; concurrent calls are safe. Steps beyond the privileges of the hub's own
 * role are left to the operator (docs/how-to/your-own-postgresql.md); `findRowSecurityGap` reports them.
 */
export async function ensureRowSecurity(db: Db): Promise<void> {
  const gap = await findRowSecurityGap(db);
  if (gap === 'none' || gap === 'citus') return;
  await withAdvisoryLock(db, 'rowSecurity', async (connection) => {
    if (!(await ensureRole(connection))) return;
    await sql`GRANT USAGE ON SCHEMA ${sql.id(await schemaOf(connection))} TO ${role}`.execute(
      connection,
    );
    for (const table of await selectUnprotectedTables(connection)) {
      await retryOnLockTimeout(`row security of ${table}`, (lockTimeout) =>
        transactWithLockTimeout(connection, lockTimeout, (tx) => protectTable(tx, table)),
      );
    }
  });
}

const role = sql.id(TENANT_ROLE);

/** Creates the role and its membership. Returns false if the hub's own role may not do that. */
async function ensureRole(db: Db): Promise<boolean> {
  try {
    if ((await findRoleGap(db)) === 'role') {
      await sql`CREATE ROLE ${role} NOLOGIN`.execute(db).catch((error: unknown) => {
        // A hub of another database on the same server has created the role at the same time.
        if (!['42710', '23505'].includes(codeOf(error))) throw error;
      });
    }
    if ((await findRoleGap(db)) === 'membership') {
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
  const schema = await row(db, sql<{ name: string }>`SELECT current_schema() AS name`);
  return schema?.name ?? 'public';
}

/** Returns the tables without policy or privileges. */
async function selectUnprotectedTables(db: Db): Promise<string[]> {
  const tables = await rows(
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
          ELSE c.relname = ANY (${Object.keys(SHARED_TABLES)})
            AND NOT has_table_privilege(${TENANT_ROLE}, c.oid, 'SELECT')
        END
      ORDER BY 1`,
  );
  return tables.map(({ name }) => name);
}

async function protectTable(db: Db, name: string): Promise<void> {
  const table = sql.id(name);
  const shared = SHARED_TABLES[name];
  if (shared !== undefined) {
    await sql`GRANT ${sql.raw(shared)} ON ${table} TO ${role}`.execute(db);
    return;
  }
  const privileges = name === APPEND_ONLY ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
  await sql`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`.execute(db);
  await sql`DROP POLICY IF EXISTS everybody ON ${table}`.execute(db);
  await sql`DROP POLICY IF EXISTS of_tenant ON ${table}`.execute(db);
  // Other roles (a hub that does not own the tables, a reader of the operator) stay limited only by their privileges.
  await sql`CREATE POLICY everybody ON ${table} USING (true)`.execute(db);
  // With a plain comparison the planner would apply the selectivity of the tenant twice, and expect a hundredth of the rows
  // among a hundred tenants. For this expression it expects nearly all rows. The setting is read once per statement.
  const tenant = sql`(SELECT NULLIF(current_setting('${sql.raw(TENANT_SETTING)}', true), '')::uuid)`;
  await sql`
    CREATE POLICY of_tenant ON ${table} AS RESTRICTIVE TO ${role}
    USING (NULLIF(tenant_id = ${tenant}, false) IS NOT NULL)`.execute(db);
  await sql`GRANT ${sql.raw(privileges)} ON ${table} TO ${role}`.execute(db);
}
