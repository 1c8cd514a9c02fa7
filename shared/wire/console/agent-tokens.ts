// C/agent-tokens: what installers carry. Tokens of single devices are not among them.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const AgentTokenRow = Type.Object(
  {
    token_id: Uuid,
    name: Type.String(),
    /** It enrols devices and does nothing else. */
    enrol_only: Type.Boolean(),
    status: OneOf(['active', 'expired', 'revoked'] as const),
    created_at: Type.String(),
    expires_at: Nullable(Type.String()),
    revoked_at: Nullable(Type.String()),
  },
  { title: 'AgentToken' },
);
export type AgentTokenRow = Static<typeof AgentTokenRow>;

export const AgentTokensQuery = Type.Object(ListQuery, { additionalProperties: false });
export const AgentTokensList = ListAnswer(AgentTokenRow);

/** Made here it can only enrol; others are made at the command line. */
export const AgentTokenInput = Type.Object(
  {
    /** Its maker's own choice: sent again, it is `already_exists` and not made twice. */
    token_id: Type.Optional(Uuid),
    name: Type.String({
      description: '1 to 200 characters, not blank',
      pattern: '\\S',
      minLength: 1,
      maxLength: 200,
    }),
    expires_in_days: Type.Integer({ minimum: 1, maximum: 365 }),
  },
  { additionalProperties: false, title: 'AgentTokenInput' },
);
export type AgentTokenInput = Static<typeof AgentTokenInput>;

/** The only answer that holds a secret. */
export const AgentTokenIssued = Type.Object({
  token: AgentTokenRow,
  secret: Type.String(),
  request_id: Type.String(),
});
export type AgentTokenIssued = Static<typeof AgentTokenIssued>;
export const AgentTokenAnswer = Type.Object({ token: AgentTokenRow, request_id: Type.String() });
