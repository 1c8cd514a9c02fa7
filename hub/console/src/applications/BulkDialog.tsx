// The same policy for all selected apps: a preview over all of them, a single result, and the cause of each failure. The hub
// changes the policy that an app has for the same scope.
import type {
  BulkAnswer,
  BulkInput,
  BulkPreviewAnswer,
} from '@gatewarden/shared/wire/console/bulk-decisions.ts';
import type { OverrideInput } from '@gatewarden/shared/wire/console/overrides.ts';
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Checkbox } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { topicKey } from '../api/keys.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { useAfterDecision } from '../policies/after-decision.ts';
import {
  changedFields,
  type DecisionValues,
  decisionErrors,
  inputOf,
  newPolicyValues,
} from '../policies/form-values.ts';
import { PolicyFields, PolicyReason } from '../policies/PolicyFields.tsx';
import { RolloutFields } from '../policies/RolloutFields.tsx';
import { rolloutInput, USUAL_ROLLOUT } from '../policies/rollout-values.ts';
import { Elsewhere, Standing } from '../policies/Standing.tsx';
import { useOfferUndo, useUndo } from '../policies/undo.tsx';
import { useSeen } from '../policies/use-seen.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { reviewTexts as words } from './review-texts.ts';
import '../policies/policies.css';

interface BulkProps {
  /** The selected apps: displayed names by entity id. */
  selected: ReadonlyMap<string, string>;
  /** The initial review status of the form. */
  approval?: ApprovalStatus | undefined;
  onClose: () => void;
  onStored: (left: ReadonlyMap<string, string>) => void;
}

export function BulkDialog({ onClose, ...props }: BulkProps) {
  return (
    <Dialog title={words.bulkTitle} wide onClosed={onClose}>
      {(close) => <BulkForm {...props} onClose={close} />}
    </Dialog>
  );
}

/** Returns how to undo the result of an app. A policy that had the terms already has nothing to undo. */
function useUndoOfResult() {
  const undo = useUndo();
  return ({ override, before }: BulkAnswer['results'][number]) => {
    if (override === null || override.version === before?.version) return [];
    return [before == null ? undo.creation(override) : undo.edit(before, override)];
  };
}

