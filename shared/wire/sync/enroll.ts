// POST /ea/v1/enroll: exchanges an agent token for one bound to this device and subscriber.
import { type Static, Type } from 'typebox';
import { Instant } from '../common.ts';
import { SUBSCRIBER_ID_PATTERN, WireDevice } from './device.ts';

export const EnrollRequest = Type.Object({
  device: WireDevice,
  subscriber_id: Type.String({ pattern: SUBSCRIBER_ID_PATTERN }),
});
export type EnrollRequest = Static<typeof EnrollRequest>;

export const EnrollAnswer = Type.Object({
  device_token: Type.String(),
  expires_at: Instant,
  request_id: Type.String(),
});
export type EnrollAnswer = Static<typeof EnrollAnswer>;
