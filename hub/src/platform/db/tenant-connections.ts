// Connections under row security (row-security.ts): work within a tenant gets a connection that sees only that tenant, all
// other work gets a connection of the hub's own role. Handlers are unaware of it, and cannot bypass it by mistake.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool } from 'kysely';
import pg from 'pg';

/** The role that sees the rows of the connection's tenant, and no rows without a tenant. */
export const TENANT_ROLE = 'gatewarden_tenant';
/** The connection's setting that names the tenant. */
export const TENANT_SETTING = 'gatewarden.tenant';

const current = new AsyncLocalStorage<string | null>();

/** Runs `work`, including everything it awaits, as a tenant. */
export function withinTenant<T>(tenantId: string, work: () => T): T {
  return current.run(tenantId, work);
}

/** Runs `work` as the hub, for work that serves several tenants at once. */
export function outsideTenants<T>(work: () => T): T {
  return current.run(null, work);
}

/** The pool of kysely's connections. */
export interface SharedPool extends PostgresPool {
  /** Makes work within a tenant use tenant connections from now on. */
  enableRowSecurity(): void;
}

/** Combines the hub's own pool and the tenant pool, which opens its first connection when it is needed. */
export function createSharedPool(own: pg.Pool, tenantPool: pg.Pool): SharedPool {
  const tenantOf = new WeakMap<pg.PoolClient, string>();
  let isSeparate = false;
  const setTenant = async (client: pg.PoolClient, tenantId: string): Promise<pg.PoolClient> => {
    tenantOf.delete(client);
    try {
      await client.query('SELECT set_config($1, $2, false)', [TENANT_SETTING, tenantId]);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
    tenantOf.set(client, tenantId);
    return client;
  };
  return {
    options: own.options,
    enableRowSecurity() {
      isSeparate = true;
    },
    connect() {
      const tenantId = isSeparate ? current.getStore() : null;
      if (!tenantId) return own.connect();
      return tenantPool
        .connect()
        .then((client) =>
          tenantOf.get(client) === tenantId ? client : setTenant(client, tenantId),
        );
    },
    async end() {
      await Promise.all([own.end(), tenantPool.end()]);
    },
  };
}

/** Returns a pool whose connections switch to the tenant role. */
export function createTenantPool(options: pg.PoolConfig): pg.Pool {
  return new pg.Pool({
    ...options,
    onConnect: (client) => client.query(`SET ROLE ${TENANT_ROLE}`).then(() => undefined),
  });
}
