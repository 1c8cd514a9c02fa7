// Dependencies of the OAuth server, and the redirect rules of tenants.
import { MCP_CLIENTS } from '@gatewarden/shared/mcp-clients.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { SessionCookie, SignIn } from '../../people/identity/index.ts';
import type { TokenCheck } from '../access-tokens/index.ts';
import type { AllowedClients } from '../settings/index.ts';
import type { Tenancy } from './grant.ts';
import { type Namespace, tenantOf } from './namespaces.ts';
import { DEFAULT_REDIRECTS, type RedirectRules, refusalOf } from './redirects.ts';

export interface OAuthDeps {
  db: Db;
  origin: string;
  sealer: Sealer;
  cookie: SessionCookie;
  signIn: SignIn;
  check: TokenCheck;
  pkce: 'if_sent' | 'off';
  membershipsOf(emailFolded: string, on?: Db): Promise<Tenancy[]>;
  /** Null where the path names nothing that there is. */
  namespaceOf(
    params: { tenant_id?: string; backend?: string },
    root: boolean,
  ): Promise<Namespace | null>;
  /** The logins that a passthrough server names, with their scopes; null where it names none. */
  loginsOf(backendId: string): Promise<{ servers: string[]; scopes: string[] } | null>;
}

/**
 * Returns where codes of this family may be sent. Without a tenant that is whatever any tenant allows: whether the person's
 * own tenant does is checked once they have signed in.
 */
export async function rulesOf(deps: OAuthDeps, namespace: Namespace): Promise<RedirectRules[]> {
  const tenantId = tenantOf(namespace);
  const settings =
    tenantId === null ? await deps.check.allowedClients() : [await deps.check.settings(tenantId)];
  return [DEFAULT_REDIRECTS, ...settings.flatMap(rulesIn)];
}

/** Whether a code for the tenant's person may be sent to this redirect URI. */
export async function mayRedirect(
  { check }: Pick<OAuthDeps, 'check'>,
  tenantId: string,
  redirectUri: string,
): Promise<boolean> {
  const rules = [DEFAULT_REDIRECTS, ...rulesIn(await check.settings(tenantId))];
  return refusalOf(redirectUri, rules) === null;
}

function rulesIn(settings: AllowedClients): RedirectRules[] {
  const { redirect_https: https, redirect_schemes: schemes, redirect_clients: clients } = settings;
  return [{ https, schemes }, ...clients.map((name) => MCP_CLIENTS[name])];
}
