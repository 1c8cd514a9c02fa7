// Tokens that administrators make for machines, of whatever kind: how one is asked for, and how it stands.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';

/** What a row of any kind has. */
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

/** `title`: as the document names it. */
export const TokenInput = (title: string) =>
  Type.Object(
    {
      /** Its maker's own choice: sent again, it is `already_exists` and not made twice. */
      token_id: Type.Optional(Uuid),
      name: NameText(200),
      expires_in_days: Type.Integer({ minimum: 1, maximum: 365 }),
    },
    { additionalProperties: false, title },
  );
export type TokenInput = Static<ReturnType<typeof TokenInput>>;
