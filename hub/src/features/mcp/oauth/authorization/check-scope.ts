import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** A scope token (RFC 6749 §3.3). */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Rejects invalid characters, and ignores unknown scopes (RFC 6749 §3.3), such as `offline_access`. */
export function checkScope({ query }: AuthorizationRequest): void {
  const scopes = (query.scope ?? '').split(' ').filter((part) => part !== '');
  if (!scopes.every((scope) => SCOPE_TOKEN.test(scope))) {
    throw new OAuthError('invalid_scope', 'scope has invalid characters.');
  }
}
