// Device operations of administrators: rescan, move, retire, readmit, erase a user; and the tenant's threshold for
// stale devices.
import { type Static, Type } from 'typebox';
import { Uuid } from '../common.ts';
import { NamedSubscriberId } from '../sync/device.ts';

const strict = { additionalProperties: false };

export const ScanNowAnswer = Type.Object({
  device_id: Uuid,
  /** The device scans and sends its full inventory after its next poll. */
  inventory_epoch: Type.Integer(),
  request_id: Type.String(),
});

/** Confirms that the two machines have separate ids now. If they do not, the duplicate is detected again. */
export const DuplicateSolvedAnswer = Type.Object({
  device_id: Uuid,
  duplicate_since: Type.Null(),
  request_id: Type.String(),
});

export const MoveDeviceInput = Type.Object({ subscriber_id: NamedSubscriberId }, strict);
export const MoveDeviceAnswer = Type.Object({
  device_id: Uuid,
  subscriber_id: Type.String(),
  request_id: Type.String(),
});

export const RetireAnswer = Type.Object({
  device_id: Uuid,
  retired: Type.Boolean(),
  request_id: Type.String(),
});

export const EraseAnswer = Type.Object({
  /** The number of erased devices, activity rows and alerts of the user, and of overrides for the user alone. */
  devices: Type.Integer(),
  activity: Type.Integer(),
  alerts: Type.Integer(),
  decisions: Type.Integer(),
  /** Erased LLM requests and MCP tool calls with the user's e-mail address. */
  log_rows: Type.Integer(),
  /**
   * Erased sign-ins of MCP clients, connections, keys, approvals, group memberships and access policies for the user
   * alone.
   */
  mcp_rows: Type.Integer(),
  /**
   * Device groups whose membership query contained the user. The erasure removed the user and preserved the rest of
   * each query, so that an administrator has to check the query.
   */
  group_rules: Type.Array(Type.Object({ group_id: Uuid, name: Type.String() })),
  request_id: Type.String(),
});
export type EraseAnswer = Static<typeof EraseAnswer>;

export const DeviceSettings = Type.Object(
  {
    /** The hours without contact after which a device is stale. */
    stale_after_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
  },
  strict,
);
export type DeviceSettings = Static<typeof DeviceSettings>;
export const DeviceSettingsAnswer = Type.Object({
  settings: DeviceSettings,
  request_id: Type.String(),
});
