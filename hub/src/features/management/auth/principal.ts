// The principal of a management request, by any kind of credential.
import type { Scope } from '@gatewarden/shared/wire/management/common.ts';
import type { Actor } from '../../../platform/audit.ts';

export interface Principal {
  tenantId: string;
  /** Owner of idempotency keys and operations: no other principal sees them. */
  id: string;
  actor: Actor;
  scopes: readonly Scope[];
}

/** The current state of a management key in the database. */
export interface KeyState {
  tenantId: string;
  keyId: string;
  name: string;
  scopes: Scope[];
  /** Neither revoked nor expired. */
  active: boolean;
  /** Whether the tenant has enabled the management API. */
  tenantEnabled: boolean;
  /** Whether the operator has suspended the tenant. */
  tenantSuspended: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    /** The scopes of a management route, which are enforced and documented. */
    management?: {
      family: 'resource' | 'admin';
      scopes: readonly Scope[];
      ifMatch?: boolean;
      etag?: boolean;
      idempotent?: boolean;
      /** An empty body counts as an empty object. */
      emptyBody?: boolean;
      /** Refused while the tenant is suspended. */
      optIn?: boolean;
      /** The route has no body. */
      bodiless?: boolean;
    };
  }
}
