// GET C/devices, C/devices/{device_id}, and its entities, processes and overrides.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { OverrideMatch } from '../sync/delta.ts';
import { WireCoverage, WireInstance } from '../sync/discovered-apps.ts';
import { APPROVAL_STATUSES, ENTITY_KINDS, EXECUTION_POLICIES, PLATFORMS } from '../vocabulary.ts';
import { CountedListAnswer, FileFormat, ListAnswer, ListQuery } from './common.ts';
import { NamedGroup } from './device-groups.ts';
import { OverrideScope, PolicyProduct } from './overrides.ts';

/** `duplicate`: two machines seem to use the same device id. */
export const DEVICE_STATES = ['active', 'stale', 'duplicate', 'retired'] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];
export const GOVERNANCE_STATES = ['applied', 'applying', 'diverged', 'unknown'] as const;

export const DeviceRow = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  platform: OneOf(PLATFORMS),
  os_version: Type.String(),
  arch: Type.String(),
  agent_version: Type.String(),
  subscriber_id: Type.String(),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
  /** The number of entities that are not removed. */
  entity_count: Type.Integer(),
  last_scan_at: Nullable(Type.String()),
  /** Whether the device has all its overrides, as of its last poll. */
  governance: Type.Object({
    state: OneOf(GOVERNANCE_STATES),
    /** When this state began. */
    since: Nullable(Type.String()),
    /** The last poll that reported this state. */
    as_of: Nullable(Type.String()),
  }),
  /** The device was not seen for longer than the tenant's threshold. */
  stale: Type.Boolean(),
  /** When a second machine with this id was first noticed. */
  duplicate_since: Nullable(Type.String()),
  /** The identification of the last refused machine, which had this id without the device's token. */
  claim: Nullable(
    Type.Object({
      at: Type.String(),
      hostname: Type.String(),
      platform: OneOf(PLATFORMS),
      os_version: Type.String(),
      arch: Type.String(),
      agent_version: Type.String(),
      subscriber_id: Type.String(),
    }),
  ),
  retired_at: Nullable(Type.String()),
});
export type DeviceRow = Static<typeof DeviceRow>;

/** Sort orders: by host name, most recently seen first, newest first, or most apps first. */
export const DEVICE_SORTS = [
  'hostname',
  '-last_seen_at',
  '-first_seen_at',
  '-entity_count',
] as const;
export type DeviceSort = (typeof DEVICE_SORTS)[number];

const filters = {
  query: Type.Optional(Type.String({ maxLength: 200 })),
  platform: Type.Optional(OneOf(PLATFORMS)),
  /** Default: all states except `retired`. */
  state: Type.Optional(OneOf(DEVICE_STATES)),
  governance: Type.Optional(OneOf(GOVERNANCE_STATES)),
  /** Restricts the list to devices seen in the last 24 hours. */
  seen: Type.Optional(OneOf(['today'])),
  /** Restricts the list to devices with an incomplete source in the last scan. */
  coverage: Type.Optional(OneOf(['gaps'])),
  sort: Type.Optional(OneOf(DEVICE_SORTS)),
};

export const DevicesQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false },
);
/** C/devices/download: the same filters, without pages. */
export const DevicesDownloadQuery = Type.Object(
  { format: FileFormat, ...filters },
  { additionalProperties: false },
);
export const DevicesAnswer = CountedListAnswer(DeviceRow);
export type DevicesAnswer = Static<typeof DevicesAnswer>;

/**
 * C/device-name: the name of a device, including retired devices. The request reveals nothing else and is not audited
 * as a view.
 */
export const DeviceNameQuery = Type.Object({ of: Uuid }, { additionalProperties: false });
export const DeviceNameAnswer = Type.Object({
  hostname: Type.String(),
  /** The user of the device: two devices may have the same host name. */
  subscriber_id: Type.String(),
  request_id: Type.String(),
});
export type DeviceNameAnswer = Static<typeof DeviceNameAnswer>;

