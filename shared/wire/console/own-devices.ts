// C/own/devices…: the caller's own devices, their inventory, their overrides and blocked processes, for every role.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { OverrideMatch } from '../sync/delta.ts';
import { WireCoverage } from '../sync/discovered-apps.ts';
import {
  APPROVAL_STATUSES,
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  PLATFORMS,
  SCOPE_KINDS,
} from '../vocabulary.ts';
import { ActivityRow } from './alerts.ts';
import { ListAnswer, ListQuery } from './common.ts';
import { DeviceEntity, DeviceRow } from './devices.ts';
import { PolicyProduct } from './overrides.ts';

/** A device of the caller, without data about other machines and users. */
export const OwnDevice = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  platform: OneOf(PLATFORMS),
  os_version: Type.String(),
  arch: Type.String(),
  agent_version: Type.String(),
  subscriber_id: Type.String(),
  first_seen_at: Type.String(),
  last_seen_at: Type.String(),
  entity_count: Type.Integer(),
  last_scan_at: Nullable(Type.String()),
  governance: DeviceRow.properties.governance,
});
export type OwnDevice = Static<typeof OwnDevice>;

export const OwnDevicesQuery = Type.Object(ListQuery, { additionalProperties: false });
export const OwnDevicesAnswer = ListAnswer(OwnDevice);
export type OwnDevicesAnswer = Static<typeof OwnDevicesAnswer>;

export const OwnDeviceAnswer = Type.Object({
  device: Type.Object({ ...OwnDevice.properties, coverage: Type.Array(WireCoverage) }),
  request_id: Type.String(),
});
export type OwnDeviceAnswer = Static<typeof OwnDeviceAnswer>;

/** An override in force on the device, with its reason and author. */
export const OwnDecision = Type.Object({
  override_id: Uuid,
  revision: Type.Integer(),
  match: OverrideMatch,
  /** The application of the match, if the match contains an entity id. */
  application_name: Nullable(Type.String()),
  /** Set where a product policy owns it, which is listed once. */
  product: Nullable(PolicyProduct),
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  reason: Nullable(Type.String()),
  scope_kind: OneOf(SCOPE_KINDS),
  expires_at: Nullable(Type.String()),
  decided_at: Type.String(),
  decided_by: Type.String(),
  default_kind: Nullable(OneOf(ENTITY_KINDS)),
  drift_hold: Type.Boolean(),
  /** An app on the device that the policy stops; null if it stops none, so that an access request would change nothing. */
  stopped_entity_id: Nullable(Sha256Hex),
});
export type OwnDecision = Static<typeof OwnDecision>;

export const OwnDecisionsAnswer = ListAnswer(OwnDecision);
export type OwnDecisionsAnswer = Static<typeof OwnDecisionsAnswer>;

/** An app on the device, with the policy in force for it. */
export const OwnEntity = Type.Object({
  ...DeviceEntity.properties,
  /** The policy by the inventory's facts about the app; null without a policy. */
  policy: Nullable(
    Type.Object({
      approval_status: OneOf(APPROVAL_STATUSES),
      execution_policy: OneOf(EXECUTION_POLICIES),
    }),
  ),
});
export type OwnEntity = Static<typeof OwnEntity>;
export const OwnEntitiesAnswer = ListAnswer(OwnEntity);

/** A blocked or quarantined start on the device. */
export const OwnActivity = Type.Object({
  ...ActivityRow.properties,
  /** False if the app is on the device and a policy in force lets it run by now. */
  is_still_stopped: Type.Boolean(),
});
export type OwnActivity = Static<typeof OwnActivity>;
export const OwnActivityAnswer = ListAnswer(OwnActivity);
