// The tenant that a command is about: by id, by name, or the only one of the installation.
import { listTenants, requireTenant, type Tenant } from '../features/people/tenants/index.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';

export type NamedTenant = Tenant;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the tenant with this id or name; without a name, the only tenant of the installation. Throws ConfigError if
 * there is none, UsageError if several match.
 */
export async function findTenantNamed(db: Db, wanted: string | undefined): Promise<NamedTenant> {
  if (wanted !== undefined && UUID.test(wanted)) return requireTenant(db, wanted);
  const tenants = await listTenants(db);
  const matching =
    wanted === undefined
      ? tenants
      : tenants.filter((tenant) => tenant.name.toLowerCase() === wanted.trim().toLowerCase());
  const [tenant, ...others] = matching;
  if (tenant === undefined) {
    throw new ConfigError(
      wanted === undefined
        ? 'there is no tenant: create it with "init"'
        : `there is no tenant ${wanted}`,
    );
  }
  if (others.length === 0) return tenant;
  throw new UsageError(
    wanted === undefined
      ? 'there are several tenants: add --tenant'
      : `several tenants are called ${wanted}: use an id, see "tenant list"`,
  );
}