/** C/device-overview: how many devices need attention, without retired devices. */
export const DeviceOverviewAnswer = Type.Object({
  devices: Type.Integer(),
  stale: Type.Integer(),
  duplicates: Type.Integer(),
  request_id: Type.String(),
});
export type DeviceOverviewAnswer = Static<typeof DeviceOverviewAnswer>;

export const DeviceAnswer = Type.Object({
  /** `coverage`: what the last scans covered, by source and owner. */
  device: Type.Object({
    ...DeviceRow.properties,
    /** The ETag verbatim: it counts changes by users, never reports of the device. */
    version: Type.String(),
    coverage: Type.Array(WireCoverage),
    groups: Type.Array(NamedGroup),
  }),
  request_id: Type.String(),
});
export type DeviceAnswer = Static<typeof DeviceAnswer>;

export const DeviceEntity = Type.Object({
  entity_id: Sha256Hex,
  kind: OneOf(ENTITY_KINDS),
  source: Type.String(),
  name: Type.String(),
  version: Nullable(Type.String()),
  publisher: Nullable(Type.String()),
  install_path: Nullable(Type.String()),
  executables: Type.Array(Type.String()),
  instances: Type.Array(WireInstance),
  installed_at: Nullable(Type.String()),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
  removed_at: Nullable(Type.String()),
});
export type DeviceEntity = Static<typeof DeviceEntity>;

const entityFilters = {
  /** A part of the name, of the publisher, or of an installation path. */
  query: Type.Optional(Type.String({ maxLength: 200 })),
  /** `true` includes removed entities. */
  removed: Type.Optional(OneOf(['true', 'false'] as const)),
};
export const DeviceEntitiesQuery = Type.Object(
  { ...ListQuery, ...entityFilters },
  { additionalProperties: false },
);
/** C/devices/{device_id}/entities/download: the same filters, without pages. */
export const DeviceEntitiesDownloadQuery = Type.Object(
  { format: FileFormat, ...entityFilters },
  { additionalProperties: false },
);
export const DeviceEntitiesAnswer = ListAnswer(DeviceEntity);
export type DeviceEntitiesAnswer = Static<typeof DeviceEntitiesAnswer>;

export const OfDeviceQuery = Type.Object({ ...ListQuery }, { additionalProperties: false });

/** A running program, as the device last reported it. */
export const DeviceProcess = Type.Object({
  process_id: Sha256Hex,
  name: Type.String(),
  executable_path: Type.String(),
  application_name: Nullable(Type.String()),
  /** The applications that own the program, most probable first. */
  entity_ids: Type.Array(Type.String()),
  /** The number of processes of the program. */
  count: Type.Integer(),
  since: Type.String(),
  /** The protection rule that would refuse to end the program, or null. */
  guard_rail: Nullable(Type.String()),
});
export type DeviceProcess = Static<typeof DeviceProcess>;

export const DeviceProcessesAnswer = Type.Object({
  ...ListAnswer(DeviceProcess).properties,
  /** When the device last reported its programs; null if it does not report them. */
  reported_at: Nullable(Type.String()),
});
export type DeviceProcessesAnswer = Static<typeof DeviceProcessesAnswer>;

/** An override in force that applies to the device. */
export const DeviceDecision = Type.Object({
  override_id: Uuid,
  match: OverrideMatch,
  application_name: Nullable(Type.String()),
  /** Set where a product policy owns it, which is listed once. */
  product: Nullable(PolicyProduct),
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  reason: Nullable(Type.String()),
  scope: OverrideScope,
  expires_at: Nullable(Type.String()),
  decided_at: Type.String(),
  decided_by: Type.String(),
  default_kind: Nullable(OneOf(ENTITY_KINDS)),
  drift_hold: Type.Boolean(),
  /**
   * Whether the device confirmed all its overrides after this override was created; null if the device never reports
   * them.
   */
  applied: Nullable(Type.Boolean()),
});
export type DeviceDecision = Static<typeof DeviceDecision>;
export const DeviceDecisionsAnswer = ListAnswer(DeviceDecision);
