// POST /ea/v1/sync/activity: an audit record for each enforcement decision, sent at once and never buffered.
import { type Static, Type } from 'typebox';
import { Instant, OneOf, OptionalNullable, Path, Sha256Hex, ShortText, Uuid } from '../common.ts';
import { EXECUTION_POLICIES } from '../vocabulary.ts';
import { WireDevice } from './device.ts';

export const WireProcess = Type.Object({
  name: ShortText,
  executable_path: OptionalNullable(Path),
  pid: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
  started_at: OptionalNullable(Instant),
});
export type WireProcess = Static<typeof WireProcess>;

export const ActivityEvent = Type.Object({
  activity_id: Uuid,
  decided_at: Instant,
  process: WireProcess,
  application_name: OptionalNullable(Type.String({ maxLength: 512 })),
  entity_id: OptionalNullable(Sha256Hex),
  override_id: OptionalNullable(Uuid),
  decision: OneOf(EXECUTION_POLICIES),
  enforced: Type.Boolean(),
  outcome: Type.String({ minLength: 1, maxLength: 64 }),
});
export type ActivityEvent = Static<typeof ActivityEvent>;

export const ActivityRequest = Type.Object({
  device: WireDevice,
  events: Type.Array(ActivityEvent, { minItems: 1 }),
});
export type ActivityRequest = Static<typeof ActivityRequest>;

export const ActivityAnswer = Type.Object({
  accepted: Type.Integer(),
  request_id: Type.String(),
});
