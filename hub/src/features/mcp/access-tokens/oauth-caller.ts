// Validation of an OAuth token: its namespace (RFC 8707 §2), and the access of its user.
import { type AccessCache, NO_MEMBER } from './access-cache.ts';
import { type AcceptedTokens, type Caller, InvalidTokenError } from './caller.ts';
import type { OAuthToken } from './store.ts';

/** Returns the caller with an OAuth token. Throws InvalidTokenError. */
export async function validateOAuthToken(
  cache: AccessCache,
  token: OAuthToken,
  accepted: AcceptedTokens,
  agent: string | null,
): Promise<Caller> {
  if (accepted.namespace !== null && token.namespace !== accepted.namespace) {
    throw new InvalidTokenError('The token is for another endpoint.');
  }
  const problem = await findProblem(cache, token);
  if (problem !== null) throw new InvalidTokenError(problem);
  return {
    via: 'oauth',
    tokenId: token.token_id,
    tenantId: token.tenant_id,
    userId: token.user_id,
    email: token.email,
    agent,
    upstreamToken: null,
  };
}

/** A token of the root needs access to any tenant. */
async function findProblem(
  cache: AccessCache,
  { tenant_id: tenantId, user_id: userId, email_folded: email, created_at: issuedAt }: OAuthToken,
): Promise<string | null> {
  if (tenantId !== null) return cache.findAccessProblem({ tenantId, userId, email }, issuedAt);
  return (await cache.hasAnyMembership(email, issuedAt)) ? null : NO_MEMBER;
}
