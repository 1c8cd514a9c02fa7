// What administrators do with a device as such: scan now, move, retire, admit again, erase a person; and the tenant's
// setting of when a device counts as stale.
import { type Static, Type } from 'typebox';
import { Uuid } from '../common.ts';
import { NamedSubscriberId } from '../sync/device.ts';

const strict = { additionalProperties: false };

export const ScanNowAnswer = Type.Object({
  device_id: Uuid,
  /** The device scans and sends in full when it learns of this with its next poll. */
  inventory_epoch: Type.Integer(),
  request_id: Type.String(),
});

/** Somebody has looked: the two machines have ids of their own now. If not, they are noticed again. */
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
  /** How many devices, activity rows and alerts of the person are gone, and decisions for them alone. */
  devices: Type.Integer(),
  activity: Type.Integer(),
  alerts: Type.Integer(),
  decisions: Type.Integer(),
  /** LLM requests and MCP tool calls that named the person's e-mail address. */
  log_rows: Type.Integer(),
  /** Sign-ins of MCP clients, connections, keys, approvals, memberships of groups and rules for the person alone. */
  mcp_rows: Type.Integer(),
  /**
   * Device groups whose rule named the person: they were struck from it, so that it takes in what it took in of others.
   * Look whether it still says what is wanted.
   */
  group_rules: Type.Array(Type.Object({ group_id: Uuid, name: Type.String() })),
  request_id: Type.String(),
});
export type EraseAnswer = Static<typeof EraseAnswer>;

export const DeviceSettings = Type.Object(
  {
    /** A device that was not seen for so long is stale. */
    stale_after_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
  },
  strict,
);
export type DeviceSettings = Static<typeof DeviceSettings>;
export const DeviceSettingsAnswer = Type.Object({
  settings: DeviceSettings,
  request_id: Type.String(),
});
