// POST /ea/v1/sync/access-requests (extension): a user requests an exception on their device. The request needs the
// token of the device. An older hub answers 404, and the agent keeps its queue.
import { type Static, Type } from 'typebox';
import { Instant, OptionalNullable, Sha256Hex, ShortText, Uuid } from '../common.ts';
import { WireDevice } from './device.ts';

/** The user's reason in free text. */
export const AccessReason = Type.String({
  description: '1 to 1000 characters with the reason',
  pattern: '\\S',
  minLength: 1,
  maxLength: 1000,
});

export const WireAccessRequest = Type.Object({
  access_request_id: Uuid,
  asked_at: Instant,
  /** The subject: an application found on this device, or else a process by its name. */
  entity_id: OptionalNullable(Sha256Hex),
  process_name: OptionalNullable(ShortText),
  reason: AccessReason,
});
export type WireAccessRequest = Static<typeof WireAccessRequest>;

export const AccessRequestsRequest = Type.Object({
  device: WireDevice,
  requests: Type.Array(WireAccessRequest, { minItems: 1 }),
});
export type AccessRequestsRequest = Static<typeof AccessRequestsRequest>;

/**
 * Each id is in exactly one list. The agent deletes all listed requests and reports the refused requests to the user.
 */
export const AccessRequestsAnswer = Type.Object({
  accepted: Type.Array(Uuid),
  refused: Type.Array(Type.Object({ access_request_id: Uuid, reason: Type.String() })),
  request_id: Type.String(),
});
export type AccessRequestsAnswer = Static<typeof AccessRequestsAnswer>;
