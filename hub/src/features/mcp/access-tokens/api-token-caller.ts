// Validation of a direct API token: its backend, expiry and user agent, and the user that the client claims.
import { foldName } from '@gatewarden/shared/names.ts';
import { isAllowedAddress } from '../settings/index.ts';
import type { AccessCache } from './access-cache.ts';
import { type AcceptedTokens, type Caller, InvalidTokenError } from './caller.ts';
import type { ApiToken } from './store.ts';

/** Returns the caller with a direct API token. Throws InvalidTokenError. */
export async function validateApiToken(
  cache: AccessCache,
  token: ApiToken,
  accepted: AcceptedTokens,
  { mcpuser, userAgent }: { mcpuser?: string | undefined; userAgent?: string | undefined },
): Promise<Caller> {
  checkBackend(token, accepted);
  checkExpiry(token);
  const email = await checkClaimedUser(cache, token, mcpuser);
  checkAgent(token, userAgent);
  return {
    via: 'api_token',
    tokenId: token.token_id,
    tenantId: token.tenant_id,
    // The e-mail address is a claim instead of a sign-in, so it gives no access to the data of that user.
    userId: null,
    email,
    agent: userAgent ?? null,
    upstreamToken: null,
  };
}

function checkBackend(token: ApiToken, { backend }: AcceptedTokens): void {
  const isAccepted =
    backend !== null &&
    backend.tenantId === token.tenant_id &&
    backend.backendId === token.backend_id;
  if (!isAccepted) throw new InvalidTokenError('The token is for another endpoint.');
}

function checkExpiry({ expires_at: expiresAt }: ApiToken): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new InvalidTokenError('The token has expired.');
  }
}

const EMAIL = /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,253}$/;

/** Returns the folded e-mail address of the header `mcpuser`. */
async function checkClaimedUser(
  cache: AccessCache,
  { tenant_id: tenantId }: ApiToken,
  mcpuser: string | undefined,
): Promise<string> {
  if (mcpuser === undefined || !EMAIL.test(mcpuser)) {
    throw new InvalidTokenError("The header mcpuser must be a user's e-mail address.");
  }
  if (!isAllowedAddress(await cache.settings(tenantId), mcpuser, 'mcpuser')) {
    throw new InvalidTokenError('The e-mail domain of mcpuser is not allowed.');
  }
  return foldName(mcpuser);
}

function checkAgent(token: ApiToken, userAgent: string | undefined): void {
  if (!matchesAgent(token, userAgent)) {
    throw new InvalidTokenError('The token is for another agent.');
  }
}

/** Returns whether the user agent matches: its product before the `/`, or the complete header if the token requires it. */
function matchesAgent({ agent, whole_header: isWhole }: ApiToken, userAgent?: string): boolean {
  if (userAgent === undefined) return false;
  if (isWhole) return userAgent === agent;
  return userAgent.split('/')[0] === agent && /^[^\s/]+\//.test(userAgent);
}
