// Renames, suspends and deletes tenants, for the operator of the installation.
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { deleteTenantRows } from '../../../platform/db/tenant-rows.ts';
import { announceTenantConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { tenantName } from './rules.ts';
import { lockTenant, selectOnlyHere, type Tenant, updateTenant } from './store.ts';

/** Invalidates caches and open streams of a tenant, in the transaction that changes it. */
type InvalidateTenant = (tx: Tx, tenantId: string) => Promise<void>;

/** Renames a tenant. Throws UsageError for a blank name, ConfigError if there is no such tenant. */
export function renameTenant(db: Db, tenantId: string, name: string): Promise<Tenant> {
  const trimmed = tenantName(name);
  return changeTenant(db, tenantId, async (tx, before) => {
    const after = { ...before, name: trimmed };
    if (after.name === before.name) return after;
    await updateTenant(tx, after);
    await record(tx, tenantId, 'tenant.rename', { before: before.name, after: after.name });
    return after;
  });
}

/**
 * Suspends a tenant: sign-in, device sync, gateways and exports answer `tenant_suspended` until it is resumed. A
 * suspended tenant stays as it is. Gateway nodes of all tenants remove its configuration.
 */
export function suspendTenant(
  db: Db,
  tenantId: string,
  invalidate: InvalidateTenant,
): Promise<Tenant> {
  return changeTenant(db, tenantId, async (tx, before) => {
    if (before.suspended_at !== null) return before;
    const after = { ...before, suspended_at: new Date() };
    await updateTenant(tx, after);
    await invalidate(tx, tenantId);
    await record(tx, tenantId, 'tenant.suspend', {});
    await announceTenantConfiguration(tx, tenantId);
    return after;
  });
}

/** Ends the suspension of a tenant. Gateway nodes of all tenants restore its configuration. */
export function resumeTenant(
  db: Db,
  tenantId: string,
  invalidate: InvalidateTenant,
): Promise<Tenant> {
  return changeTenant(db, tenantId, async (tx, before) => {
    if (before.suspended_at === null) return before;
    const after = { ...before, suspended_at: null };
    await updateTenant(tx, after);
    await invalidate(tx, tenantId);
    await record(tx, tenantId, 'tenant.resume', {});
    await announceTenantConfiguration(tx, tenantId);
    return after;
  });
}

/**
 * Deletes a tenant with all its rows, its audit trail among them, in a transaction. Accounts and sessions of users who
 * belong to no other tenant are deleted, too. Returns the number of rows.
 */
export async function deleteTenant(
  db: Db,
  tenantId: string,
  options: { invalidate: InvalidateTenant; begins?(table: string): void },
): Promise<number> {
  return transact(db, async (tx) => {
    await requireLocked(tx, tenantId);
    await options.invalidate(tx, tenantId);
    const emails = await selectOnlyHere(tx, tenantId);
    return deleteTenantRows(tx, { tenantId, emails }, options.begins);
  });
}

async function changeTenant(
  db: Db,
  tenantId: string,
  change: (tx: Tx, before: Tenant) => Promise<Tenant>,
): Promise<Tenant> {
  return transact(db, async (tx) => {
    const after = await change(tx, await requireLocked(tx, tenantId));
    await notify(tx, { kind: 'forget', cache: 'tenant', keys: [tenantId] });
    return after;
  });
}

async function requireLocked(tx: Tx, tenantId: string): Promise<Tenant> {
  const tenant = await lockTenant(tx, tenantId);
  if (tenant === null) throw new ConfigError(`there is no tenant ${tenantId}`);
  return tenant;
}

function record(
  tx: Tx,
  tenantId: string,
  operation: 'tenant.rename' | 'tenant.suspend' | 'tenant.resume',
  detail: object,
): Promise<void> {
  const resource = { kind: 'tenant', id: tenantId };
  return recordAudit(tx, {
    tenantId,
    actor: OPERATOR,
    operation,
    resource,
    requestId: null,
    detail,
  });
}
