// POST /ea/v1/enroll: exchanges an agent token for a token that is bound to this device and subscriber.
import { type Static, Type } from 'typebox';
import { Instant } from '../common.ts';
import { NamedSubscriberId, WireDevice } from './device.ts';

export const EnrollRequest = Type.Object({
  device: WireDevice,
  subscriber_id: NamedSubscriberId,
  /**
   * An idempotency key. The device generates it before the request and resends it until the device has stored its
   * token, so that the hub can repeat a lost response. A hub without support for the key ignores it.
   */
  enrolment_key: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: '32 random bytes, base64url.' }),
  ),
});
export type EnrollRequest = Static<typeof EnrollRequest>;

export const EnrollAnswer = Type.Object({
  device_token: Type.String(),
  expires_at: Instant,
  request_id: Type.String(),
});
export type EnrollAnswer = Static<typeof EnrollAnswer>;
