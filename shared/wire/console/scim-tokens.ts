// C/scim-tokens: tokens with which a company's directory provisions users and groups (SCIM 2.0).
import { type Static, Type } from 'typebox';
import { Nullable } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { TOKEN_ROW, TokenInput } from './issued-tokens.ts';

export const ScimTokenRow = Type.Object(
  {
    ...TOKEN_ROW,
    created_by: Nullable(Type.String({ description: 'an e-mail address' })),
    last_used_at: Nullable(Type.String({ description: 'to the minute' })),
  },
  { title: 'ScimToken' },
);
export type ScimTokenRow = Static<typeof ScimTokenRow>;

export const ScimTokensQuery = Type.Object(ListQuery, { additionalProperties: false });
export const ScimTokensList = ListAnswer(ScimTokenRow);

export const ScimTokenInput = TokenInput('ScimTokenInput');

/** The only response with the secret. */
export const ScimTokenIssued = Type.Object({
  token: ScimTokenRow,
  secret: Type.String(),
  request_id: Type.String(),
});
export type ScimTokenIssued = Static<typeof ScimTokenIssued>;
export const ScimTokenAnswer = Type.Object({ token: ScimTokenRow, request_id: Type.String() });
