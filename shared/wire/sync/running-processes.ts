// POST /ea/v1/sync/running-processes (extension): all programs that run on the device now. The preview of an override
// derives the affected devices from them. An older hub answers 404, and the agent skips the report.
import { type Static, Type } from 'typebox';
import { OptionalNullable, Path, Sha256Hex, ShortText } from '../common.ts';
import { WireDevice } from './device.ts';
import { RUNNING_LIMIT } from './limits.ts';

/** A program, with any number of processes. */
export const RunningProcess = Type.Object({
  process_id: Sha256Hex,
  name: ShortText,
  executable_path: Path,
  application_name: OptionalNullable(Type.String({ maxLength: 512 })),
  /** The entities that own the executable of the program. */
  entity_ids: Type.Array(Sha256Hex, { maxItems: 16 }),
  count: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  /** The protection rule that would refuse to end the program, or null. */
  guard_rail: OptionalNullable(Type.String({ maxLength: 64 })),
});
export type RunningProcess = Static<typeof RunningProcess>;

export const RunningProcessesRequest = Type.Object({
  device: WireDevice,
  processes: Type.Array(RunningProcess, { maxItems: RUNNING_LIMIT }),
});
export type RunningProcessesRequest = Static<typeof RunningProcessesRequest>;

export const RunningProcessesAnswer = Type.Object({
  accepted: Type.Integer(),
  request_id: Type.String(),
});
export type RunningProcessesAnswer = Static<typeof RunningProcessesAnswer>;
