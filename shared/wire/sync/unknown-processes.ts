// POST /ea/v1/sync/unknown-processes: executables without a matching mapping or entity.
import { type Static, Type } from 'typebox';
import { Instant, OptionalNullable, Path, Sha256Hex, ShortText, Uuid } from '../common.ts';
import { WireDevice } from './device.ts';

export const UnknownProcess = Type.Object({
  process_id: Sha256Hex,
  name: ShortText,
  executable_path: Path,
  publisher: OptionalNullable(Type.String({ maxLength: 512 })),
  sha256: OptionalNullable(Sha256Hex),
  first_seen_at: Instant,
  count: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
});
export type UnknownProcess = Static<typeof UnknownProcess>;

export const UnknownProcessesRequest = Type.Object({
  batch_id: Uuid,
  device: WireDevice,
  processes: Type.Array(UnknownProcess, { minItems: 1 }),
});
export type UnknownProcessesRequest = Static<typeof UnknownProcessesRequest>;

export const UnknownProcessesAnswer = Type.Object({
  batch_id: Uuid,
  accepted: Type.Integer(),
  request_id: Type.String(),
});
export type UnknownProcessesAnswer = Static<typeof UnknownProcessesAnswer>;
