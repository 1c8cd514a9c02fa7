// Caches whose invalidation may end the access of a client: open streams and requests in flight are then revalidated.

/** Names of the caches of tokens, users and gateway settings. */
export const REVALIDATION_CACHES: ReadonlySet<string> = new Set([
  'mcp-token',
  'person',
  'mcp-settings',
]);

/** Cache of client sessions: their capabilities and log level. */
export const SESSION_CACHE = 'mcp-session';
