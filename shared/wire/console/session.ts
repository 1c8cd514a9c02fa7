// Who is signed in: GET and DELETE /console/api/v1/session, and PUT …/password.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { PASSWORD_LENGTH } from './limits.ts';

export const SessionAnswer = Type.Object({
  email: Type.String(),
  /** Sent back in `X-CSRF-Token` on every write. */
  csrf_token: Type.String(),
  tenants: Type.Array(
    Type.Object({ tenant_id: Uuid, name: Type.String(), user_id: Uuid, role: OneOf(ROLES) }),
  ),
  expires_at: Type.String(),
  /** The hub keeps the person's password: they may change it. */
  has_password: Type.Boolean(),
  /** Names that the operator gave provider vendors, by letter: `{"D":"Acme"}`. */
  provider_names: Type.Record(Type.String(), Type.String()),
  request_id: Type.String(),
});
export type SessionAnswer = Static<typeof SessionAnswer>;

export const PasswordInput = Type.Object(
  {
    current_password: Type.String({ maxLength: PASSWORD_LENGTH.most }),
    new_password: Type.String({
      minLength: PASSWORD_LENGTH.least,
      maxLength: PASSWORD_LENGTH.most,
    }),
  },
  { additionalProperties: false, title: 'PasswordInput' },
);
export type PasswordInput = Static<typeof PasswordInput>;
export const PasswordAnswer = Type.Object({ request_id: Type.String() });
