// Tokens that open MCP URLs: what other features and the composition may use.
export {
  type Caller,
  createTokenCheck,
  NotAdmitted,
  type PersonInTenant,
  type TokenCheck,
} from './check.ts';
export { ISSUED_API_TOKENS, ISSUED_OAUTH_TOKENS } from './issued.ts';
export { registerMcpTokens } from './routes.ts';
export {
  apiTokenWith,
  eraseOAuthTokens,
  insertOAuthTokens,
  type NewOAuthToken,
  revokeOAuthToken,
  selectBackendsWithApiTokens,
} from './store.ts';
