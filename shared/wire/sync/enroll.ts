// POST /ea/v1/enroll: exchanges an agent token for one bound to this device and subscriber.
import { type Static, Type } from 'typebox';
import { Instant } from '../common.ts';
import { SubscriberId, WireDevice } from './device.ts';

export const EnrollRequest = Type.Object({
  device: WireDevice,
  subscriber_id: SubscriberId,
});
export type EnrollRequest = Static<typeof EnrollRequest>;

export const EnrollAnswer = Type.Object({
  device_token: Type.String(),
  expires_at: Instant,
  request_id: Type.String(),
});
export type EnrollAnswer = Static<typeof EnrollAnswer>;
