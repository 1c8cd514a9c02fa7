// Changes a policy. After an edit conflict it shows the stored policy and keeps the user's input.
import type { Override, OverrideAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Time } from '../ui/Time.tsx';
import { useAfterDecision } from './after-decision.ts';
import { ConflictBox } from './ConflictBox.tsx';
import { DecisionForm } from './DecisionForm.tsx';
import { findOverride } from './find-override.ts';
import { patchOf, says } from './form-values.ts';
import { MatchText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';
import { useOfferUndo, useUndo } from './undo.tsx';

interface EditDecisionProps {
  override: Override;
  onClose: () => void;
}

/**
 * `theirs` is the policy after another user's change; null if it was removed. `isOver`: the user has seen the change, and the
 * hub refuses because another policy for the same app and scope exists.
 */
type Conflict = { theirs: Override | null; isOver: boolean } | null;

export function EditDecision({ override, onClose }: EditDecisionProps) {
  const { tenantId, email } = useTenant();
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const offerUndo = useOfferUndo();
  const undo = useUndo();
  const [conflict, setConflict] = useState<Conflict>(null);
  // The list may load a newer version; the form is based on the version that the user opened.
  const [original] = useState(override);
  const base = conflict?.theirs ?? original;
  return (
    <Dialog wide title={texts.decide.editTitle} onClosed={onClose}>
      {(close) => (
        <>
          <p className="gw-edit-about">
            {texts.decide.about} <MatchText match={original.match} />
          </p>
          <DecisionForm
            match={original.match}
            original={original}
            submitText={texts.decide.submitEdit}
            onCancel={close}
            explain={(error) =>
              conflict !== null &&
              !conflict.isOver &&
              (isStatus(error, 412) || isStatus(error, 404)) ? (
                <ConflictNotice theirs={conflict.theirs} />
              ) : null
            }
            save={async (values, asOf) => {
              const body = patchOf(values, original, Date.now());
              if (body === null) return;
              try {
                const { override: changed } = await write<OverrideAnswer>(
                  'PATCH',
                  `/overrides/${base.override_id}`,
                  {
                    body: asOf === undefined ? body : { ...body, as_of_revision: asOf },
                    ifMatch: base.version,
                  },
                );
                offerUndo(texts.decide.changed, [undo.edit(base, changed)]);
              } catch (error) {
                if (isStatus(error, 412)) {
                  const theirs = await findOverride(tenantId, original.override_id);
                  // The user's own first attempt, whose response was lost, is no conflict. Without a difference, another policy conflicts.
                  const isMine = theirs?.updated_by === email && theirs.version !== base.version;
                  if (theirs !== null && isMine && says(theirs, body)) {
                    offerUndo(texts.decide.changed, [undo.edit(base, theirs)]);
                    void afterDecision();
                    close();
                    return;
                  }
                  setConflict({ theirs, isOver: theirs?.version === base.version });
                  void afterDecision();
                }
                if (isStatus(error, 404)) setConflict({ theirs: null, isOver: false });
                throw error;
              }
              void afterDecision();
              close();
            }}
          />
        </>
      )}
    </Dialog>
  );
}

function ConflictNotice({ theirs }: { theirs: Override | null }) {
  if (theirs === null) {
    return (
      <ConflictBox title={texts.decide.goneTitle}>
        <p>{texts.decide.goneText}</p>
      </ConflictBox>
    );
  }
  return (
    <ConflictBox title={texts.decide.conflictTitle}>
      <p>{texts.decide.conflictText}</p>
      <p>
        {texts.decide.conflictNow} <PolicyStepBadge policy={theirs} /> ·{' '}
        <bdi>{theirs.updated_by}</bdi>, <Time at={theirs.updated_at} />
      </p>
      {theirs.reason === null ? null : <p className="gw-name">“{theirs.reason}”</p>}
    </ConflictBox>
  );
}
