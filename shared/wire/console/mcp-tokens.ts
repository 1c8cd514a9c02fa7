// C/mcp/backends/{id}/api-tokens and C/mcp/tokens: tokens that authorize requests to MCP URLs.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const ApiTokenInput = Type.Object(
  {
    /** An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second token. */
    token_id: Type.Optional(Uuid),
    name: NameText(200),
    agent: Type.String({
      description: "the product before the / of the client's User-Agent",
      minLength: 1,
      maxLength: 300,
      pattern: '^[\\x20-\\x7e]+$',
    }),
    /** The agent must equal the whole header instead of the product before the `/`. */
    whole_header: Type.Optional(Type.Boolean({ default: false })),
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  },
  { additionalProperties: false, title: 'McpApiTokenInput' },
);
export type ApiTokenInput = Static<typeof ApiTokenInput>;

const described = {
  id: Uuid,
  backend_id: Uuid,
  name: Type.String(),
  agent: Type.String(),
  whole_header: Type.Boolean(),
  fingerprint: Type.String(),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
};
export const ApiToken = Type.Object(described, { title: 'McpApiToken' });
export type ApiToken = Static<typeof ApiToken>;
export const ApiTokenIssued = Type.Object({
  token: Type.Object({ ...described, secret: Type.String() }, { title: 'McpApiTokenIssued' }),
  request_id: Type.String(),
});
export type ApiTokenIssued = Static<typeof ApiTokenIssued>;
export const ApiTokenAnswer = Type.Object({ token: ApiToken, request_id: Type.String() });
export const ApiTokenList = ListAnswer(ApiToken);
export const ApiTokenParams = Type.Object({
  tenant_id: Type.String(),
  backend_id: Uuid,
  token_id: Uuid,
});

export const McpToken = Type.Object(
  {
    id: Uuid,
    /** The endpoint of the token: `gwone`, `gwone/{tenant_id}` or `backend/{tenant_id}/{backend_id}`. */
    namespace: Type.String(),
    email: Type.String(),
    client_name: Nullable(Type.String()),
    redirect_host: Type.String(),
    created_at: Type.String(),
    last_used_at: Nullable(Type.String()),
  },
  { title: 'McpToken' },
);
export type McpToken = Static<typeof McpToken>;
export const McpTokenList = ListAnswer(McpToken);
export const McpTokenAnswer = Type.Object({ token: McpToken, request_id: Type.String() });
export const ApiTokensQuery = Type.Object(
  {
    ...ListQuery,
    of: Type.Optional(OneOf(['own', 'all'] as const)),
    backend_id: Type.Optional(Uuid),
  },
  { additionalProperties: false },
);
export const McpTokenQuery = Type.Object(
  {
    ...ListQuery,
    /** `own`: the caller's tokens; `all`: the tokens of all users, for administrators. */
    of: Type.Optional(OneOf(['own', 'all'] as const)),
  },
  { additionalProperties: false },
);
