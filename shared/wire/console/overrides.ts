// C/overrides and C/overrides/preview: policies that users set.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { OverrideMatch } from '../sync/delta.ts';
import { NamedSubscriberId, SubscriberId } from '../sync/device.ts';
import {
  APPROVAL_STATUSES,
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  PLATFORMS,
  SEVERITIES,
} from '../vocabulary.ts';
import { CountedListAnswer, FileFormat, ListQuery } from './common.ts';
import { ROLLOUT_STATES, Rollout } from './rollouts.ts';

const strict = { additionalProperties: false };

function scopeOf(subscriber: typeof SubscriberId) {
  return Type.Union([
    Type.Object({ kind: Type.Literal('tenant') }, strict),
    Type.Object({ kind: Type.Literal('group'), group_id: Uuid }, strict),
    Type.Object({ kind: Type.Literal('subscriber'), subscriber_id: subscriber }, strict),
    Type.Object({ kind: Type.Literal('device'), device_id: Uuid }, strict),
  ]);
}
export const OverrideScope = scopeOf(SubscriberId);
/** The scope of a new or changed override: a subscriber id must be sendable by a device. */
const AimedScope = scopeOf(NamedSubscriberId);
export type OverrideScope = Static<typeof OverrideScope>;

const Reason = Nullable(Type.String({ maxLength: 2000 }));
const Percent = Type.Integer({ minimum: 0, maximum: 100 });

