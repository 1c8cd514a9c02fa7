// C/alerts and C/activity: alerts, their groups and assignments, and enforcement records.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { WireProcess } from '../sync/activity.ts';
import { ALERT_ACTIONS, EXECUTION_POLICIES, PLATFORMS, SEVERITIES } from '../vocabulary.ts';
import { CountedListAnswer, FileFormat, ListAnswer, ListQuery } from './common.ts';
import { ACTIVITY_SORTS, TIME_SORTS } from './time-sorts.ts';

export const ALERT_STATES = ['open', 'acknowledged'] as const;

/** The results of a resolved alert: no real finding, a finding that was intended, or a finding with a remedy. */
export const ALERT_RESOLUTIONS = ['false_positive', 'expected', 'fixed'] as const;

/** Filter values: assigned to the caller, or to nobody. */
export const ALERT_ASSIGNED = ['me', 'nobody'] as const;

export const AlertRow = Type.Object({
  alert_id: Uuid,
  device_id: Uuid,
  hostname: Type.String(),
  subscriber_id: Type.String(),
  occurred_at: Type.String(),
  received_at: Type.String(),
  severity: OneOf(SEVERITIES),
  action: OneOf(ALERT_ACTIONS),
  code: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  process: Nullable(WireProcess),
  override_id: Nullable(Uuid),
  outcome: Nullable(Type.String()),
  message: Type.String(),
  /** The agent's first delivery attempt failed, so the alert waited in its queue. */
  queued: Type.Boolean(),
  state: OneOf(ALERT_STATES),
  acknowledged_at: Nullable(Type.String()),
  /** The user of the acknowledgement, or of the resolution that followed it. */
  acknowledged_by: Nullable(Type.String()),
  /** The assignee's e-mail address. */
  assigned_to: Nullable(Type.String()),
  assigned_at: Nullable(Type.String()),
  /** The result; null for open alerts, and for alerts that were only acknowledged. */
  resolution: Nullable(OneOf(ALERT_RESOLUTIONS)),
  /** The comment of the user who resolved the alert. */
  resolution_comment: Nullable(Type.String()),
});
export type AlertRow = Static<typeof AlertRow>;

const Day = Type.String({
  description: 'a day like 2026-01-31, years 1970 to 2999',
  pattern: '^(19[7-9]\\d|2\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
});

const GroupId = Type.String({ description: 'the id of a group', pattern: '^[0-9a-f]{32}$' });

/** The period of the events: `from` is inclusive, `to` is exclusive. */
const Range = { from: Type.Optional(Instant), to: Type.Optional(Instant) };

const filters = {
  ...Range,
  severity: Type.Optional(OneOf(SEVERITIES)),
  action: Type.Optional(OneOf(ALERT_ACTIONS)),
  /** The complete name of the app, or of the process if no app is known. */
  app: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  state: Type.Optional(OneOf(ALERT_STATES)),
  device_id: Type.Optional(Uuid),
  /** The user of the devices, in any case. */
  subscriber_id: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  assigned: Type.Optional(OneOf(ALERT_ASSIGNED)),
};

const singleFilters = {
  ...filters,
  /** The id of an alert group, which includes its day. */
  group: Type.Optional(GroupId),
  day: Type.Optional(Day),
};
/** Ordered by the time of the event. */
const alertSort = { sort: Type.Optional(OneOf(TIME_SORTS)) };

export const AlertsQuery = Type.Object(
  { ...ListQuery, ...singleFilters, ...alertSort },
  { additionalProperties: false },
);
/** C/alerts/download: the same filters, without pages. */
export const AlertsDownloadQuery = Type.Object(
  { format: FileFormat, ...singleFilters, ...alertSort },
  { additionalProperties: false },
);
/** C/alerts/histogram: the same filters. */
export const AlertsHistogramQuery = Type.Object(singleFilters, { additionalProperties: false });

/** GET C/alert-groups: the same filters except the group. */
export const AlertGroupsQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false },
);

/** Alerts from the same device, application, override and day (UTC). */
export const AlertGroup = Type.Object({
  group: Type.String(),
  day: Day,
  count: Type.Integer(),
  /** The number of unacknowledged alerts. */
  open: Type.Integer(),
  first_at: Type.String(),
  last_at: Type.String(),
  /** The newest alert of the group. */
  alert: AlertRow,
});
export type AlertGroup = Static<typeof AlertGroup>;
export const AlertGroupsAnswer = ListAnswer(AlertGroup);

/**
 * POST C/alert-groups/acknowledge: acknowledges the alerts of a group that the caller has seen. Alerts after `until`
 * and alerts outside the filters stay open.
 */
