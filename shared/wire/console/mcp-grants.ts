// C/mcp/grants: the users' OAuth connections to upstream MCP servers. Tokens are never read back.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const Grant = Type.Object(
  {
    backend_id: Uuid,
    user_id: Uuid,
    /** Null if the user is no longer a member. */
    email: Nullable(Type.String()),
    state: OneOf(['connected', 'renew'] as const),
    /** The reason why the user has to reconnect; null for a working connection. */
    renewal: Nullable(Type.String()),
    issuer: Type.String(),
    scope: Nullable(Type.String()),
    connected_at: Type.String(),
    refreshed_at: Type.String(),
  },
  { title: 'McpGrant' },
);
export type Grant = Static<typeof Grant>;
export const GrantList = ListAnswer(Grant);
export const GrantQuery = Type.Object(
  {
    ...ListQuery,
    /** `own`: the caller's connections; `all`: the connections of all users, for administrators. */
    of: Type.Optional(OneOf(['own', 'all'] as const)),
  },
  { additionalProperties: false },
);
export const GrantParams = Type.Object({
  tenant_id: Type.String(),
  backend_id: Uuid,
  user_id: Uuid,
});
export const GrantEnded = Type.Object({
  grant: Grant,
  /**
   * Whether the authorization server revoked the tokens (RFC 7009); false if it does not support revocation or did not
   * answer.
   */
  revoked: Type.Boolean(),
  request_id: Type.String(),
});
/** The next address for the browser: the authorization server, which redirects back to the hub. */
export const GrantStarted = Type.Object({
  authorization_url: Type.String(),
  request_id: Type.String(),
});
export type GrantStarted = Static<typeof GrantStarted>;
