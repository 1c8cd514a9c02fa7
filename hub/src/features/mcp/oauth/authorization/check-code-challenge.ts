import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Requires the method S256 (RFC 7636 §4.3) if the client sends a challenge. */
export function checkCodeChallenge({ query, asked, pkce }: AuthorizationRequest): void {
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (pkce === 'off') return;
  if (challenge === undefined) {
    if (method === undefined) return;
    throw new OAuthError('invalid_request', 'code_challenge is missing.');
  }
  if (method !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', "code_challenge isn't a valid S256 challenge.");
  }
  asked.challenge = challenge;
}
