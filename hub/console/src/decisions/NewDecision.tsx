// Decides anew about an application or a process name.
import type { Override, OverrideAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { useAfterDecision } from './after-decision.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { inputOf, type PolicyPreset } from './form-values.ts';
import { RolloutDialog } from './RolloutDialog.tsx';
import { useOfferUndo, useUndo } from './undo.tsx';

interface NewDecisionProps {
  match: OverrideMatch;
  /** Choices made already; the preview comes first all the same. */
  preset?: PolicyPreset | undefined;
  onStored?: () => void;
  onCancel?: () => void;
}

export function NewDecision({ match, preset, onStored, onCancel }: NewDecisionProps) {
  const write = useTenantWrite();
  const read = useTenantRead();
  const once = useSentOnce();
  const afterDecision = useAfterDecision();
  const offerUndo = useOfferUndo();
  const undo = useUndo();
  const [stored, setStored] = useState(0);
  const [rolling, setRolling] = useState<Override | null>(null);
  const form = (
    <DecisionForm
      key={stored}
      match={match}
      original={null}
      preset={preset}
      submitText={texts.decide.submit}
      {...(onCancel ? { onCancel } : {})}
      save={async (values, asOf) => {
        const body = inputOf(values, match, Date.now());
        if (body === null) return;
        const decision = { ...body, ...(values.staged ? { rollout_percent: 0 } : {}) };
        const answer = await once<OverrideAnswer>(
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
        setStored((times) => times + 1);
        void afterDecision();
        if (values.staged) {
          setRolling(answer.override);
          return;
        }
        offerUndo(texts.decide.stored, [undo.creation(answer.override)]);
        onStored?.();
      }}
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
