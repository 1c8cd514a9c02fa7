// GET /ea/v1/sync/process-map: maps process names to applications, for the agent's correlator.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Sha256Hex } from '../common.ts';
import { MAPPING_MATCHES, PLATFORMS } from '../vocabulary.ts';

export const ProcessMapping = Type.Object({
  process_name: Type.String(),
  platform: Nullable(OneOf(PLATFORMS)),
  match: OneOf(MAPPING_MATCHES),
  application_name: Type.String(),
  entity_id: Nullable(Sha256Hex),
});
export type ProcessMapping = Static<typeof ProcessMapping>;

export const ProcessMapAnswer = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  mappings: Type.Array(ProcessMapping),
});
export type ProcessMapAnswer = Static<typeof ProcessMapAnswer>;
