// Dynamic client registration (RFC 7591): accepts redirect URIs for a namespace, and returns its public client.

import { isObject } from '../../../platform/http/json/parse-json.ts';
import { OAuthError } from './errors.ts';
import { clientIdOf, type Namespace, SCOPES } from './namespaces.ts';
import { type RedirectRules, refusalOf } from './redirects.ts';

export interface Registration {
  redirectUris: string[];
  clientName: string | null;
}

const MAX_URIS = 20;
/** Rejects bidirectional controls and other invisible characters in the name, which the consent page shows. */
const ODD = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** A name of nothing else would be none that a person could read. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;
/** RFC 7591, 2. */
const TEXTS = [
  'token_endpoint_auth_method',
  'client_uri',
  'logo_uri',
  'scope',
  'tos_uri',
  'policy_uri',
  'jwks_uri',
  'software_id',
  'software_version',
  'software_statement',
];

/** Validates client metadata (RFC 7591 §2); other members are ignored. Throws invalid_redirect_uri or invalid_client_metadata. */
export function registrationOf(body: unknown, rules: readonly RedirectRules[]): Registration {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new OAuthError('invalid_client_metadata', 'The metadata must be a JSON object.');
  }
  // RFC 7592, 2.2: null is the same as nothing.
  const metadata = Object.entries(body).filter(([, value]) => value !== null);
  const {
    redirect_uris: uris,
    client_name: name,
    ...rest
  } = Object.fromEntries(metadata) as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must have 1 to ${MAX_URIS} URIs.`);
  }
  for (const uri of uris) {
    const refusal = typeof uri === 'string' ? refusalOf(uri, rules) : 'is not text';
    if (refusal !== null) {
      throw new OAuthError('invalid_redirect_uri', `${String(uri).slice(0, 200)} ${refusal}.`);
    }
  }
  refuseOther(rest);
  if (name !== undefined && (typeof name !== 'string' || name.length > 200 || ODD.test(name))) {
    throw new OAuthError(
      'invalid_client_metadata',
      'client_name must be text, up to 200 characters, without control characters.',
    );
  }
  const clientName = name === undefined || UNSEEN.test(name) ? null : name.trim();
  return { redirectUris: uris as string[], clientName };
}

/** Rejects metadata that the server cannot grant, instead of replacing it (RFC 7591 §3.2.1). */
function refuseOther(metadata: Record<string, unknown>): void {
  const list = (name: string): string[] | null => {
    const value = metadata[name];
    if (value === undefined) return null;
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw new OAuthError('invalid_client_metadata', `${name} must be a list of texts.`);
    }
    return value as string[];
  };
  for (const name of TEXTS) {
    if (metadata[name] !== undefined && typeof metadata[name] !== 'string') {
      throw new OAuthError('invalid_client_metadata', `${name} must be text.`);
    }
  }
  list('contacts');
  if (metadata.jwks !== undefined && (!isObject(metadata.jwks) || 'jwks_uri' in metadata)) {
    throw new OAuthError('invalid_client_metadata', 'jwks must be an object, without jwks_uri.');
  }
  const grants = list('grant_types');
  if (grants !== null && !grants.includes('authorization_code')) {
    throw new OAuthError(
      'invalid_client_metadata',
      'Only the grant authorization_code is supported.',
    );
  }
  const responses = list('response_types');
  if (responses !== null && !responses.includes('code')) {
    throw new OAuthError('invalid_client_metadata', 'Only the response type code is supported.');
  }
}

/** Returns the client information response (RFC 7591 §3.2.1). */
export function registered(namespace: Namespace, asked: Registration, now: Date): object {
  return {
    client_id: clientIdOf(namespace),
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(asked.clientName === null ? {} : { client_name: asked.clientName }),
    redirect_uris: asked.redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPES.join(' '),
  };
}
