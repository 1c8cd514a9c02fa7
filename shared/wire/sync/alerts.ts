// POST /ea/v1/sync/alerts: block and quarantine events and the agent's own conditions. Each alert is delivered exactly
// once, across crashes and retries.
import { type Static, Type } from 'typebox';
import { Instant, OneOf, OptionalNullable, Uuid } from '../common.ts';
import { ALERT_ACTIONS, SEVERITIES } from '../vocabulary.ts';
import { WireProcess } from './activity.ts';
import { WireDevice } from './device.ts';

export const WireAlert = Type.Object({
  alert_id: Uuid,
  occurred_at: Instant,
  severity: OneOf(SEVERITIES),
  action: OneOf(ALERT_ACTIONS),
  code: OptionalNullable(Type.String({ maxLength: 64 })),
  application_name: OptionalNullable(Type.String({ maxLength: 512 })),
  process: OptionalNullable(WireProcess),
  override_id: OptionalNullable(Uuid),
  outcome: OptionalNullable(Type.String({ maxLength: 64 })),
  message: Type.String({ maxLength: 4096 }),
  queued: Type.Boolean(),
});
export type WireAlert = Static<typeof WireAlert>;

export const AlertsRequest = Type.Object({
  device: WireDevice,
  alerts: Type.Array(WireAlert, { minItems: 1 }),
});
export type AlertsRequest = Static<typeof AlertsRequest>;

export const AlertsAnswer = Type.Object({
  accepted: Type.Array(Uuid),
  request_id: Type.String(),
});
export type AlertsAnswer = Static<typeof AlertsAnswer>;
