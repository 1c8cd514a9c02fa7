// C/agent-tokens: what installers carry. Tokens of single devices are not among them.
import { type Static, Type } from 'typebox';
import { ListAnswer, ListQuery } from './common.ts';
import { TOKEN_ROW, TokenInput } from './issued-tokens.ts';

export const AgentTokenRow = Type.Object(
  {
    ...TOKEN_ROW,
    /** It enrols devices and does nothing else. */
    enrol_only: Type.Boolean(),
  },
  { title: 'AgentToken' },
);
export type AgentTokenRow = Static<typeof AgentTokenRow>;

export const AgentTokensQuery = Type.Object(ListQuery, { additionalProperties: false });
export const AgentTokensList = ListAnswer(AgentTokenRow);

/** Made here it can only enrol; others are made at the command line. */
export const AgentTokenInput = TokenInput('AgentTokenInput');

/** The only answer that holds a secret. */
export const AgentTokenIssued = Type.Object({
  token: AgentTokenRow,
  secret: Type.String(),
  request_id: Type.String(),
});
export type AgentTokenIssued = Static<typeof AgentTokenIssued>;
export const AgentTokenAnswer = Type.Object({ token: AgentTokenRow, request_id: Type.String() });
