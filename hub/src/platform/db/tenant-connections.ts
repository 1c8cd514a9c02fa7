// Connections that see one tenant (row-security.ts): what runs within a tenant gets one of these, everything else one of
// the hub's own. A handler need not know of it, and cannot forget it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool } from 'kysely';
import pg from 'pg';

/** Sees the rows of the tenant that the connection names, and no rows where it names none. */
export const TENANT_ROLE = 'gatewarden_tenant';
/** The connection's setting that names the tenant. */
export const TENANT_SETTING = 'gatewarden.tenant';

const current = new AsyncLocalStorage<string | null>();

/** Everything that `work` asks the database, now and in what it awaits, is asked as that tenant. */
export function withinTenant<T>(tenantId: string, work: () => T): T {
  return current.run(tenantId, work);
}

/** For what is done for many at once, whoever of them began it. */
export function outsideTenants<T>(work: () => T): T {
  return current.run(null, work);
}

/** The pool that kysely takes its connections from. */
export interface SharedPool extends PostgresPool {
  /** From now on what runs within a tenant is asked as that tenant: row security stands. */
  separate(): void;
}

/** `own` is the hub's; the other pool opens its first connection when it is first needed. */
export function sharePool(own: pg.Pool, ofTenants: pg.Pool): SharedPool {
  const tenantOf = new WeakMap<pg.PoolClient, string>();
  let isSeparate = false;
  const tell = async (client: pg.PoolClient, tenantId: string): Promise<pg.PoolClient> => {
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
    separate() {
      isSeparate = true;
    },
    connect() {
      const tenantId = isSeparate ? current.getStore() : null;
      if (!tenantId) return own.connect();
      return ofTenants
        .connect()
        .then((client) => (tenantOf.get(client) === tenantId ? client : tell(client, tenantId)));
    },
    async end() {
      await Promise.all([own.end(), ofTenants.end()]);
    },
  };
}

/** A pool whose connections become that role when they are made. */
export function poolOfTenants(options: pg.PoolConfig): pg.Pool {
  return new pg.Pool({
    ...options,
    onConnect: (client) => client.query(`SET ROLE ${TENANT_ROLE}`).then(() => undefined),
  });
}
