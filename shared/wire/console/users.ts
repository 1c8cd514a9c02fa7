// C/users, C/sessions, C/own/sessions and C/login-provider: console users, their sessions and the identity provider.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { CountedListAnswer, ListAnswer, ListQuery } from './common.ts';

export const USER_STATES = ['enabled', 'disabled'] as const;

export const UserRow = Type.Object(
  {
    user_id: Uuid,
    email: Type.String(),
    /** The effective role: the higher of the user's own role and the roles of their groups. */
    role: OneOf(ROLES),
    /** The user's own role, which a role change sets. */
    given_role: OneOf(ROLES),
    state: OneOf(USER_STATES),
    created_at: Type.String(),
    disabled_at: Nullable(Type.String()),
    /** The last sign-in to this console; null if none is recorded. */
    last_sign_in_at: Nullable(Type.String()),
    /** The number of open sessions. */
    sessions: Type.Integer(),
    /** The value for If-Match. */
    version: Type.String(),
  },
  { title: 'User' },
);
export type UserRow = Static<typeof UserRow>;

export const UsersQuery = Type.Object(
  {
    ...ListQuery,
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    role: Type.Optional(OneOf(ROLES)),
    state: Type.Optional(OneOf(USER_STATES)),
  },
  { additionalProperties: false },
);
export const UsersList = CountedListAnswer(UserRow);

/** A user who signs in at the customer's own identity provider. */
export const UserInput = Type.Object(
  {
    email: Type.String({
      description: 'an e-mail address',
      maxLength: 320,
      pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]{1,253}$',
    }),
    role: OneOf(ROLES),
  },
  { additionalProperties: false, title: 'UserInput' },
);
export type UserInput = Static<typeof UserInput>;

export const UserPatch = Type.Object(
  { role: Type.Optional(OneOf(ROLES)), disabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false, minProperties: 1, title: 'UserPatch' },
);
export type UserPatch = Static<typeof UserPatch>;
export const UserAnswer = Type.Object({ user: UserRow, request_id: Type.String() });
export type UserAnswer = Static<typeof UserAnswer>;

export const SessionRow = Type.Object(
  {
    session_id: Uuid,
    user_id: Uuid,
    email: Type.String(),
    /** The browser's User-Agent. */
    user_agent: Type.String(),
    /** The client address at sign-in; null if it was not recorded. */
    source_address: Nullable(Type.String()),
    created_at: Type.String(),
    /** The last use, accurate to a few minutes. */
    last_used_at: Type.String(),
    expires_at: Type.String(),
    /** Whether this session authenticated the request. */
    current: Type.Boolean(),
  },
  { title: 'Session' },
);
export type SessionRow = Static<typeof SessionRow>;

export const SessionsQuery = Type.Object(
  { ...ListQuery, user_id: Type.Optional(Uuid) },
  { additionalProperties: false },
);
export const OwnSessionsQuery = Type.Object(ListQuery, { additionalProperties: false });
export const SessionsList = ListAnswer(SessionRow);
export const SessionEndedAnswer = Type.Object({ session_id: Uuid, request_id: Type.String() });

/** The sign-in configuration of the operator, without secrets. */
export const LoginProviderAnswer = Type.Object({
  provider: Type.Object({
    kind: OneOf(['embedded', 'openid'] as const),
    issuer: Type.String(),
    client_id: Type.String(),
    has_client_secret: Type.Boolean(),
    /** The redirect URI that the identity provider must allow. */
    redirect_uri: Type.String(),
    session_hours: Type.Integer(),
    /** The meaning of the claims in an administrator's token. */
    token_claims: Type.Array(Type.Object({ meaning: Type.String(), claim: Type.String() })),
  }),
  request_id: Type.String(),
});
export type LoginProviderAnswer = Static<typeof LoginProviderAnswer>;
