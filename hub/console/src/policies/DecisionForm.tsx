// The form that sets a policy: step, scope, reason and the advanced fields, with a preview before it can be saved.
import type { Override, OverrideScope } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { Button, Checkbox } from '@mantine/core';
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
  type PolicyPreset,
  valuesOf,
} from './form-values.ts';
import { PolicyFields, PolicyReason } from './PolicyFields.tsx';
import { AppPolicyInForce } from './PolicyInForce.tsx';
import { PreviewBox } from './PreviewBox.tsx';
import { usePreview } from './preview.ts';
import { DecidedMeanwhile } from './Standing.tsx';
import { useSeen } from './use-seen.ts';

interface DecisionFormProps {
  match: OverrideMatch;
  /** The policy to change; null for a new policy. */
  original: Override | null;
  /** Choices of a new policy that were made before the form opened. */
  preset?: PolicyPreset | undefined;
  /** Returns the existing policy of a scope that a new policy changes, unless the new policy is staged. */
  existing?: (scope: OverrideScope) => Override | undefined;
  submitText: string;
  /** `asOf`: the feed number of the preview that the person saw. */
  save: (values: DecisionValues, asOf: number | undefined) => Promise<void>;
  /** Renders an error in place of the general message, or nothing. */
  explain?: (error: unknown) => ReactNode;
  onCancel?: () => void;
}

export function DecisionForm(props: DecisionFormProps) {
  const { match, original, preset, existing, submitText, save, explain, onCancel } = props;
  const form = useForm<DecisionValues>({
    initialValues: original === null ? newPolicyValues(preset) : valuesOf(original),
    validate: (values) => decisionErrors(values, Date.now(), original),
    validateInputOnBlur: true,
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const input = useMemo(
    () => inputOf(form.values, match, Date.now(), original),
    [form.values, match, original],
  );
  const [look, setLook] = useState(0);
  const replaced = input === null || form.values.staged ? undefined : existing?.(input.scope);
  const preview = usePreview(input, original ?? replaced ?? null, look);
  const asOf = useSeen(input && JSON.stringify([input.scope, look]), preview.answer);
  const submit = async (values: DecisionValues) => {
    setRefusal(null);
    try {
      await save(values, asOf);
    } catch (error) {
      setRefusal(error);
      // Policies that other users set meanwhile are shown before the next attempt.
      if (isStatus(error, 412)) setLook((times) => times + 1);
    }
  };
  const explained = refusal === null ? null : (explain?.(refusal) ?? meanwhile());
  function meanwhile() {
    if (!isStatus(refusal, 412)) return null;
    const { count, items } = preview.answer?.standing ?? { count: 0, items: [] };
    const standing =
      replaced === undefined ? { count, items } : { count: count + 1, items: [replaced, ...items] };
    return <DecidedMeanwhile standing={standing} />;
  }
  return (
    <form className="gw-decide" noValidate onSubmit={form.onSubmit(submit)}>
      <div className="gw-decide-parts">
        <div className="gw-form">
          {original === null && match.entity_id !== undefined ? (
            <AppPolicyInForce entityId={match.entity_id} />
          ) : null}
          <PolicyFields
            form={form}
            entityId={match.entity_id}
            rollout={original === null ? <StagedField form={form} /> : null}
          />
        </div>
        <div className="gw-decide-impact">
          <PreviewBox preview={preview} />
        </div>
        <div className="gw-form">
          <PolicyReason form={form} />
          {explained}
          {refusal !== null && !explained ? (
            <ErrorPanel error={refusal} title={texts.errors.notSaved} />
          ) : null}
        </div>
      </div>
      <div className="gw-form-end gw-form-foot">
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
    </form>
  );
}

function StagedField({ form }: { form: UseFormReturnType<DecisionValues> }) {
  return (
    <Checkbox
      label={texts.rollout.staged}
      description={texts.rollout.stagedHint}
      {...form.getInputProps('staged', { type: 'checkbox' })}
    />
  );
}
