// C/drift-policy: the policy for an approved application that drifted on a device, until its review.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';

/** `approval`: the approval stays in force. `warn`, `block`: this policy applies where the present policy is laxer. */
export const DRIFT_POLICIES = ['approval', 'warn', 'block'] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];

export const DriftPolicyInput = Type.Object(
  { policy: OneOf(DRIFT_POLICIES) },
  { additionalProperties: false },
);

export const DriftPolicyAnswer = Type.Object({
  policy: OneOf(DRIFT_POLICIES),
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
  version: Type.String(),
  /** The number of drifts that wait for a review. */
  waiting: Type.Object({ applications: Type.Integer(), devices: Type.Integer() }),
  request_id: Type.String(),
});
export type DriftPolicyAnswer = Static<typeof DriftPolicyAnswer>;
