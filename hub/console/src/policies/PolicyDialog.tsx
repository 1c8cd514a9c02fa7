// The policy control of an app in a dialog, as the inventory, an alert, a user's page and unidentified processes open it.
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import type { PolicyPreset } from './form-values.ts';
import { NewDecision } from './NewDecision.tsx';
import { policyTexts } from './policy-texts.ts';

interface PolicyDialogProps {
  match: OverrideMatch;
  /** The app, as users know it. */
  name: string;
  /** The apps that the policy covers, in a sentence. */
  appliesTo: string;
  preset?: PolicyPreset;
  /** Facts of the app that a review is about. */
  children?: ReactNode;
  onClosed: () => void;
}

export function PolicyDialog(props: PolicyDialogProps) {
  const { match, name, appliesTo, preset, children, onClosed } = props;
  // The page may render again; the form keeps the app that it was opened for.
  const [opened] = useState({ match, preset });
  return (
    <Dialog title={policyTexts.title} wide onClosed={onClosed}>
      {(close) => (
        <>
          <strong>
            <Name value={name} clamp />
          </strong>
          <p className="gw-dimmed gw-small gw-flat" data-testid="applies-to">
            {appliesTo}
          </p>
          {children}
          <NewDecision {...opened} onStored={close} onCancel={close} />
        </>
      )}
    </Dialog>
  );
}