export const OverrideInput = Type.Object(
  {
    /**
     * The id from the preview. A percentage selects devices by this id, so that the previewed devices are the affected
     * devices. A UUID of version 4 or 7 that no override of the tenant ever had. Default: the hub generates an id.
     */
    override_id: Type.Optional(Uuid),
    match: OverrideMatch,
    approval_status: OneOf(APPROVAL_STATUSES),
    execution_policy: OneOf(EXECUTION_POLICIES),
    /** The severity of caused alerts. Default: `high`, and `critical` for quarantine. */
    severity: Type.Optional(OneOf(SEVERITIES)),
    reason: Type.Optional(Reason),
    scope: AimedScope,
    effective_at: Type.Optional(Nullable(Instant)),
    expires_at: Type.Optional(Nullable(Instant)),
    rollout_percent: Type.Optional(Percent),
    /**
     * The revision of the preview that the user saw. The request fails with 412 if an override for the same subject and
     * scope was created, changed or withdrawn since. Absent: nothing is compared.
     */
    as_of_revision: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  strict,
);
export type OverrideInput = Static<typeof OverrideInput>;

const { as_of_revision: _seen, ...previewed } = OverrideInput.properties;

/** The body of a preview: a new override, or the replacement of a stored override. */
export const OverridePreviewInput = Type.Object(
  { ...previewed, replaces: Type.Optional(Uuid) },
  strict,
);
export type OverridePreviewInput = Static<typeof OverridePreviewInput>;

/** PATCH: an absent field is unchanged; `match` and `scope` are replaced completely. */
export const OverridePatch = Type.Object(
  {
    /** The revision of the preview that the user saw, with the same check as for a new override. */
    as_of_revision: OverrideInput.properties.as_of_revision,
    match: Type.Optional(OverrideMatch),
    approval_status: Type.Optional(OneOf(APPROVAL_STATUSES)),
    execution_policy: Type.Optional(OneOf(EXECUTION_POLICIES)),
    severity: Type.Optional(OneOf(SEVERITIES)),
    reason: Type.Optional(Reason),
    scope: Type.Optional(AimedScope),
    effective_at: Type.Optional(Nullable(Instant)),
    expires_at: Type.Optional(Nullable(Instant)),
    rollout_percent: Type.Optional(Percent),
  },
  strict,
);
export type OverridePatch = Static<typeof OverridePatch>;

export const Override = Type.Object({
  override_id: Uuid,
  /** The tenant's governance feed number of the last change. */
  revision: Type.Integer(),
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
  version: Type.String(),
  match: OverrideMatch,
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
  scope: OverrideScope,
  effective_at: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  rollout_percent: Type.Integer(),
  /** The most recent staged rollout, or null. */
  rollout: Nullable(Rollout),
  /** Set if a default policy owns the override; the default policy is edited instead. */
  default_kind: Nullable(OneOf(ENTITY_KINDS)),
  /** Set for an override that the hub created after drift on this device. Reviewing the application removes it. */
  drift_hold: Type.Boolean(),
  /** Set if a product policy owns the override; the product policy is edited instead. */
  product_policy_id: Nullable(Uuid),
  created_at: Type.String(),
  created_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type Override = Static<typeof Override>;

export const OverrideAnswer = Type.Object({ override: Override, request_id: Type.String() });
export type OverrideAnswer = Static<typeof OverrideAnswer>;

export const OverrideDeletedAnswer = Type.Object({
  override_id: Uuid,
  revision: Type.Integer(),
  deleted: Type.Literal(true),
  request_id: Type.String(),
});
export type OverrideDeletedAnswer = Static<typeof OverrideDeletedAnswer>;

/** The first matching state: withdrawn by a user, expired, replaced by another override, planned, or in force. */
export const OVERRIDE_STATES = ['withdrawn', 'expired', 'replaced', 'planned', 'in_force'] as const;
export type OverrideState = (typeof OVERRIDE_STATES)[number];

const filters = {
  /** Restricts the list to overrides with this entity id. */
  entity_id: Type.Optional(Sha256Hex),
  /** Restricts the list to overrides that may match this application by id, name, publisher, kind or platform. */
  concerns: Type.Optional(Sha256Hex),
  /** Restricts the list to this override in any state. */
  override_id: Type.Optional(Uuid),
  /** Default: all states except `withdrawn`. */
  state: Type.Optional(OneOf(OVERRIDE_STATES)),
  /** Restricts the list to overrides whose latest rollout has this state. */
  rollout: Type.Optional(OneOf(ROLLOUT_STATES)),
  /** Lists a product policy once; left out: once for each app of the product. */
  product_policies: Type.Optional(OneOf(['once'])),
};

/** Sort orders; a minus means descending: newest, strictest or last changed first, or earliest end first. */
export const OVERRIDE_SORTS = [
  '-created_at',
  '-execution_policy',
  '-updated_at',
  'expires_at',
] as const;
export type OverrideSort = (typeof OVERRIDE_SORTS)[number];

const listed = {
  ...filters,
  /** Default: `-created_at`. */
  sort: Type.Optional(OneOf(OVERRIDE_SORTS)),
};

export const OverridesQuery = Type.Object({ ...ListQuery, ...listed }, strict);
/** C/overrides/download: the same filters and order, without pages. */
export const OverridesDownloadQuery = Type.Object({ format: FileFormat, ...listed }, strict);

/** The product whose policy owns an override. */
export const PolicyProduct = Type.Object(
  {
    product_id: Sha256Hex,
    name: Type.String(),
    /** The platform that the policy is limited to; null for all. */
    platform: Nullable(OneOf(PLATFORMS)),
    /** So many apps have an override of the policy. */
    app_count: Type.Integer(),
  },
  { title: 'PolicyProduct' },
);
export type PolicyProduct = Static<typeof PolicyProduct>;

/** An override in the list. For a withdrawn override, `updated_by` and `updated_at` record the withdrawal. */
export const ListedOverride = Type.Object({
  ...Override.properties,
  state: OneOf(OVERRIDE_STATES),
  /**
   * An override in force with the same match and scope that takes precedence: stricter, or equally strict and newer.
   */
  replaced_by: Nullable(Uuid),
  /** Set where a product policy owns it. */
  product: Nullable(PolicyProduct),
});
export type ListedOverride = Static<typeof ListedOverride>;

export const OverridesAnswer = CountedListAnswer(ListedOverride);
export type OverridesAnswer = Static<typeof OverridesAnswer>;

/** An existing override for the subject of a preview. */
export const StandingDecision = Type.Object(
  {
    override_id: Uuid,
    match: OverrideMatch,
    scope: OverrideScope,
    approval_status: OneOf(APPROVAL_STATUSES),
    execution_policy: OneOf(EXECUTION_POLICIES),
    reason: Nullable(Type.String()),
    expires_at: Nullable(Type.String()),
    updated_by: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'StandingDecision' },
);
export type StandingDecision = Static<typeof StandingDecision>;

/** The first 20 overrides, newest first. */
const StandingDecisions = Type.Object({
  count: Type.Integer(),
  items: Type.Array(StandingDecision),
});

/**
 * Users' overrides for the same subject that have not ended. Within the same scope the more exact match takes
 * precedence, then the stricter policy; overrides of other scopes apply in addition.
 */
export const otherDecisions = { standing: StandingDecisions, elsewhere: StandingDecisions };

/** Counts are exact unless `at_least` is true; each `items` contains at most the first 100. */
export const Touched = Type.Object({
  /** The id that the counts apply to; the creation sends it back, because a percentage selects devices by it. */
  override_id: Uuid,
  /**
   * The blast radius that agents assign: no process is ended for `everything`, and for `group` only if few programs
   * match.
   */
  breadth: OneOf(['program', 'group', 'everything']),
  devices: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({ device_id: Uuid, hostname: Type.String(), subscriber_id: Type.String() }),
    ),
  }),
  people: Type.Object({
    count: Type.Integer(),
    items: Type.Array(Type.Object({ subscriber_id: Type.String() })),
  }),
  /** The device groups of those devices, with the number of devices in each. */
  groups: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({ group_id: Uuid, name: Type.String(), device_count: Type.Integer() }),
    ),
  }),
  /** Running programs that this override would decide about. */
  processes: Type.Object({
    count: Type.Integer(),
    /** More programs run than were examined. */
    at_least: Type.Boolean(),
    /**
     * The number of programs that would be ended and are not ended now. A hub of the previous release omits this field.
     */
    ended: Type.Optional(Type.Integer()),
    /** The number of programs that only a protection rule exempts. A hub of the previous release omits this field. */
    guarded: Type.Optional(Type.Integer()),
    /** For a match by `executable_sha256`: running programs on those devices whose file has no known digest. */
    unhashed: Type.Integer(),
    items: Type.Array(
      Type.Object({
        device_id: Uuid,
        hostname: Type.String(),
        name: Type.String(),
        executable_path: Nullable(Type.String()),
        current_policy: OneOf(EXECUTION_POLICIES),
        new_policy: OneOf(EXECUTION_POLICIES),
        /**
         * The program runs now, by the last report of its device; for a device without reports: it ran in the last 14
         * days.
         */
        is_running: Type.Boolean(),
        /** The protection rule that would refuse to end the program, or null. */
        guard_rail: Nullable(Type.String()),
      }),
    ),
  }),
  /** Enforcement records of the last 14 days about processes that the override newly blocks or quarantines. */
  activity: Type.Object({
    count: Type.Integer(),
    at_least: Type.Boolean(),
    devices: Type.Integer(),
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        application_name: Nullable(Type.String()),
        count: Type.Integer(),
        devices: Type.Integer(),
        last_at: Type.String(),
      }),
    ),
  }),
  /**
   * Overrides that take precedence over this override, with the number of devices on which both match an entity.
   * Default policies are listed even with 0 devices. The first 20.
   */
  overruled: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        override_id: Uuid,
        match: OverrideMatch,
        scope: OverrideScope,
        execution_policy: OneOf(EXECUTION_POLICIES),
        /** Set if a default policy of a kind owns the override. */
        default_kind: Nullable(OneOf(ENTITY_KINDS)),
        devices: Type.Integer(),
      }),
    ),
  }),
});
export type Touched = Static<typeof Touched>;

/** The reach of an override, and the existing overrides of the same subject. */
export const Preview = Type.Object({
  ...Touched.properties,
  /** The governance feed number of this preview; the creation sends it back. */
  as_of_revision: Type.Integer(),
  ...otherDecisions,
});
export type Preview = Static<typeof Preview>;

export const PreviewAnswer = Type.Object({ ...Preview.properties, request_id: Type.String() });
export type PreviewAnswer = Static<typeof PreviewAnswer>;