function BulkForm({ selected, approval, onClose, onStored }: BulkProps) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const offerUndo = useOfferUndo();
  const undoOf = useUndoOfResult();
  const once = useSentOnce();
  const [initialValues] = useState(() => newPolicyValues({ approval }));
  const form = useForm<DecisionValues>({
    initialValues,
    validate: (values) => decisionErrors(values, Date.now(), null),
    validateInputOnBlur: true,
  });
  const [stages, setStages] = useState(USUAL_ROLLOUT);
  const rollout = form.values.staged ? rolloutInput(stages) : undefined;
  const [failed, setFailed] = useState<BulkAnswer['results']>([]);
  const input = inputOf(form.values, {}, Date.now());
  // The selection is empty while the dialog closes.
  const decision =
    input === null || selected.size === 0
      ? null
      : {
          ...bulkOf([...selected.keys()], input, form.values, initialValues),
          ...(rollout == null ? {} : { rollout }),
        };
  // A reason does not change the impact, so it requests no new preview.
  const { reason: _reason, ...previewed } = decision ?? {};
  const [look, setLook] = useState(0);
  const preview = useQuery({
    queryKey: topicKey(tenantId, 'overrides', 'bulk-preview', JSON.stringify(previewed), look),
    queryFn: ({ signal }) =>
      write<BulkPreviewAnswer>('POST', '/overrides/bulk/preview', { body: previewed, signal }),
    enabled: decision !== null,
    staleTime: 0,
    gcTime: 0,
  });
  const asOf = useSeen(
    decision && JSON.stringify([decision.entity_ids, decision.scope, look]),
    preview.data,
  );
  const store = useMutation({
    mutationFn: () =>
      once({ ...decision }, (id) =>
        withoutUnknown('bulk_id', { ...decision, bulk_id: id, as_of_revision: asOf }, (sent) =>
          write<BulkAnswer>('POST', '/overrides/bulk', { body: sent }),
        ),
      ),
    onSuccess: ({ results }) => {
      const refused = results.filter((row) => row.error !== null);
      void afterDecision();
      const count = results.length - refused.length;
      if (count > 0) offerUndo(words.stored(count), results.flatMap(undoOf));
      onStored(new Map(refused.map((row) => [row.entity_id, selected.get(row.entity_id) ?? ''])));
      if (refused.length === 0) onClose();
      else {
        setFailed(refused);
        // Policies that other users set meanwhile are shown before the next attempt.
        setLook((times) => times + 1);
      }
    },
  });
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (preview.isSuccess && rollout !== null) store.mutate();
      }}
    >
      <PolicyFields
        form={form}
        entityId={[...selected.keys()][0]}
        isBulk
        rollout={
          <>
            <Checkbox
              label={texts.rollout.staged}
              description={words.stagedHint}
              {...form.getInputProps('staged', { type: 'checkbox' })}
            />
            {form.values.staged ? <RolloutFields values={stages} onChange={setStages} /> : null}
          </>
        }
      />
      <section className="gw-preview" data-testid="bulk-preview" aria-live="polite">
        <strong>{texts.preview.title}</strong>
        {decision === null ? <p className="gw-dimmed gw-flat">{words.bulkWaiting}</p> : null}
        {decision !== null && preview.isPending ? (
          <p className="gw-dimmed gw-flat">{words.bulkLoading}</p>
        ) : null}
        {preview.isError ? <ErrorPanel error={preview.error} /> : null}
        {preview.data ? <Together answer={preview.data} isStaged={form.values.staged} /> : null}
      </section>
      <PolicyReason form={form} />
      <RefusedApps failed={failed} selected={selected} />
      {store.isError ? <ErrorPanel error={store.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end gw-form-foot">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button
          type="submit"
          disabled={!preview.isSuccess || rollout === null}
          loading={store.isPending}
        >
          {words.store(selected.size)}
        </Button>
      </div>
    </form>
  );
}

interface RefusedAppsProps extends Pick<BulkProps, 'selected'> {
  failed: BulkAnswer['results'];
}

/** Lists apps with a refused policy, each with the reason. */
function RefusedApps({ failed, selected }: RefusedAppsProps) {
  if (failed.length === 0) return null;
  return (
    <div className="gw-error" role="alert">
      <strong>{words.failed}</strong>
      <ul className="gw-plain-list">
        {failed.map((row) => (
          <li key={row.entity_id}>
            <Name value={selected.get(row.entity_id) ?? row.entity_id} />: {row.error?.message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the input of the bulk policy: fields that the person left alone stay where an app has a policy already. */
function bulkOf(
  entityIds: string[],
  input: OverrideInput,
  values: DecisionValues,
  initial: DecisionValues,
): BulkInput {
  return {
    entity_ids: entityIds,
    scope: input.scope,
    ...changedFields(input, values, initial),
  };
}

function Together({ answer, isStaged }: { answer: BulkPreviewAnswer; isStaged: boolean }) {
  return (
    <>
      <Standing standing={answer.standing} />
      <Elsewhere elsewhere={answer.elsewhere} />
      <ul className="gw-plain-list">
        <li>{words.touches(words.devices(answer.devices), words.people(answer.people))}</li>
        <li>{words.processes(answer.processes)}</li>
        {answer.ended > 0 ? (
          <li className="gw-preview-warning">{words.ended(answer.ended)}</li>
        ) : null}
        {(answer.guarded ?? 0) > 0 ? <li>{words.guarded(answer.guarded ?? 0)}</li> : null}
        {answer.stopped > 0 ? <li>{words.stopped(answer.stopped)}</li> : null}
        {answer.overruled > 0 ? <li>{words.overruled(answer.overruled)}</li> : null}
        {(answer.changed ?? 0) > 0 ? <li>{words.changes(answer.changed ?? 0)}</li> : null}
        {answer.at_least ? <li>{words.atLeast}</li> : null}
        <li className="gw-dimmed">{isStaged ? words.inStages : words.atOnce}</li>
      </ul>
    </>
  );
}
