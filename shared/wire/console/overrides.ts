// C/overrides and C/overrides/preview: what people decide.
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

const scopeOf = (subscriber: typeof SubscriberId) =>
  Type.Union([
    Type.Object({ kind: Type.Literal('tenant') }, strict),
    Type.Object({ kind: Type.Literal('group'), group_id: Uuid }, strict),
    Type.Object({ kind: Type.Literal('subscriber'), subscriber_id: subscriber }, strict),
    Type.Object({ kind: Type.Literal('device'), device_id: Uuid }, strict),
  ]);
export const OverrideScope = scopeOf(SubscriberId);
/** Of a decision that is made or changed: for somebody whom a device can name. */
const AimedScope = scopeOf(NamedSubscriberId);
export type OverrideScope = Static<typeof OverrideScope>;

const Reason = Nullable(Type.String({ maxLength: 2000 }));
const Percent = Type.Integer({ minimum: 0, maximum: 100 });

export const OverrideInput = Type.Object(
  {
    /**
     * As a preview answered it: the devices that a percentage chooses hang on it, so that what was previewed is what
     * is stored. A UUID of version 4 or 7 that no decision of the tenant ever had; left out, the hub makes one.
     */
    override_id: Type.Optional(Uuid),
    match: OverrideMatch,
    approval_status: OneOf(APPROVAL_STATUSES),
    execution_policy: OneOf(EXECUTION_POLICIES),
    /** Of the alerts it causes; left out: `high`, and `critical` for quarantine. */
    severity: Type.Optional(OneOf(SEVERITIES)),
    reason: Type.Optional(Reason),
    scope: AimedScope,
    effective_at: Type.Optional(Nullable(Instant)),
    expires_at: Type.Optional(Nullable(Instant)),
    rollout_percent: Type.Optional(Percent),
    /**
     * Of the preview that its maker saw: refused with 412 where a person's decision about the same, in whatever words
     * and for the same scope, was made, changed or withdrawn since. Left out, nothing is compared.
     */
    as_of_revision: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  strict,
);
export type OverrideInput = Static<typeof OverrideInput>;

const { as_of_revision: _seen, ...previewed } = OverrideInput.properties;

/** What a preview is asked: the body of a new decision, or of one that takes the place of a stored one. */
export const OverridePreviewInput = Type.Object(
  { ...previewed, replaces: Type.Optional(Uuid) },
  strict,
);
export type OverridePreviewInput = Static<typeof OverridePreviewInput>;

/** PATCH: what is left out stays; `match` and `scope` are replaced whole. */
export const OverridePatch = Type.Object(
  {
    /** Of the preview that was seen: another decision about the same since then is refused as for a new one. */
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
  /** The tenant's governance feed number of its last change. */
  revision: Type.Integer(),
  /** The ETag verbatim, with its quotes: what `If-Match` takes. */
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
  /** Its staged rollout, the last one that was started; null where there was none. */
  rollout: Nullable(Rollout),
  /** Set where it stands for a default policy: it is changed there. */
  default_kind: Nullable(OneOf(ENTITY_KINDS)),
  /** The hub holds what drifted on this device: it goes with the review of the application. */
  drift_hold: Type.Boolean(),
  /** Set where a product policy owns it: it is changed there. */
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

/** The first that fits: withdrawn by somebody, over, overtaken by another one, not begun yet, or none of it. */
export const OVERRIDE_STATES = ['withdrawn', 'expired', 'replaced', 'planned', 'in_force'] as const;
export type OverrideState = (typeof OVERRIDE_STATES)[number];

const filters = {
  /** Only overrides that name this entity. */
  entity_id: Type.Optional(Sha256Hex),
  /** Only what may hold for this application: by its id, its name, its publisher, its kind or its platform. */
  concerns: Type.Optional(Sha256Hex),
  /** Only this one, whatever its state. */
  override_id: Type.Optional(Uuid),
  /** Left out: all that were not withdrawn. */
  state: Type.Optional(OneOf(OVERRIDE_STATES)),
  /** Only those whose last rollout stands so. */
  rollout: Type.Optional(OneOf(ROLLOUT_STATES)),
  /** Lists a product policy once; left out: once for each app of the product. */
  product_policies: Type.Optional(OneOf(['once'])),
};

/** A minus sorts in descending order: the newest, the strictest, or the last changed first; or those that end first. */
export const OVERRIDE_SORTS = [
  '-created_at',
  '-execution_policy',
  '-updated_at',
  'expires_at',
] as const;
export type OverrideSort = (typeof OVERRIDE_SORTS)[number];

const listed = {
  ...filters,
  /** Left out: `-created_at`. */
  sort: Type.Optional(OneOf(OVERRIDE_SORTS)),
};

export const OverridesQuery = Type.Object({ ...ListQuery, ...listed }, strict);
/** C/overrides/download: the same filters and order, all of the list. */
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

/** A decision in the list; of one that was withdrawn, `updated_by` and `updated_at` say by whom and when. */
export const ListedOverride = Type.Object({
  ...Override.properties,
  state: OneOf(OVERRIDE_STATES),
  /** In force with the same match and scope, and before it: stricter, or as strict and newer. */
  replaced_by: Nullable(Uuid),
  /** Set where a product policy owns it. */
  product: Nullable(PolicyProduct),
});
export type ListedOverride = Static<typeof ListedOverride>;

export const OverridesAnswer = CountedListAnswer(ListedOverride);
export type OverridesAnswer = Static<typeof OverridesAnswer>;

/** A decision about what somebody is about to decide about. */
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

/** Newest first; the first 20. */
const StandingDecisions = Type.Object({
  count: Type.Integer(),
  items: Type.Array(StandingDecision),
});

/**
 * People's decisions about the same, in whatever words, that have not ended. Of those for the same scope and a new one
 * the more exact match counts, then the stricter policy; those for other scopes hold beside it.
 */
export const otherDecisions = { standing: StandingDecisions, elsewhere: StandingDecisions };

/** Counts are exact but where `at_least` says otherwise; each `items` names at most the first 100. */
export const Touched = Type.Object({
  /** The id for which this holds: the creation takes it along where a percentage is rolled out. */
  override_id: Uuid,
  /** What agents make of it: nothing ends by `everything`, and by `group` only where it hits few programs. */
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
  /** The device groups that those devices are in, with how many of them. */
  groups: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({ group_id: Uuid, name: Type.String(), device_count: Type.Integer() }),
    ),
  }),
  /** Programs that run now and that this override would decide about. */
  processes: Type.Object({
    count: Type.Integer(),
    /** More programs run there than were looked at. */
    at_least: Type.Boolean(),
    /** Of all of them, those that would be ended, and are not now. A hub of the release before does not say it. */
    ended: Type.Optional(Type.Integer()),
    /** Of all of them, those that only a guard rail keeps from it. Neither says that one of the release before. */
    guarded: Type.Optional(Type.Integer()),
    /** Of a match by `executable_sha256`: programs that run on those devices and whose file nobody has hashed. */
    unhashed: Type.Integer(),
    items: Type.Array(
      Type.Object({
        device_id: Uuid,
        hostname: Type.String(),
        name: Type.String(),
        executable_path: Nullable(Type.String()),
        current_policy: OneOf(EXECUTION_POLICIES),
        new_policy: OneOf(EXECUTION_POLICIES),
        /** It runs now, as its device told last; else a device that does not tell saw it in the last 14 days. */
        is_running: Type.Boolean(),
        /** The guard rail that would refuse to end it, or null. */
        guard_rail: Nullable(Type.String()),
      }),
    ),
  }),
  /** What it would have stopped: decisions of the last 14 days about processes that it newly blocks or quarantines. */
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
   * Decisions that go before this one by the order of precedence: on so many devices there is something that it matches
   * and they decide about. Default policies stand here also with 0 devices. The first 20.
   */
  overruled: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        override_id: Uuid,
        match: OverrideMatch,
        scope: OverrideScope,
        execution_policy: OneOf(EXECUTION_POLICIES),
        /** Set where it stands for the default policy of a kind. */
        default_kind: Nullable(OneOf(ENTITY_KINDS)),
        devices: Type.Integer(),
      }),
    ),
  }),
});
export type Touched = Static<typeof Touched>;

/** Whom a decision would touch, and what stands already of the kind. */
export const Preview = Type.Object({
  ...Touched.properties,
  /** The tenant's governance feed number that all of this is as of: the creation takes it along. */
  as_of_revision: Type.Integer(),
  ...otherDecisions,
});
export type Preview = Static<typeof Preview>;

export const PreviewAnswer = Type.Object({ ...Preview.properties, request_id: Type.String() });
export type PreviewAnswer = Static<typeof PreviewAnswer>;
