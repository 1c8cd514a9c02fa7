// GET /ea/v1/sync/delta: governance overrides since the cursor, in the hub's commit order.
import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import {
  MATCH_QUALIFIERS,
  type QualifierName,
  type QualifierType,
} from '../../match-qualifiers.ts';
import {
  Instant,
  Nullable,
  OneOf,
  OptionalNullable,
  Sha256Hex,
  ShortText,
  Uuid,
} from '../common.ts';
import {
  APPROVAL_STATUSES,
  ENFORCEMENT_CEILINGS,
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  PLATFORMS,
  SCOPE_KINDS,
  SEVERITIES,
} from '../vocabulary.ts';

const QUALIFIER_SCHEMAS = {
  sha256: Sha256Hex,
  text: ShortText,
  platform: OneOf(PLATFORMS),
  kind: OneOf(ENTITY_KINDS),
} as const satisfies Record<QualifierType, TSchema>;

type QualifierSchemas = {
  [Name in QualifierName]: TOptional<
    (typeof QUALIFIER_SCHEMAS)[(typeof MATCH_QUALIFIERS)[Name]['type']]
  >;
};

/** A non-empty set of qualifiers; an entity must match all of them. */
export const OverrideMatch = Type.Object(
  Object.fromEntries(
    Object.entries(MATCH_QUALIFIERS).map(([name, { type }]) => [
      name,
      Type.Optional(QUALIFIER_SCHEMAS[type]),
    ]),
  ) as QualifierSchemas,
  { additionalProperties: false, minProperties: 1 },
);
export type OverrideMatch = Static<typeof OverrideMatch>;

export const WireOverride = Type.Object({
  override_id: Uuid,
  revision: Type.Integer({ minimum: 0 }),
  deleted: Type.Boolean(),
  scope_kind: OneOf(SCOPE_KINDS),
  match: OverrideMatch,
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
  effective_at: Nullable(Instant),
  expires_at: Nullable(Instant),
});
export type WireOverride = Static<typeof WireOverride>;

export const DeltaQuery = Type.Object({
  // The cursor may be as long as the head of a request. The hub checks its content instead of its length.
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  limit: Type.Optional(
    Type.String({
      description: 'a whole number from 1 to 500',
      pattern: '^([1-9]|[1-9]\\d|[1-4]\\d\\d|500)$',
    }),
  ),
  applied: Type.Optional(Sha256Hex),
  inventory: Type.Optional(Sha256Hex),
});
export type DeltaQuery = Static<typeof DeltaQuery>;

/** The parts of a device that the tenant permits discovery to scan; an absent field means true. */
export const DiscoveryScope = Type.Object({
  /** False: discovery skips the homes of users. */
  personal_homes: Type.Optional(Type.Boolean()),
  /** False: discovery skips the browser profiles in homes. */
  browser_profiles: Type.Optional(Type.Boolean()),
});

/** Permissions of users in the tray app. Absent fields permit no pause and name no contact. */
export const TraySetting = Type.Object({
  /** How many minutes within 24 hours a user may pause enforcement; 0 permits no pause. */
  pause_minutes: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The contact for questions, as the tray app shows it. */
  contact: OptionalNullable(Type.String({ maxLength: 256 })),
});
export type TraySetting = Static<typeof TraySetting>;

export const DeltaAnswer = Type.Object({
  overrides: Type.Array(WireOverride),
  next_cursor: Type.String(),
  has_more: Type.Boolean(),
  server_time: Instant,
  poll_after_seconds: Type.Integer({ minimum: 1 }),
  enforcement_ceiling: OneOf(ENFORCEMENT_CEILINGS),
  inventory_epoch: Type.String(),
  inventory_confirmed: Type.Boolean(),
  discovery: Type.Optional(DiscoveryScope),
  tray: Type.Optional(TraySetting),
});
export type DeltaAnswer = Static<typeof DeltaAnswer>;
