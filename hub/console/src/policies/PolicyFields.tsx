// The fields of a policy, the same wherever a policy is set: step, scope, the fields behind Advanced; and the reason.

import { policyStep } from '@gatewarden/shared/policy-scale.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import type { DecisionValues } from './form-values.ts';
import { AdvancedPolicy, PolicyScale } from './PolicyScale.tsx';
import { ScopeFields } from './ScopeFields.tsx';
import './policies.css';

interface PolicyFieldsProps {
  form: UseFormReturnType<DecisionValues>;
  /** The app whose devices and users the scope offers first. */
  entityId: string | undefined;
  /** The fields of a staged rollout, behind Advanced; left out where the policy cannot be rolled out in stages. */
  rollout?: ReactNode;
  /** Further fields about what the policy covers. */
  children?: ReactNode;
  /** A stored product policy keeps its scope. */
  isScopeFixed?: boolean;
  /** Each of several products gets a policy: "Unreviewed", which is no policy, is left out. */
  isBulk?: boolean;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function PolicyFields(props: PolicyFieldsProps) {
  const { form, entityId, rollout, children, isScopeFixed = false, isBulk = false } = props;
  const { approval, policy } = form.values;
  return (
    <>
      <PolicyScale approval={approval} policy={policy} onChange={form.setValues} isBulk={isBulk} />
      {isScopeFixed ? null : <ScopeFields form={form} entityId={entityId} />}
      {children}
      <AdvancedPolicy
        approval={approval}
        policy={policy}
        onChange={form.setValues}
        isNeeded={isAdvanced(form.values, form.errors)}
      >
        <div className="gw-form-pair">
          <NativeSelect
            label={texts.decide.severity}
            description={texts.decide.severityHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={[
              { value: '', label: texts.decide.severityDefault },
              ...SEVERITIES.map((value) => ({ value, label: texts.severities[value] })),
            ]}
            {...form.getInputProps('severity')}
          />
          <TextInput
            type="datetime-local"
            label={texts.decide.expires}
            description={texts.decide.expiresHint(ZONE)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('expires')}
          />
        </div>
        {rollout}
      </AdvancedPolicy>
    </>
  );
}

/** The reason, below the impact: people give it for what they have seen. */
export function PolicyReason({ form }: Pick<PolicyFieldsProps, 'form'>) {
  return (
    <Textarea
      label={texts.decide.reason}
      description={texts.decide.reasonHint}
      autosize
      minRows={2}
      maxLength={2000}
      {...form.getInputProps('reason')}
    />
  );
}

/** Returns whether a field behind Advanced has a value or an error and must be visible. */
function isAdvanced(values: DecisionValues, errors: Readonly<Record<string, unknown>>): boolean {
  const { approval, policy } = values;
  const isCustom = approval !== '' && policy !== '' && policyStep({ approval, policy }).isCustom;
  const isSet = values.severity !== '' || values.expires !== '' || values.staged;
  return isCustom || isSet || errors.expires !== undefined;
}
