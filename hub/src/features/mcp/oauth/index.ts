// The OAuth server of the MCP gateway: what the composition and the gateway may use.
export { isAllowedOrigin } from './allow-page.ts';
export { challengeOf, idOf, type Namespace } from './namespaces.ts';
export { mayBeScheme, mayBeTarget } from './redirects.ts';
export { registerOAuth } from './routes.ts';
export { deleteOldOAuth, eraseCodes } from './store.ts';
