// GET C/identity: a user as devices, gateways and sign-in identify them, with counts that link to lists.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { PLATFORMS, ROLES } from '../vocabulary.ts';
import { CountedListAnswer, ListQuery } from './common.ts';
import { USER_STATES, UserRow } from './users.ts';

export const IDENTITY_DEVICES_MOST = 50;
/** The count of open alerts stops at this number. */
export const IDENTITY_ALERTS_MOST = 1_000;
/** The period of gateway use in days, at most as long as logs are retained. */
export const IDENTITY_USE_DAYS = 30;

export const IdentityQuery = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 320 }) },
  { additionalProperties: false },
);

const Count = Type.Integer({ minimum: 0 });

const Identity = Type.Object({
  /** The e-mail address as requested, or as the list of users stores it. */
  email: Type.String(),
  /** At most `IDENTITY_DEVICES_MOST` devices, by host name, without retired devices. */
  devices: Type.Array(
    Type.Object({
      device_id: Uuid,
      hostname: Type.String(),
      /** The user as the device sends it; overrides for a user compare it exactly. */
      subscriber_id: Type.String(),
      platform: OneOf(PLATFORMS),
      last_seen_at: Type.String(),
      entity_count: Count,
    }),
  ),
  /** The number of distinct apps on these devices. */
  apps: Count,
  open_alerts: Count,
  access_requests: Type.Object({ open: Count, all: Count }),
  llm: Type.Object({ requests: Count, blocked: Count, cost_usd: Type.Number() }),
  mcp: Type.Object({ calls: Count, blocked: Count }),
  groups: Type.Array(Type.Object({ people_group_id: Uuid, name: Type.String() })),
  /** The console user; null for other identities, and for readers who are not administrators. */
  account: Nullable(
    Type.Object({
      user_id: Uuid,
      role: OneOf(ROLES),
      state: OneOf(['enabled', 'disabled']),
      last_sign_in_at: Nullable(Type.String()),
    }),
  ),
});

export const IdentityAnswer = Type.Object({ identity: Identity, request_id: Type.String() });
export type IdentityAnswer = Static<typeof IdentityAnswer>;

/** The sorts of records that name a user. */
export const IDENTITY_KINDS = ['console', 'device', 'gateway', 'group', 'request'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];
/** Users who were never seen come last both ways. */
export const IDENTITY_SORTS = [
  ...(['email', '-email', 'device_count', '-device_count'] as const),
  ...(['last_seen_at', '-last_seen_at'] as const),
] as const;
export type IdentitySort = (typeof IDENTITY_SORTS)[number];

/** GET C/identities: every user that a sign-in, a device, a gateway row, a group or an access request names. */
export const IdentitiesQuery = Type.Object(
  {
    ...ListQuery,
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Only users that a record of this sort names. */
    kind: Type.Optional(OneOf(IDENTITY_KINDS)),
    /** Only console users with this role, or in this state. */
    role: Type.Optional(OneOf(ROLES)),
    state: Type.Optional(OneOf(USER_STATES)),
    /** Left out: `email`. */
    sort: Type.Optional(OneOf(IDENTITY_SORTS)),
  },
  { additionalProperties: false },
);

export const IdentityRow = Type.Object(
  {
    email: Type.String(),
    kinds: Type.Array(OneOf(IDENTITY_KINDS)),
    /** Devices that are not retired. */
    device_count: Count,
    /** The later of the last sign-in to the console and the last report of a device; null if there is neither. */
    last_seen_at: Nullable(Type.String()),
    /** Set for console users. */
    account: Nullable(UserRow),
  },
  { title: 'IdentityRow' },
);
export type IdentityRow = Static<typeof IdentityRow>;
export const IdentitiesAnswer = CountedListAnswer(IdentityRow);
