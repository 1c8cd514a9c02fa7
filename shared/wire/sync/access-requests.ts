// POST /ea/v1/sync/access-requests (ours): a person asks for an exception on their device. Sent with the device's own
// token only. An older hub answers 404, and the agent keeps what waits.
import { type Static, Type } from 'typebox';
import { Instant, OptionalNullable, Sha256Hex, ShortText, Uuid } from '../common.ts';
import { WireDevice } from './device.ts';

/** Why somebody needs it, in their words. */
export const AccessReason = Type.String({
  description: '1 to 1000 characters that say why',
  pattern: '\\S',
  minLength: 1,
  maxLength: 1000,
});

export const WireAccessRequest = Type.Object({
  access_request_id: Uuid,
  asked_at: Instant,
  /** What it is about: an application that was found on this device, or else a process by its name. */
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

/** Each id stands in one of both: the agent forgets all of them, and tells what was refused. */
export const AccessRequestsAnswer = Type.Object({
  accepted: Type.Array(Uuid),
  refused: Type.Array(Type.Object({ access_request_id: Uuid, reason: Type.String() })),
  request_id: Type.String(),
});
export type AccessRequestsAnswer = Static<typeof AccessRequestsAnswer>;
