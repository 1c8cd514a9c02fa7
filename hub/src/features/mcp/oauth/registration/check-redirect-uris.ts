import { OAuthError } from '../errors.ts';
import { refusalOf } from '../redirects.ts';
import type { ClientMetadata } from './metadata.ts';

const MAX_URIS = 20;

/** Requires allowed redirect URIs (RFC 7591 §2, §5; RFC 8252 §7). */
export function checkRedirectUris({ members, rules }: ClientMetadata): void {
  const { redirect_uris: uris } = members;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must have 1 to ${MAX_URIS} URIs.`);
  }
  for (const uri of uris) {
    const refusal = typeof uri === 'string' ? refusalOf(uri, rules) : 'is not text';
    if (refusal !== null) {
      throw new OAuthError('invalid_redirect_uri', `${String(uri).slice(0, 200)} ${refusal}.`);
    }
  }
}
