// C/users, C/sessions, C/own/sessions and C/login-provider: who may sign in, who has, and where.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { ROLES } from '../vocabulary.ts';
import { CountedListAnswer, ListAnswer, ListQuery } from './common.ts';

export const USER_STATES = ['enabled', 'disabled'] as const;

export const UserRow = Type.Object(
  {
    user_id: Uuid,
    email: Type.String(),
    /** What they may do: the higher of what they were given and of what the groups that they are in have. */
    role: OneOf(ROLES),
    /** What they were given themselves: what a change of their role changes. */
    given_role: OneOf(ROLES),
    state: OneOf(USER_STATES),
    created_at: Type.String(),
    disabled_at: Nullable(Type.String()),
    /** To this console; null: not since it is remembered. */
    last_sign_in_at: Nullable(Type.String()),
    /** Sessions that are open now. */
    sessions: Type.Integer(),
    /** For If-Match. */
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

/** Somebody who signs in at the customer's own login provider. */
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
    /** What the browser calls itself. */
    user_agent: Type.String(),
    /** Where the person signed in from; null if it was not recorded. */
    source_address: Nullable(Type.String()),
    created_at: Type.String(),
    /** To a few minutes. */
    last_used_at: Type.String(),
    expires_at: Type.String(),
    /** The one of this request. */
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

/** How people sign in, as the operator configured it; without secrets. */
export const LoginProviderAnswer = Type.Object({
  provider: Type.Object({
    kind: OneOf(['embedded', 'openid'] as const),
    issuer: Type.String(),
    client_id: Type.String(),
    has_client_secret: Type.Boolean(),
    /** What the provider has to send people back to. */
    redirect_uri: Type.String(),
    session_hours: Type.Integer(),
    /** Which claims of an administrator's token say what. */
    token_claims: Type.Array(Type.Object({ meaning: Type.String(), claim: Type.String() })),
  }),
  request_id: Type.String(),
});
export type LoginProviderAnswer = Static<typeof LoginProviderAnswer>;
