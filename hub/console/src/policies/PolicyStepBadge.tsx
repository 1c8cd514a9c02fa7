// A policy as a step of the five-step scale; a pair between the steps shows the nearest step and "Custom".

import { type PolicyStep, policyStep } from '@gatewarden/shared/policy-scale.ts';
import type { ApprovalStatus, ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { policyTexts } from './policy-texts.ts';

const TONES: Record<PolicyStep, Tone> = {
  unreviewed: 'plain',
  approved: 'good',
  restricted: 'warn',
  blocked: 'bad',
  quarantined: 'worst',
};

interface PolicyStepBadgeProps {
  policy: { approval_status: ApprovalStatus; execution_policy: ExecutionPolicy };
}

export function PolicyStepBadge({ policy: pair }: PolicyStepBadgeProps) {
  const { approval_status: approval, execution_policy: policy } = pair;
  const { step, isCustom } = policyStep({ approval, policy });
  return (
    <>
      <Badge tone={TONES[step]} dot>
        {policyTexts.steps[step]}
      </Badge>
      {isCustom ? (
        <span title={policyTexts.custom(texts.approvals[approval], texts.policies[policy])}>
          <Badge tone="plain">{policyTexts.customShort}</Badge>
        </span>
      ) : null}
    </>
  );
}
