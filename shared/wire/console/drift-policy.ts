// C/drift-policy: what counts for an approved application that drifted on a device, until somebody has reviewed it.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';

/** `approval`: the approval goes on to count. `warn`, `block`: this, where what counts there is laxer. */
export const DRIFT_POLICIES = ['approval', 'warn', 'block'] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];

export const DriftPolicyInput = Type.Object(
  { policy: OneOf(DRIFT_POLICIES) },
  { additionalProperties: false },
);

export const DriftPolicyAnswer = Type.Object({
  policy: OneOf(DRIFT_POLICIES),
  /** The ETag verbatim, with its quotes: what `If-Match` takes. */
  version: Type.String(),
  /** What waits for a review now. */
  waiting: Type.Object({ applications: Type.Integer(), devices: Type.Integer() }),
  request_id: Type.String(),
});
export type DriftPolicyAnswer = Static<typeof DriftPolicyAnswer>;
