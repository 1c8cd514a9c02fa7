// A policy is shown as one of five steps; pairs beside the five are custom.

import { expect, test } from 'vitest';
import { PAIR_OF_STEP, POLICY_STEPS, policyStep } from './policy-scale.ts';
import { APPROVAL_STATUSES, EXECUTION_POLICIES } from './wire/vocabulary.ts';

test.each(POLICY_STEPS)('shows the pair of %s as that step', (step) => {
  expect(policyStep(PAIR_OF_STEP[step])).toEqual({ step, isCustom: false });
});

test.each([
  ['approved', 'monitor', 'approved'],
  ['approved', 'block', 'blocked'],
  ['restricted', 'allow', 'approved'],
  ['blocked', 'monitor', 'unreviewed'],
  ['blocked', 'warn', 'restricted'],
  ['pending', 'quarantine', 'quarantined'],
] as const)('shows %s with %s as %s, marked as custom', (approval, policy, step) => {
  expect(policyStep({ approval, policy })).toEqual({ step, isCustom: true });
});

test('marks every pair as custom except the five of the steps', () => {
  const pairs = APPROVAL_STATUSES.flatMap((approval) =>
    EXECUTION_POLICIES.map((policy) => ({ approval, policy })),
  );
  expect(pairs.filter((pair) => !policyStep(pair).isCustom)).toHaveLength(POLICY_STEPS.length);
});
