// The five-step scale of a policy, and the fields behind Advanced: the independent pair, and what a caller adds.

import {
  PAIR_OF_STEP,
  POLICY_STEPS,
  type PolicyPair,
  policyStep,
} from '@gatewarden/shared/policy-scale.ts';
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  EXECUTION_POLICIES,
  type ExecutionPolicy,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, Radio } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { oneOf } from '../api/query-string.ts';
import { texts } from '../texts.ts';
import { policyTexts } from './policy-texts.ts';

interface PolicyScaleProps {
  /** Empty until the user chooses: no policy is set by accident. */
  approval: ApprovalStatus | '';
  policy: ExecutionPolicy | '';
  onChange: (pair: PolicyPair) => void;
  /** Leaves "Unreviewed" out, unless it is chosen. */
  isBulk?: boolean;
}

/** The five steps as radio buttons; a pair beside them shows as the nearest step with its own words. */
export function PolicyScale({ approval, policy, onChange, isBulk = false }: PolicyScaleProps) {
  const shown = approval === '' || policy === '' ? null : policyStep({ approval, policy });
  const steps = POLICY_STEPS.filter(
    (step) => !isBulk || step !== 'unreviewed' || shown?.step === step,
  );
  return (
    <Radio.Group
      label={policyTexts.label}
      value={shown?.step ?? ''}
      onChange={(value) => {
        const step = oneOf(POLICY_STEPS, value);
        if (step !== undefined) onChange(PAIR_OF_STEP[step]);
      }}
    >
      <div className="gw-scale">
        {steps.map((step) => (
          <Radio
            key={step}
            value={step}
            className="gw-scale-step"
            data-step={step}
            label={policyTexts.steps[step]}
            description={policyTexts.hints[step]}
          />
        ))}
      </div>
      {shown?.isCustom && approval !== '' && policy !== '' ? (
        <p className="gw-dimmed gw-small" data-testid="custom-policy">
          {policyTexts.custom(texts.approvals[approval], texts.policies[policy])}
        </p>
      ) : null}
    </Radio.Group>
  );
}

interface AdvancedProps extends PolicyScaleProps {
  /** Whether a field in it differs from its default or has an error. */
  isNeeded: boolean;
  children?: ReactNode;
}

/** The independent pair of review status and enforcement, and further fields, behind one button. */
export function AdvancedPolicy({ approval, policy, onChange, isNeeded, children }: AdvancedProps) {
  const [isOpen, { toggle }] = useDisclosure(isNeeded);
  const id = useId();
  const expanded = isOpen || isNeeded;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={expanded}
        aria-controls={expanded ? id : undefined}
        onClick={toggle}
        rightSection={<IconChevronDown size={16} aria-hidden />}
      >
        {policyTexts.advanced}
      </Button>
      {expanded ? (
        <div id={id} className="gw-form gw-advanced">
          <div className="gw-form-pair">
            <NativeSelect
              label={policyTexts.approval}
              data={optionsOf(APPROVAL_STATUSES, texts.approvals, approval === '')}
              value={approval}
              onChange={(event) => {
                const value = oneOf(APPROVAL_STATUSES, event.currentTarget.value);
                if (value !== undefined) onChange({ approval: value, policy: policy || 'monitor' });
              }}
            />
            <NativeSelect
              label={policyTexts.enforcement}
              data={optionsOf(EXECUTION_POLICIES, texts.policies, policy === '')}
              value={policy}
              onChange={(event) => {
                const value = oneOf(EXECUTION_POLICIES, event.currentTarget.value);
                if (value !== undefined)
                  onChange({ approval: approval || 'pending', policy: value });
              }}
            />
          </div>
          {children}
        </div>
      ) : null}
    </div>
  );
}

function optionsOf<T extends string>(
  values: readonly T[],
  labels: Readonly<Record<T, string>>,
  withEmpty: boolean,
) {
  const options: { value: string; label: string }[] = values.map((value) => ({
    value,
    label: labels[value],
  }));
  return withEmpty ? [{ value: '', label: '' }, ...options] : options;
}
