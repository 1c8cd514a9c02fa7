// Validation of a dynamic client registration (RFC 7591), one check per file. The server rejects metadata that it cannot
// grant, instead of replacing it (RFC 7591 §3.2.1), and ignores unknown members (RFC 7591 §2).
import { clientIdOf, type Namespace, SCOPES } from '../namespaces.ts';
import type { RedirectRules } from '../redirects.ts';
import { checkClientName } from './check-client-name.ts';
import { checkGrantTypes } from './check-grant-types.ts';
import { checkJwks } from './check-jwks.ts';
import { checkRedirectUris } from './check-redirect-uris.ts';
import { checkResponseTypes } from './check-response-types.ts';
import { checkTexts } from './check-texts.ts';
import { type ClientMetadata, readMetadata } from './metadata.ts';

export interface Registration {
  redirectUris: string[];
  clientName: string | null;
}

const CHECKS: readonly ((metadata: ClientMetadata) => void)[] = [
  checkRedirectUris,
  checkTexts,
  checkJwks,
  checkGrantTypes,
  checkResponseTypes,
  checkClientName,
];

/** A name of invisible characters, which counts as no name. */
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Returns the registration of client metadata. Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
export function validateRegistration(body: unknown, rules: readonly RedirectRules[]): Registration {
  const members = readMetadata(body);
  for (const check of CHECKS) check({ members, rules });
  const { redirect_uris: redirectUris, client_name: name = '' } = members as {
    redirect_uris: string[];
    client_name?: string;
  };
  return { redirectUris, clientName: INVISIBLE.test(name) ? null : name.trim() };
}

/** Returns the client information response (RFC 7591 §3.2.1). */
export function clientInformation(
  namespace: Namespace,
  { redirectUris, clientName }: Registration,
  now: Date,
): object {
  return {
    client_id: clientIdOf(namespace),
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(clientName === null ? {} : { client_name: clientName }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPES.join(' '),
  };
}
