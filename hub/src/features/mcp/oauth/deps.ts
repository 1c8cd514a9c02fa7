// What the OAuth server is made of, and where it may send codes.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { SessionCookie, SignIn } from '../../people/identity/index.ts';
import type { TokenCheck } from '../tokens/index.ts';
import type { Tenancy } from './grant.ts';
import { type Namespace, tenantOf } from './namespaces.ts';
import { DEFAULT_REDIRECTS, type RedirectRules } from './redirects.ts';

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

export async function rulesOf(deps: OAuthDeps, namespace: Namespace): Promise<RedirectRules[]> {
  const tenantId = tenantOf(namespace);
  if (tenantId === null) return [DEFAULT_REDIRECTS];
  const { redirect_https: https, redirect_schemes: schemes } = await deps.check.settings(tenantId);
  return [DEFAULT_REDIRECTS, { https, schemes }];
}
