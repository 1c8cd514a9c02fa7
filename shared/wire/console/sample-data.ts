// C/sample-data: fills an empty tenant with sample data, and empties it again.
import { type Static, Type } from 'typebox';

export const SampleDataAnswer = Type.Object({
  /** The tenant has neither devices nor policies nor gateway configuration: sample data can be loaded. */
  is_empty: Type.Boolean(),
  /** Devices of the sample data exist. */
  is_loaded: Type.Boolean(),
  /** Devices that are not part of the sample data. They are deleted with it. */
  other_devices: Type.Integer(),
  request_id: Type.String(),
});
export type SampleDataAnswer = Static<typeof SampleDataAnswer>;

export const SampleDataLoadedAnswer = Type.Object({
  users: Type.Integer(),
  devices: Type.Integer(),
  apps: Type.Integer(),
  alerts: Type.Integer(),
  llm_requests: Type.Integer(),
  tool_calls: Type.Integer(),
  request_id: Type.String(),
});
export type SampleDataLoadedAnswer = Static<typeof SampleDataLoadedAnswer>;

/** `rows`: the number of deleted rows. */
export const SampleDataRemovedAnswer = Type.Object({
  rows: Type.Integer(),
  request_id: Type.String(),
});
