// All SQL of tenants.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { createFeeds } from '../../../platform/feed/feed.ts';

export interface Tenant {
  tenant_id: string;
  name: string;
  created_at: Date;
}

/** Null when the id is taken. */
export async function insertTenant(tx: Tx, tenantId: string, name: string): Promise<Tenant | null> {
  const made = await row(
    tx,
    sql<Tenant>`
      INSERT INTO tenants (tenant_id, name) VALUES (${tenantId}, ${name})
      ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant_id, name, created_at`,
  );
  if (made !== null) await createFeeds(tx, tenantId);
  return made;
}

export function selectTenants(db: Db): Promise<Tenant[]> {
  return rows(
    db,
    sql<Tenant>`SELECT tenant_id, name, created_at FROM tenants ORDER BY created_at, tenant_id`,
  );
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
  return row(
    db,
    sql<Tenant>`SELECT tenant_id, name, created_at FROM tenants WHERE tenant_id = ${tenantId}`,
  );
}
