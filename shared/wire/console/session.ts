// The signed-in user: GET and DELETE /console/api/v1/session, and PUT …/password.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { PASSWORD_LENGTH } from './limits.ts';

export const SessionAnswer = Type.Object({
  email: Type.String(),
  /** The CSRF token; every write sends it back in `X-CSRF-Token`. */
  csrf_token: Type.String(),
  tenants: Type.Array(
    Type.Object({ tenant_id: Uuid, name: Type.String(), user_id: Uuid, role: OneOf(ROLES) }),
  ),
  /** Tenants of the user that the operator suspended: nothing of them can be read. */
  suspended: Type.Array(Type.Object({ tenant_id: Uuid, name: Type.String() })),
  expires_at: Type.String(),
  /** The hub stores the user's password, so that the user can change it. */
  has_password: Type.Boolean(),
  /** Display names that the operator configured for provider vendors, by letter: `{"D":"Acme"}`. */
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
