// Who is signed in: GET and DELETE /console/api/v1/session.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';

export const SessionAnswer = Type.Object({
  email: Type.String(),
  /** Sent back in `X-CSRF-Token` on every write. */
  csrf_token: Type.String(),
  tenants: Type.Array(
    Type.Object({ tenant_id: Uuid, name: Type.String(), user_id: Uuid, role: OneOf(ROLES) }),
  ),
  expires_at: Type.String(),
  request_id: Type.String(),
});
export type SessionAnswer = Static<typeof SessionAnswer>;
