// Who a management request acts as, whichever door it came through.
import type { Scope } from '@gatewarden/shared/wire/management/common.ts';
import type { Actor } from '../../../platform/audit.ts';

export interface Principal {
  tenantId: string;
  /** What idempotency keys and operations belong to: no other principal sees them. */
  id: string;
  actor: Actor;
  scopes: readonly Scope[];
}

/** What the database says of a management key at this moment. */
export interface KeyState {
  tenantId: string;
  keyId: string;
  name: string;
  scopes: Scope[];
  /** Neither revoked nor expired. */
  active: boolean;
  /** The tenant opted in and is not suspended. */
  tenantEnabled: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** A route of the management API: what its gate asks and its document says. */
    management?: {
      family: 'resource' | 'admin';
      scopes: readonly Scope[];
      ifMatch?: boolean;
      etag?: boolean;
      idempotent?: boolean;
      /** An empty body counts as an empty object. */
      emptyBody?: boolean;
      /** Closed while the tenant is suspended. */
      optIn?: boolean;
      /** No body is taken. */
      bodiless?: boolean;
    };
  }
}
