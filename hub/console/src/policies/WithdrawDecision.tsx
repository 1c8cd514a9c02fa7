// Removes a policy after a confirmation. A policy that another user changed meanwhile is shown first.
import type { Override, OverrideDeletedAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { useAfterDecision } from './after-decision.ts';
import { ConflictBox } from './ConflictBox.tsx';
import { listedOverride } from './find-override.ts';
import { MatchText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';
import { useOfferUndo, useUndo } from './undo.tsx';
import { canComeBack } from './undo-bodies.ts';

interface WithdrawDecisionProps {
  override: Override;
  onClose: () => void;
}

export function WithdrawDecision({ override, onClose }: WithdrawDecisionProps) {
  return (
    <Dialog title={texts.decisions.withdrawTitle} onClosed={onClose}>
      {(close) => <Confirm override={override} onClose={close} />}
    </Dialog>
  );
}

function Confirm({ override, onClose }: WithdrawDecisionProps) {
  const { tenantId, email } = useTenant();
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const offerUndo = useOfferUndo();
  const undo = useUndo();
  const [shown, setShown] = useState(override);
  const [changed, setChanged] = useState(false);
  /** `revision` is that of the user's own removal; null if another user removed the policy. */
  const done = (revision: number | null) => {
    if (revision !== null && canComeBack(shown, Date.now())) {
      offerUndo(texts.decisions.withdrawn, [undo.withdrawal(shown, revision)]);
    } else {
      notifications.show({ color: 'teal', message: texts.decisions.withdrawn });
    }
    void afterDecision();
    onClose();
  };
  const withdraw = useMutation({
    mutationFn: () =>
      write<OverrideDeletedAnswer>('DELETE', `/overrides/${shown.override_id}`, {
        ifMatch: shown.version,
      }),
    onSuccess: ({ revision }) => done(revision),
    onError: async (error) => {
      if (!isStatus(error, 404) && !isStatus(error, 412)) return;
      const newest = await listedOverride(tenantId, shown.override_id);
      if (newest === null || newest.state === 'withdrawn') {
        // The user's own first attempt, whose response was lost, can be undone, too.
        done(newest?.updated_by === email ? newest.revision : null);
        return;
      }
      setShown(newest);
      setChanged(true);
      void afterDecision();
    },
  });
  const refused = withdraw.isError && !isStatus(withdraw.error, 412);
  return (
    <div className="gw-form">
      {changed ? (
        <ConflictBox title={texts.decide.conflictTitle}>
          <p>{texts.decisions.withdrawConflict}</p>
        </ConflictBox>
      ) : null}
      <div>
        <MatchText match={shown.match} />
        <div className="gw-badges">
          <PolicyStepBadge policy={shown} />
        </div>
      </div>
      <p className="gw-dimmed gw-flat">{texts.decisions.withdrawText}</p>
      {refused ? <ErrorPanel error={withdraw.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          color="red"
          loading={withdraw.isPending}
          onClick={() => {
            withdraw.mutate();
          }}
        >
          {texts.decisions.withdraw}
        </Button>
      </div>
    </div>
  );
}
