// C/mcp/grants: people's own OAuth connections with servers behind the MCP gateway. Tokens are never read back.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const Grant = Type.Object(
  {
    backend_id: Uuid,
    user_id: Uuid,
    /** Null where the person is a member no more. */
    email: Nullable(Type.String()),
    state: OneOf(['connected', 'renew'] as const),
    /** Why the person has to connect anew; null where it works. */
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
    /** `own`: the caller's; `all`: everybody's, for administrators. */
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
  /** Whether the server's login took the tokens back; false where it offers that not, or did not answer. */
  revoked: Type.Boolean(),
  request_id: Type.String(),
});
/** Where the person's browser goes next: the server's login, which sends it back to the hub. */
export const GrantStarted = Type.Object({
  authorization_url: Type.String(),
  request_id: Type.String(),
});
export type GrantStarted = Static<typeof GrantStarted>;
