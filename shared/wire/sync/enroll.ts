// POST /ea/v1/enroll: exchanges an agent token for one bound to this device and subscriber.
import { type Static, Type } from 'typebox';
import { Instant } from '../common.ts';
import { NamedSubscriberId, WireDevice } from './device.ts';

export const EnrollRequest = Type.Object({
  device: WireDevice,
  subscriber_id: NamedSubscriberId,
  /**
   * Made up by the device before it asks, and sent again until it has stored its token: an answer that was lost is given
   * once more. A hub that does not know it leaves it aside.
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
