// Tenants: created, renamed, suspended and deleted by the operator.
// Main types: `Tenant`.
// Invariants: an id is a lower-case UUID; a suspended tenant keeps its data and has no access; a deletion removes all
// rows of the tenant.
// Depends on platform/db and platform/feed only.
// Start reading at lifecycle.ts, then store.ts.

import { randomUUID } from 'node:crypto';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { ConfigError, UsageError } from '../../../platform/config/config.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { tenantName } from './rules.ts';
import { insertTenant, selectTenant, selectTenants, type Tenant } from './store.ts';

export { deleteTenant, renameTenant, resumeTenant, suspendTenant } from './lifecycle.ts';
export { countAffected, selectTenantsAmong, type Tenant } from './store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Creates a tenant with its feeds. Throws ConfigError for an id that is taken, UsageError for an invalid name or id.
 */
export async function createTenant(db: Db, name: string, id?: string): Promise<Tenant> {
  const tenantId = (id ?? randomUUID()).toLowerCase();
  const trimmed = tenantName(name);
  if (!UUID.test(tenantId)) throw new UsageError('--id must be a UUID');
  return transact(db, async (tx) => {
    const tenant = await insertTenant(tx, tenantId, trimmed);
    if (tenant === null) throw new ConfigError(`a tenant ${tenantId} exists already`);
    await recordAudit(tx, {
      tenantId,
      actor: OPERATOR,
      operation: 'tenant.create',
      resource: { kind: 'tenant', id: tenantId },
      requestId: null,
      detail: { name: trimmed },
    });
    return tenant;
  });
}

/** Returns all tenants, oldest first. */
export const listTenants: (db: Db) => Promise<Tenant[]> = selectTenants;

/** Returns the tenant with the lower-case id of a URL; null if there is none. */
export async function findTenant(db: Db, tenantId: string): Promise<Tenant | null> {
  return UUID.test(tenantId) ? selectTenant(db, tenantId) : null;
}

/** Returns the tenant that a command names. Throws ConfigError if there is none. */
export async function requireTenant(db: Db, tenantId: string): Promise<Tenant> {
  const tenant = UUID.test(tenantId.toLowerCase())
    ? await selectTenant(db, tenantId.toLowerCase())
    : null;
  if (tenant === null) throw new ConfigError(`there is no tenant ${tenantId}`);
  return tenant;
}
