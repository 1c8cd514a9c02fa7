// Sets a policy for an app or a process name; the policy that the app has for the same scope is changed instead.
import type {
  Override,
  OverrideAnswer,
  OverrideInput,
  OverridePatch,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { useAfterDecision } from './after-decision.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { useExistingPolicy } from './existing-policy.ts';
import {
  changedFields,
  type DecisionValues,
  inputOf,
  newPolicyValues,
  type PolicyPreset,
} from './form-values.ts';
import { RolloutDialog } from './RolloutDialog.tsx';
import { useOfferUndo, useUndo } from './undo.tsx';

interface NewDecisionProps {
  match: OverrideMatch;
  /** Choices that were made before; the preview is still required. */
  preset?: PolicyPreset | undefined;
  onStored?: () => void;
  onCancel?: () => void;
}

export function NewDecision({ match, preset, onStored, onCancel }: NewDecisionProps) {
  const existing = useExistingPolicy(match);
  const store = useStoreDecision();
  const change = useChangeExisting();
  const afterDecision = useAfterDecision();
  const offerUndo = useOfferUndo();
  const undo = useUndo();
  const [stored, setStored] = useState(0);
  const [rolling, setRolling] = useState<Override | null>(null);
  const save = async (values: DecisionValues, asOf: number | undefined) => {
    const input = inputOf(values, match, Date.now());
    if (input === null) return;
    // A staged policy begins beside the existing policy, which covers the devices that the rollout has not reached.
    const policy = values.staged ? undefined : await existing.read(input.scope);
    // The hub refuses to create a policy beside a policy that is newer than the preview: the person sees it first.
    const isUnseen = policy !== undefined && asOf !== undefined && policy.revision > asOf;
    if (policy === undefined || isUnseen) {
      const created = await store(values.staged ? { ...input, rollout_percent: 0 } : input, asOf);
      setStored((times) => times + 1);
      void afterDecision();
      if (values.staged) return setRolling(created);
      offerUndo(texts.decide.stored, [undo.creation(created)]);
    } else {
      const fields = changedFields(input, values, newPolicyValues(preset));
      const changed = await change(policy, fields, asOf);
      setStored((times) => times + 1);
      void afterDecision();
      offerUndo(texts.decide.changed, [undo.edit(policy, changed)]);
    }
    onStored?.();
  };
  const form = (
    <DecisionForm
      key={stored}
      match={match}
      original={null}
      preset={preset}
      existing={existing.cached}
      submitText={texts.decide.submit}
      {...(onCancel ? { onCancel } : {})}
      save={save}
    />
  );
  return (
    <>
      {form}
      {rolling === null ? null : (
        <RolloutDialog
          override={rolling}
          onClose={(isStarted) => {
            setRolling(null);
            if (!isStarted) offerUndo(texts.rollout.waits, [undo.creation(rolling)]);
            onStored?.();
          }}
        />
      )}
    </>
  );
}

/** Returns a function that creates a policy, once for the same input, and returns the created policy. */
function useStoreDecision() {
  const write = useTenantWrite();
  const read = useTenantRead();
  const once = useSentOnce();
  return async (decision: OverrideInput, asOf: number | undefined): Promise<Override> => {
    const { override } = await once<OverrideAnswer>(
      decision,
      (id) =>
        write('POST', '/overrides', {
          body: {
            ...decision,
            override_id: id,
            ...(asOf === undefined ? {} : { as_of_revision: asOf }),
          },
        }),
      (id) => read(`/overrides/${id}`),
    );
    return override;
  };
}

/** Returns a function that changes the fields of an existing policy, unless the policy was changed since it was read. */
function useChangeExisting() {
  const write = useTenantWrite();
  return async (policy: Override, fields: OverridePatch, asOf: number | undefined) => {
    const { override } = await write<OverrideAnswer>('PATCH', `/overrides/${policy.override_id}`, {
      body: asOf === undefined ? fields : { ...fields, as_of_revision: asOf },
      ifMatch: policy.version,
    });
    return override;
  };
}
