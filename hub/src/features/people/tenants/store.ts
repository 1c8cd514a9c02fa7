// All SQL of tenants.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { createFeeds } from '../../../platform/feed/feed.ts';

export interface Tenant {
  tenant_id: string;
  name: string;
  created_at: Date;
  /** Null: active. */
  suspended_at: Date | null;
}

const COLUMNS = sql`tenant_id, name, created_at, suspended_at`;

/** Null when the id is taken. */
export async function insertTenant(tx: Tx, tenantId: string, name: string): Promise<Tenant | null> {
  const made = await row(
    tx,
    sql<Tenant>`
      INSERT INTO tenants (tenant_id, name) VALUES (${tenantId}, ${name})
      ON CONFLICT (tenant_id) DO NOTHING RETURNING ${COLUMNS}`,
  );
  if (made !== null) await createFeeds(tx, tenantId);
  return made;
}

export function selectTenants(db: Db): Promise<Tenant[]> {
  return rows(db, sql<Tenant>`SELECT ${COLUMNS} FROM tenants ORDER BY created_at, tenant_id`);
}

/** Those of the ids that are tenants. */
export async function selectTenantsAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT tenant_id FROM tenants WHERE tenant_id = ANY (${ids}::uuid[])`,
  );
  return new Set(found.map(({ tenant_id }) => tenant_id));
}

export function selectTenant(db: Db, tenantId: string): Promise<Tenant | null> {
  return row(db, sql<Tenant>`SELECT ${COLUMNS} FROM tenants WHERE tenant_id = ${tenantId}`);
}

/** Returns the tenant, locked until the transaction ends; null if there is none. */
export function lockTenant(tx: Tx, tenantId: string): Promise<Tenant | null> {
  return row(
    tx,
    sql<Tenant>`SELECT ${COLUMNS} FROM tenants WHERE tenant_id = ${tenantId} FOR UPDATE`,
  );
}

export async function updateTenant(
  tx: Tx,
  { tenant_id, name, suspended_at }: Pick<Tenant, 'tenant_id' | 'name' | 'suspended_at'>,
): Promise<void> {
  await sql`
    UPDATE tenants SET name = ${name}, suspended_at = ${suspended_at}
    WHERE tenant_id = ${tenant_id}`.execute(tx);
}

/** Returns the e-mail addresses of the tenant's members, folded, that are members of no other tenant. */
export async function selectOnlyHere(tx: Tx, tenantId: string): Promise<string[]> {
  const found = await rows(
    tx,
    sql<{ email_folded: string }>`
      SELECT m.email_folded FROM members m
      WHERE m.tenant_id = ${tenantId} AND NOT EXISTS (
        SELECT 1 FROM members o
        WHERE o.email_folded = m.email_folded AND o.tenant_id <> m.tenant_id)`,
  );
  return found.map((member) => member.email_folded);
}
