// Lookup of the namespace that the path of a request names.
import type { FastifyRequest } from 'fastify';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { OAuthDeps } from './deps.ts';
import type { Namespace } from './namespaces.ts';

/** Prefixes of the paths of the four families: the root, the aggregated endpoint, its tenants, and each backend. */
export const FAMILIES = ['', '/gwone', '/gwone/:tenant_id', '/:backend'] as const;
export type NamespaceFamily = (typeof FAMILIES)[number];

export interface NamespaceLookup {
  /** Throws `not_found`. */
  findNamespace(request: FastifyRequest): Promise<Namespace>;
  /** Throws `not_found` also for a passthrough server: it has its own login, so the gateway has no endpoints for it. */
  requireOwnLogin(request: FastifyRequest): Promise<Namespace>;
}

/** Returns the lookup for a family of namespaces. */
export function createNamespaceLookup(
  { namespaceOf }: Pick<OAuthDeps, 'namespaceOf'>,
  family: NamespaceFamily,
): NamespaceLookup {
  const findNamespace = async (request: FastifyRequest) => {
    const namespace = await namespaceOf(request.params as object, family === '');
    if (namespace === null) throw new HubError('not_found');
    return namespace;
  };
  return {
    findNamespace,
    async requireOwnLogin(request) {
      const namespace = await findNamespace(request);
      if (isPassthrough(namespace)) throw new HubError('not_found');
      return namespace;
    },
  };
}

/** Returns whether the namespace is a backend with its own login. */
export const isPassthrough = (
  namespace: Namespace,
): namespace is Extract<Namespace, { kind: 'backend' }> =>
  namespace.kind === 'backend' && namespace.passthrough;
