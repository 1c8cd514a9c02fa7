// C/agent-tokens: enrollment tokens that installers contain. Tokens of single devices are not listed.
import { type Static, Type } from 'typebox';
import { ListAnswer, ListQuery } from './common.ts';
import { TOKEN_ROW, TokenInput } from './issued-tokens.ts';

export const AgentTokenRow = Type.Object(
  {
    ...TOKEN_ROW,
    /** The token enrolls devices and permits nothing else. */
    enrol_only: Type.Boolean(),
  },
  { title: 'AgentToken' },
);
export type AgentTokenRow = Static<typeof AgentTokenRow>;

export const AgentTokensQuery = Type.Object(ListQuery, { additionalProperties: false });
export const AgentTokensList = ListAnswer(AgentTokenRow);

/** A token from this route can only enroll; the command line creates other tokens. */
export const AgentTokenInput = TokenInput('AgentTokenInput');

/** The only response with the secret. */
export const AgentTokenIssued = Type.Object({
  token: AgentTokenRow,
  secret: Type.String(),
  request_id: Type.String(),
});
export type AgentTokenIssued = Static<typeof AgentTokenIssued>;
export const AgentTokenAnswer = Type.Object({ token: AgentTokenRow, request_id: Type.String() });
