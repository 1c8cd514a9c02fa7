// The user who signed in for an authorization, and the tenants for which the client may get a code.
import type { FastifyRequest } from 'fastify';
import { readGatewayPerson } from '../../people/identity/index.ts';
import { UntrustedRequest } from './authorization/request.ts';
import { mayRedirect, type OAuthDeps } from './deps.ts';
import { type Tenancy, tenantsFor } from './grant.ts';
import type { Asked, Authorization } from './store.ts';

/** Returns the user and the user's tenants. Throws UntrustedRequest before consent and sign-in. */
export async function identifyUser(
  deps: OAuthDeps,
  request: FastifyRequest,
  id: string,
  { namespace, approved_at, asked }: Authorization,
): Promise<{ email: string; tenants: readonly Tenancy[] }> {
  const email = approved_at === null ? null : readGatewayPerson(request, deps.sealer, id);
  if (email === null) throw new UntrustedRequest('Sign in first to continue this request.');
  const namespaceTenant = /^(?:gwone|backend)\/([0-9a-f-]{36})/.exec(namespace)?.[1] ?? null;
  const { settings } = deps.check;
  const tenants = await tenantsFor(email, namespaceTenant, { ...deps, settings });
  return {
    email,
    tenants: namespaceTenant === null ? await filterByRedirect(deps, tenants, asked) : tenants,
  };
}

/** Returns the tenants that allow the redirect URI. Throws UntrustedRequest if none of them allows it. */
async function filterByRedirect(
  deps: OAuthDeps,
  tenants: readonly Tenancy[],
  { redirectUri }: Asked,
): Promise<readonly Tenancy[]> {
  const allows = await Promise.all(
    tenants.map((tenant) => mayRedirect(deps, tenant.tenant_id, redirectUri)),
  );
  const allowing = tenants.filter((_, i) => allows[i]);
  if (allowing.length > 0 || tenants.length === 0) return allowing;
  throw new UntrustedRequest(
    `Your organization doesn't allow the redirect URI ${redirectUri.slice(0, 200)} (redirect_uris in the MCP gateway settings).`,
  );
}
