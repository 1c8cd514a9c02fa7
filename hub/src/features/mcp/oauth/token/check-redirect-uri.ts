import { type CodeExchange, invalidGrant } from './request.ts';

/** Requires the redirect URI of the authorization request (RFC 6749 §4.1.3). A code verifier replaces an omitted URI. */
export function checkRedirectUri({ form, used, pkce }: CodeExchange): void {
  const { redirect_uri: redirectUri } = form.fields;
  const hasChallenge = used.asked.challenge !== null && pkce !== 'off';
  const isValid = redirectUri === undefined ? hasChallenge : redirectUri === used.asked.redirectUri;
  if (!isValid) throw invalidGrant("redirect_uri doesn't match the authorization request.");
}
