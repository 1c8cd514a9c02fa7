// All rows of a tenant, by the list of tables: counted and deleted without knowledge of a feature.
import { sql } from 'kysely';
import { type Db, row, type Tx } from './database.ts';
import { PLACEMENTS } from './placement.ts';

/**
 * The last tables that a deletion empties. The job of the search index locks rows of a list while it adds their trigrams,
 * so that trigrams are complete when the list is empty.
 */
const DELETED_LAST = ['search_grams', 'tenants'];

/** Tables with rows of a tenant, in the order of a deletion. */
async function tenantTables(db: Db): Promise<string[]> {
  const found = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attname = 'tenant_id' AND NOT a.attisdropped`.execute(db);
  const existing = new Set(found.rows.map(({ name }) => name));
  const tables = [...PLACEMENTS.keys()].filter((table) => existing.has(table));
  return [...tables.filter((table) => !DELETED_LAST.includes(table)), ...DELETED_LAST];
}

/** Returns the number of rows of a tenant over all tables. */
export async function countTenantRows(db: Db, tenantId: string): Promise<number> {
  const counts = await countTenantRowsByTable(db, tenantId);
  return counts.values().reduce((total, count) => total + count, 0);
}

/** Returns the number of rows of a tenant in each table that has any. */
export async function countTenantRowsByTable(
  db: Db,
  tenantId: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of await tenantTables(db)) {
    const counted = await row(
      db,
      sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}`,
    );
    if (counted !== null && counted.count > 0) counts.set(table, counted.count);
  }
  return counts;
}

/** Key of the advisory lock between a deletion and background jobs. Row locks of a reference table deadlock on Citus. */
const deletionKey = (tenantId: string) => sql`hashtextextended(${`deletion ${tenantId}`}, 0)`;

/**
 * Locks a tenant against deletion until the transaction ends; returns false if it is deleted. A background job that adds
 * rows of a tenant begins with this: rows that it adds after the deletion would stay.
 */
export async function lockAgainstDeletion(tx: Tx, tenantId: string): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock_shared(${deletionKey(tenantId)})`.execute(tx);
  const tenant = await row(
    tx,
    sql<{ tenant_id: string }>`SELECT tenant_id FROM tenants WHERE tenant_id = ${tenantId}`,
  );
  return tenant !== null;
}

/** Deletes the rows of a tenant from all tables but the `kept`. Returns the number of rows. */
export async function deleteTenantContent(
  tx: Tx,
  tenantId: string,
  kept: readonly string[],
): Promise<number> {
  const tables = (await tenantTables(tx)).filter((table) => !kept.includes(table));
  return deleteFrom(tx, tenantId, tables);
}

async function deleteFrom(
  tx: Tx,
  tenantId: string,
  tables: readonly string[],
  begins: (table: string) => void = () => undefined,
): Promise<number> {
  // A whole tenant takes longer than a request may.
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  let total = 0;
  for (const table of tables) {
    begins(table);
    const deleted = await sql`
      DELETE FROM ${sql.table(table)} WHERE tenant_id = ${tenantId}`.execute(tx);
    total += Number(deleted.numAffectedRows ?? 0n);
  }
  return total;
}

/**
 * Deletes the rows of a tenant from all tables, and accounts and sessions of these e-mail addresses (folded). `begins` is
 * called with the name of each table. Returns the number of rows.
 */
export async function deleteTenantRows(
  tx: Tx,
  { tenantId, emails }: { tenantId: string; emails: readonly string[] },
  begins: (table: string) => void = () => undefined,
): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(${deletionKey(tenantId)})`.execute(tx);
  let total = await deleteFrom(tx, tenantId, await tenantTables(tx), begins);
  for (const table of ['accounts', 'sessions']) {
    begins(table);
    const deleted = await sql`
      DELETE FROM ${sql.table(table)}
      WHERE email_folded = ANY (${[...emails]}::text[])`.execute(tx);
    total += Number(deleted.numAffectedRows ?? 0n);
  }
  return total;
}
