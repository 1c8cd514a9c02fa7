// The OAuth 2.1 server of the MCP gateway: metadata, registration, authorization, consent, tokens.
// Main types: `Namespace`, `AuthorizationRequest`.
// Invariant: a redirect URI matches exactly; a code is bound to a client, a resource and a PKCE challenge, and works once.
// Depends on access-tokens, settings and people. Implements RFC 6749, 7636, 7591, 8414, 8707 and 9728.
// Start reading at routes.ts, then validate.ts in authorization/, token/ and registration/.
export { isAllowedOrigin } from './allow-page.ts';
export { bearerChallenge, type Namespace, namespaceId } from './namespaces.ts';
export { mayBeScheme, mayBeTarget } from './redirects.ts';
export { registerOAuth } from './routes.ts';
export { deleteOldOAuth, eraseCodes } from './store.ts';
