// C/scim-tokens: what lets a company's directory provision people and groups.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const ScimTokenRow = Type.Object(
  {
    token_id: Uuid,
    name: Type.String(),
    status: OneOf(['active', 'expired', 'revoked'] as const),
    created_at: Type.String(),
    created_by: Nullable(Type.String({ description: 'an e-mail address' })),
    expires_at: Nullable(Type.String()),
    revoked_at: Nullable(Type.String()),
    last_used_at: Nullable(Type.String({ description: 'to the minute' })),
  },
  { title: 'ScimToken' },
);
export type ScimTokenRow = Static<typeof ScimTokenRow>;

export const ScimTokensQuery = Type.Object(ListQuery, { additionalProperties: false });
export const ScimTokensList = ListAnswer(ScimTokenRow);

export const ScimTokenInput = Type.Object(
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
  { additionalProperties: false, title: 'ScimTokenInput' },
);
export type ScimTokenInput = Static<typeof ScimTokenInput>;

/** The only answer that holds a secret. */
export const ScimTokenIssued = Type.Object({
  token: ScimTokenRow,
  secret: Type.String(),
  request_id: Type.String(),
});
export type ScimTokenIssued = Static<typeof ScimTokenIssued>;
export const ScimTokenAnswer = Type.Object({ token: ScimTokenRow, request_id: Type.String() });
