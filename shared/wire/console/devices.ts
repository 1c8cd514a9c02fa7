// GET C/devices, C/devices/{device_id}, C/devices/{device_id}/entities.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { WireCoverage, WireInstance } from '../sync/discovered-apps.ts';
import { ENTITY_KINDS, PLATFORMS } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { NamedGroup } from './device-groups.ts';

/** `duplicate`: two machines seem to use the id. */
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
  /** Entities found and not removed. */
  entity_count: Type.Integer(),
  last_scan_at: Nullable(Type.String()),
  /** Whether the device holds the overrides that it should, as of its last poll. */
  governance: Type.Object({
    state: OneOf(GOVERNANCE_STATES),
    /** Since when it has been so. */
    since: Nullable(Type.String()),
    /** The poll that said so last. */
    as_of: Nullable(Type.String()),
  }),
  /** Not seen for longer than the tenant allows. */
  stale: Type.Boolean(),
  /** Since when two machines seem to use this id. */
  duplicate_since: Nullable(Type.String()),
  /** What the last machine said of itself that was refused, because it had this id and not the device's token. */
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

export const DevicesQuery = Type.Object(
  {
    ...ListQuery,
    query: Type.Optional(Type.String({ maxLength: 200 })),
    platform: Type.Optional(OneOf(PLATFORMS)),
    /** Left out: all but the retired ones. */
    state: Type.Optional(OneOf(DEVICE_STATES)),
    governance: Type.Optional(OneOf(GOVERNANCE_STATES)),
  },
  { additionalProperties: false },
);
export const DevicesAnswer = ListAnswer(DeviceRow);
export type DevicesAnswer = Static<typeof DevicesAnswer>;

/** C/device-overview: how many need a look, without the retired ones. */
export const DeviceOverviewAnswer = Type.Object({
  devices: Type.Integer(),
  stale: Type.Integer(),
  duplicates: Type.Integer(),
  request_id: Type.String(),
});
export type DeviceOverviewAnswer = Static<typeof DeviceOverviewAnswer>;

export const DeviceAnswer = Type.Object({
  /** `coverage`: what the device's last scans looked at, by source and owner. */
  device: Type.Object({
    ...DeviceRow.properties,
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

export const DeviceEntitiesQuery = Type.Object(
  {
    ...ListQuery,
    query: Type.Optional(Type.String({ maxLength: 200 })),
    /** `true`: also what was removed. */
    removed: Type.Optional(OneOf(['true', 'false'] as const)),
  },
  { additionalProperties: false },
);
export const DeviceEntitiesAnswer = ListAnswer(DeviceEntity);
export type DeviceEntitiesAnswer = Static<typeof DeviceEntitiesAnswer>;
