// Bearer tokens for MCP URLs: issue, authenticate, revoke. Implements RFC 6750.
// Main types: `Caller`, `TokenCheck`, `InvalidTokenError`.
// Invariant: a token is stored as a hash; a revoked token or a removed user is rejected within a second in each hub process.
// Depends on backends and settings.
// Start reading at `createTokenCheck` in authenticate.ts.

export type { PersonInTenant } from './access-cache.ts';
export { registerApiTokens } from './api-token-routes.ts';
export { createTokenCheck, type TokenCheck } from './authenticate.ts';
export { type Caller, InvalidTokenError } from './caller.ts';
export { ISSUED_API_TOKENS, ISSUED_OAUTH_TOKENS } from './issued-tokens.ts';
export { registerOAuthTokens } from './oauth-token-routes.ts';
export {
  apiTokenWith,
  eraseOAuthTokens,
  insertOAuthTokens,
  type NewOAuthToken,
  revokeOAuthToken,
  selectBackendsWithApiTokens,
} from './store.ts';
