// GET C/setup: the steps of a new organization, and which of them are done.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { SETUP_STEPS } from './setup-steps.ts';

export const SetupAnswer = Type.Object({
  /** Every step, in the order of the checklist. */
  steps: Type.Array(Type.Object({ step: OneOf(SETUP_STEPS), is_done: Type.Boolean() })),
  request_id: Type.String(),
});
export type SetupAnswer = Static<typeof SetupAnswer>;
