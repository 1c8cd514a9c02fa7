// Where requests come behind row security: their handlers' statements see the tenant that the gate let them in for.
import type { FastifyRequest } from 'fastify';
import { withinTenant } from '../db/tenant-connections.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also reads what is of no tenant (accounts, sign-ins, releases): row security is not for it. */
    beyondTenant?: boolean;
  }
}

/** For all routes that are added to the scope from now on. `tenantOf` is what its gate has found out. */
export function keepWithinTenant(
  scope: App,
  tenantOf: (request: FastifyRequest) => string | undefined,
): void {
  scope.addHook('onRoute', (route) => {
    const { handler } = route;
    if (route.config?.beyondTenant === true) return;
    route.handler = function handle(request, reply) {
      const tenantId = tenantOf(request);
      const work = () => handler.call(this, request, reply);
      return tenantId === undefined ? work() : withinTenant(tenantId, work);
    };
  });
}
