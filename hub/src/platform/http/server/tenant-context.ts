// Row security for routes: the statements of a handler see only the tenant that authentication has determined.
import type { FastifyRequest } from 'fastify';
import { withinTenant } from '../../db/tenant-connections.ts';
import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also reads rows without a tenant (accounts, sign-ins, releases), so row security does not apply. */
    beyondTenant?: boolean;
  }
}

/** Binds all routes that are added to the scope from now on. `tenantOf` returns the authenticated tenant. */
export function bindRoutesToTenant(
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
