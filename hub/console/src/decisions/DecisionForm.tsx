// The form that sets a policy: step, scope, reason and the advanced fields, with a preview before it can be saved.
import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { type ApprovalStatus, SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useMemo, useState } from 'react';
import { isStatus } from '../api/client.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import {
  type DecisionValues,
  decisionErrors,
  inputOf,
  newPolicyValues,
  valuesOf,
} from './form-values.ts';
import { AdvancedPolicy, PolicyScale } from './PolicyScale.tsx';
import { PreviewBox } from './PreviewBox.tsx';
import { policyStep } from './policy-scale.ts';
import { usePreview } from './preview.ts';
import { ScopeFields } from './ScopeFields.tsx';
import { DecidedMeanwhile } from './Standing.tsx';
import { useSeen } from './use-seen.ts';

interface DecisionFormProps {
  match: OverrideMatch;
  /** The decision that is changed; null for a new one. */
  original: Override | null;
  /** Of a new one: chosen before the form was opened. */
  approval?: ApprovalStatus;
  submitText: string;
  /** `asOf`: the feed number of the preview that the person saw. */
  save: (values: DecisionValues, asOf: number | undefined) => Promise<void>;
  /** Says something better than the plain refusal, or nothing. */
  explain?: (error: unknown) => ReactNode;
  onCancel?: () => void;
}

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function DecisionForm(props: DecisionFormProps) {
  const { match, original, approval, submitText, save, explain, onCancel } = props;
  const form = useForm<DecisionValues>({
    initialValues: original === null ? newPolicyValues(approval) : valuesOf(original),
    validate: (values) => decisionErrors(values, Date.now(), original),
    validateInputOnBlur: true,
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const input = useMemo(
    () => inputOf(form.values, match, Date.now(), original),
    [form.values, match, original],
  );
  const [look, setLook] = useState(0);
  const preview = usePreview(input, original, look);
  const asOf = useSeen(input && JSON.stringify([input.scope, look]), preview.answer);
  const submit = async (values: DecisionValues) => {
    setRefusal(null);
    try {
      await save(values, asOf);
    } catch (error) {
      setRefusal(error);
      // What others decided meanwhile is looked at before it is decided again.
      if (isStatus(error, 412)) setLook((times) => times + 1);
    }
  };
  const explained = refusal === null ? null : (explain?.(refusal) ?? meanwhile());
  function meanwhile() {
    if (!isStatus(refusal, 412)) return null;
    return <DecidedMeanwhile standing={preview.answer?.standing ?? { count: 0, items: [] }} />;
  }
  return (
    <form className="gw-decide" noValidate onSubmit={form.onSubmit(submit)}>
      <div className="gw-decide-parts">
        <div className="gw-form">
          <PolicyScale
            approval={form.values.approval}
            policy={form.values.policy}
            onChange={form.setValues}
          />
          <ScopeFields form={form} entityId={match.entity_id} />
          <AdvancedPolicy
            approval={form.values.approval}
            policy={form.values.policy}
            onChange={form.setValues}
            isNeeded={isAdvanced(form.values, form.errors)}
          >
            <AdvancedFields form={form} isNew={original === null} />
          </AdvancedPolicy>
          <Textarea
            label={texts.decide.reason}
            description={texts.decide.reasonHint}
            autosize
            minRows={2}
            maxLength={2000}
            {...form.getInputProps('reason')}
          />
        </div>
        <div className="gw-form">
          <PreviewBox preview={preview} />
          {explained}
          {refusal !== null && !explained ? (
            <ErrorPanel error={refusal} title={texts.errors.notSaved} />
          ) : null}
          <div className="gw-form-end">
            {onCancel === undefined ? null : (
              <Button variant="default" onClick={onCancel}>
                {texts.ui.cancel}
              </Button>
            )}
            <Button
              type="submit"
              data-testid="decide-submit"
              disabled={preview.state !== 'shown'}
              loading={form.submitting}
              title={preview.state === 'shown' ? undefined : texts.decide.submitHint}
            >
              {submitText}
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}

/** Whether a field behind Advanced has a value or an error, so that it must be visible. */
function isAdvanced(values: DecisionValues, errors: Readonly<Record<string, unknown>>): boolean {
  const { approval, policy } = values;
  const isCustom = approval !== '' && policy !== '' && policyStep({ approval, policy }).isCustom;
  const isSet = values.severity !== '' || values.expires !== '' || values.staged;
  return isCustom || isSet || errors.expires !== undefined;
}

interface AdvancedFieldsProps {
  form: UseFormReturnType<DecisionValues>;
  isNew: boolean;
}

function AdvancedFields({ form, isNew }: AdvancedFieldsProps) {
  return (
    <>
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
      {isNew ? (
        <Checkbox
          label={texts.rollout.staged}
          description={texts.rollout.stagedHint}
          {...form.getInputProps('staged', { type: 'checkbox' })}
        />
      ) : null}
    </>
  );
}
