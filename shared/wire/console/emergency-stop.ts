// C/emergency-stop: no agent of the tenant enforces above the ceiling, from its next poll on.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { ENFORCEMENT_CEILINGS } from '../vocabulary.ts';

export const EmergencyStopInput = Type.Object(
  { enforcement_ceiling: OneOf(ENFORCEMENT_CEILINGS) },
  { additionalProperties: false },
);

export const EmergencyStopAnswer = Type.Object({
  enforcement_ceiling: OneOf(ENFORCEMENT_CEILINGS),
  request_id: Type.String(),
});
export type EmergencyStopAnswer = Static<typeof EmergencyStopAnswer>;