export const AlertGroupAcknowledgement = Type.Object(
  {
    group: GroupId,
    day: Day,
    /** The `last_at` that the list showed. */
    until: Instant,
    ...Range,
    severity: filters.severity,
    assigned: filters.assigned,
  },
  { additionalProperties: false, title: 'AlertGroupAcknowledgement' },
);
export type AlertGroupAcknowledgement = Static<typeof AlertGroupAcknowledgement>;

/** The number of alerts that were open until then. */
export const AlertGroupAcknowledged = Type.Object({
  acknowledged: Type.Integer(),
  request_id: Type.String(),
});
export type AlertGroupAcknowledged = Static<typeof AlertGroupAcknowledged>;

export const AlertsList = CountedListAnswer(AlertRow);
export type AlertsList = Static<typeof AlertsList>;

/**
 * Two devices may use the same alert id: `device_id` selects a device; without it, all alerts of the id are
 * acknowledged.
 */
export const AlertAcknowledgeQuery = Type.Object(
  { device_id: Type.Optional(Uuid) },
  { additionalProperties: false },
);

export const ALERTS_RESOLVED_MOST = 100;

/**
 * POST C/alerts/resolve: resolves these alerts, or changes their resolution. An open alert is acknowledged, too. `instead_of`: the
 * resolution that the caller saw. If an alert has another resolution by now, no alert changes.
 */
export const AlertsResolution = Type.Object(
  {
    alerts: Type.Array(
      Type.Object(
        {
          ...{ alert_id: Uuid, device_id: Uuid },
          instead_of: Type.Optional(Nullable(OneOf(ALERT_RESOLUTIONS))),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: ALERTS_RESOLVED_MOST },
    ),
    resolution: OneOf(ALERT_RESOLUTIONS),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  },
  { additionalProperties: false, title: 'AlertsResolution' },
);
export type AlertsResolution = Static<typeof AlertsResolution>;

/** The number of alerts that changed. Alerts that do not exist any more are not counted. */
export const AlertsResolved = Type.Object({
  resolved: Type.Integer(),
  request_id: Type.String(),
});
export type AlertsResolved = Static<typeof AlertsResolved>;

/** `instead_of`: the assignee that the caller saw. If another assignee is set by now, nothing changes. */
export const AlertAssignment = Type.Object(
  {
    assigned_to: Nullable(Type.String({ minLength: 3, maxLength: 320 })),
    instead_of: Nullable(Type.String({ maxLength: 320 })),
  },
  { additionalProperties: false, title: 'AlertAssignment' },
);
export type AlertAssignment = Static<typeof AlertAssignment>;

/** Users to whom alerts can be assigned: everybody who may acknowledge them. */
export const AlertAssigneesAnswer = Type.Object({
  items: Type.Array(Type.Object({ email: Type.String() })),
  request_id: Type.String(),
});
export type AlertAssigneesAnswer = Static<typeof AlertAssigneesAnswer>;

export const AlertAnswer = Type.Object({ alert: AlertRow, request_id: Type.String() });
export type AlertAnswer = Static<typeof AlertAnswer>;

export const ActivityRow = Type.Object({
  activity_id: Uuid,
  device_id: Uuid,
  hostname: Type.String(),
  subscriber_id: Type.String(),
  decided_at: Type.String(),
  received_at: Type.String(),
  process: WireProcess,
  application_name: Nullable(Type.String()),
  entity_id: Nullable(Sha256Hex),
  override_id: Nullable(Uuid),
  decision: OneOf(EXECUTION_POLICIES),
  enforced: Type.Boolean(),
  outcome: Type.String(),
});
export type ActivityRow = Static<typeof ActivityRow>;

const activityFilters = {
  device_id: Type.Optional(Uuid),
  entity_id: Type.Optional(Sha256Hex),
  activity_id: Type.Optional(Uuid),
  ...Range,
  /** The policy that the device applied. */
  decision: Type.Optional(OneOf(EXECUTION_POLICIES)),
  /** The complete name of the app, or of the process if no app is known. */
  app: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  platform: Type.Optional(OneOf(PLATFORMS)),
  /** Part of the name of the app or process, of the path, the device or the user. */
  query: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};
const activitySort = { sort: Type.Optional(OneOf(ACTIVITY_SORTS)) };

export const ActivityQuery = Type.Object(
  { ...ListQuery, ...activityFilters, ...activitySort },
  { additionalProperties: false },
);
/** C/activity/download: the same filters, without pages. */
export const ActivityDownloadQuery = Type.Object(
  { format: FileFormat, ...activityFilters, ...activitySort },
  { additionalProperties: false },
);
/** C/activity/histogram: the same filters. */
export const ActivityHistogramQuery = Type.Object(activityFilters, {
  additionalProperties: false,
});
export const ActivityList = CountedListAnswer(ActivityRow);
export type ActivityList = Static<typeof ActivityList>;
