// The policy control for the app of an alert. Approve, Block or Set policy opens the control, which shows a preview first.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import { useState } from 'react';
import type { PolicyPreset } from '../policies/form-values.ts';
import { PolicyButtons } from '../policies/PolicyActions.tsx';
import { PolicyDialog } from '../policies/PolicyDialog.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { AppPolicyDialog } from '../products/AppPolicyDialog.tsx';
import { visible } from '../ui/visible.ts';

interface AlertPolicyProps {
  alert: AlertRow;
  /** The app in the hub's explanation of the alert; null for an unknown app. */
  application: WhyAnswer['application'];
}

export function AlertPolicy({ alert, application }: AlertPolicyProps) {
  const [preset, setPreset] = useState<PolicyPreset | null>(null);
  const name = application?.name ?? alert.application_name ?? alert.process?.name;
  if (name === undefined) return null;
  const entityId = application?.entity_id ?? null;
  const close = () => setPreset(null);
  return (
    <>
      <PolicyButtons onOpen={(approval) => setPreset({ approval })} />
      {preset === null ? null : entityId === null ? (
        <PolicyDialog
          match={{ name }}
          name={name}
          appliesTo={policyTexts.appliesToName(visible(name))}
          preset={preset}
          onClosed={close}
        />
      ) : (
        <AppPolicyDialog entityId={entityId} name={name} preset={preset} onClosed={close} />
      )}
    </>
  );
}
