// Metadata documents of the OAuth server (RFC 8414 §3) and of the MCP URLs (RFC 9728 §3).
import type { FastifyRequest } from 'fastify';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { OAuthDeps } from './deps.ts';
import { refuseOthers } from './errors.ts';
import { isPassthrough, type NamespaceFamily, type NamespaceLookup } from './namespace-lookup.ts';
import { resourceMetadata, serverMetadata } from './namespaces.ts';

/** Registers the metadata documents of a family of namespaces. */
export function registerMetadata(
  scope: App,
  deps: OAuthDeps,
  family: NamespaceFamily,
  { findNamespace, requireOwnLogin }: NamespaceLookup,
): void {
  const { origin } = deps;
  registerDocument(scope, findNamespace, {
    path: `/.well-known/oauth-authorization-server${family}`,
    load: async (request) => serverMetadata(await requireOwnLogin(request), origin),
  });
  if (family === '') return;
  // Clients that write a slash after the MCP URL write it here too.
  for (const end of ['', '/']) {
    registerDocument(scope, findNamespace, {
      path: `/.well-known/oauth-protected-resource${family}/mcp${end}`,
      load: async (request) => {
        const namespace = await findNamespace(request);
        if (!isPassthrough(namespace)) return resourceMetadata(namespace, origin);
        const logins = await deps.loginsOf(namespace.backendId);
        if (logins === null) throw new HubError('not_found');
        return resourceMetadata(namespace, origin, logins);
      },
    });
  }
}

/** Registers a document that is public and equal for everybody, so that a page of any origin may read it. */
function registerDocument(
  scope: App,
  findNamespace: NamespaceLookup['findNamespace'],
  { path, load }: { path: string; load(request: FastifyRequest): Promise<object> },
): void {
  scope.options(path, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', 'mcp-protocol-version, content-type, authorization')
      .code(204)
      .send(),
  );
  scope.get(path, { schema: { hide: true } }, async (request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-store')
      .send(await load(request)),
  );
  refuseOthers(scope, path, 'GET', findNamespace);
}
