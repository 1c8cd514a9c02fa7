// Tokens that administrators issue for machines: creation, list row and status.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';

/** The fields of a token row of any kind. */
export const TOKEN_ROW = {
  token_id: Uuid,
  name: Type.String(),
  status: OneOf(['active', 'expired', 'revoked'] as const),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  revoked_at: Nullable(Type.String()),
};
const AnyTokenRow = Type.Object(TOKEN_ROW);
export type IssuedToken = Static<typeof AnyTokenRow>;

/** Builds the body of a creation. `title` is the schema's name in the OpenAPI document. */
export const TokenInput = (title: string) =>
  Type.Object(
    {
      /**
       * An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second token.
       */
      token_id: Type.Optional(Uuid),
      name: NameText(200),
      expires_in_days: Type.Integer({ minimum: 1, maximum: 365 }),
    },
    { additionalProperties: false, title },
  );
export type TokenInput = Static<ReturnType<typeof TokenInput>>;
