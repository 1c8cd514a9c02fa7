// The five steps of a policy as people set it. Each step is a pair of approval status and enforcement; every other pair is
// shown as the nearest step, marked as custom. Pure.
import type { ApprovalStatus, ExecutionPolicy } from './wire/vocabulary.ts';

export const POLICY_STEPS = [
  'unreviewed',
  'approved',
  'restricted',
  'blocked',
  'quarantined',
] as const;
export type PolicyStep = (typeof POLICY_STEPS)[number];

export interface PolicyPair {
  approval: ApprovalStatus;
  policy: ExecutionPolicy;
}

export const PAIR_OF_STEP: Readonly<Record<PolicyStep, PolicyPair>> = {
  unreviewed: { approval: 'pending', policy: 'monitor' },
  approved: { approval: 'approved', policy: 'allow' },
  restricted: { approval: 'restricted', policy: 'warn' },
  blocked: { approval: 'blocked', policy: 'block' },
  quarantined: { approval: 'blocked', policy: 'quarantine' },
};

/** Enforcement is what employees notice, so that it decides which step is the nearest. */
const NEAREST: Readonly<Record<Exclude<ExecutionPolicy, 'monitor'>, PolicyStep>> = {
  allow: 'approved',
  warn: 'restricted',
  block: 'blocked',
  quarantine: 'quarantined',
};

/** Returns the step of a pair, and whether the pair differs from the step's own. */
export function policyStep({ approval, policy }: PolicyPair): {
  step: PolicyStep;
  isCustom: boolean;
} {
  const monitored = approval === 'approved' ? 'approved' : 'unreviewed';
  const step = policy === 'monitor' ? monitored : NEAREST[policy];
  const own = PAIR_OF_STEP[step];
  return { step, isCustom: own.approval !== approval || own.policy !== policy };
}
