// SQL of tenants.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { createFeeds } from '../../../platform/feed/feed.ts';

export interface Tenant {
  tenant_id: string;
  name: string;
  created_at: Date;
  /** Null for an active tenant. */
  suspended_at: Date | null;
}

const COLUMNS = sql`tenant_id, name, created_at, suspended_at`;

/** Stores a tenant with its feeds. Returns null if the id is taken. */
export async function insertTenant(tx: Tx, tenantId: string, name: string): Promise<Tenant | null> {
  const inserted = await row(
    tx,
    sql<Tenant>`
      INSERT INTO tenants (tenant_id, name) VALUES (${tenantId}, ${name})
      ON CONFLICT (tenant_id) DO NOTHING RETURNING ${COLUMNS}`,
  );
  if (inserted !== null) await createFeeds(tx, tenantId);
  return inserted;
}

/** Returns all tenants, oldest first. */
export function selectTenants(db: Db): Promise<Tenant[]> {
  return rows(db, sql<Tenant>`SELECT ${COLUMNS} FROM tenants ORDER BY created_at, tenant_id`);
}

/** Returns those of the ids that belong to tenants. */
export async function selectTenantsAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const tenants = await rows(
    db,
    sql<{ tenant_id: string }>`
      SELECT tenant_id FROM tenants WHERE tenant_id = ANY (${ids}::uuid[])`,
  );
  return new Set(tenants.map(({ tenant_id }) => tenant_id));
}

/** Returns a tenant by its lower-case id; null if there is none. */
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

/** Stores the name and the suspension of a tenant. */
export async function updateTenant(
  tx: Tx,
  { tenant_id, name, suspended_at }: Pick<Tenant, 'tenant_id' | 'name' | 'suspended_at'>,
): Promise<void> {
  await sql`
    UPDATE tenants SET name = ${name}, suspended_at = ${suspended_at}
    WHERE tenant_id = ${tenant_id}`.execute(tx);
}

/** Returns the number of enabled users of a tenant, and of its devices that are not retired. */
export async function countAffected(
  db: Db,
  tenantId: string,
): Promise<{ users: number; devices: number }> {
  const counted = await row(
    db,
    sql<{ users: number; devices: number }>`
      SELECT (SELECT count(*)::integer FROM members
          WHERE tenant_id = ${tenantId} AND disabled_at IS NULL) AS users,
        (SELECT count(*)::integer FROM devices
          WHERE tenant_id = ${tenantId} AND retired_at IS NULL) AS devices`,
  );
  return counted ?? { users: 0, devices: 0 };
}

/** Returns the e-mail addresses of the tenant's members, folded, that are members of no other tenant. */
export async function selectOnlyHere(tx: Tx, tenantId: string): Promise<string[]> {
  const members = await rows(
    tx,
    sql<{ email_folded: string }>`
      SELECT m.email_folded FROM members m
      WHERE m.tenant_id = ${tenantId} AND NOT EXISTS (
        SELECT 1 FROM members o
        WHERE o.email_folded = m.email_folded AND o.tenant_id <> m.tenant_id)`,
  );
  return members.map((member) => member.email_folded);
}
