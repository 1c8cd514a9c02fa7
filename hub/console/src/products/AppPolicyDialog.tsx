// The policy control of an app that an alert or a user's page names: the policy is for the app's product, on all platforms or one.
import type { ProductAnswer } from '@gatewarden/shared/wire/console/products.ts';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useResource } from '../api/tenant.ts';
import type { PolicyPreset } from '../policies/form-values.ts';
import { NewDecision } from '../policies/NewDecision.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ProductPolicyForm } from './ProductPolicyForm.tsx';

interface AppPolicyProps {
  entityId: string;
  /** The app, as users know it. */
  name: string;
  preset: PolicyPreset;
}

export function AppPolicyDialog({ onClosed, ...props }: AppPolicyProps & { onClosed: () => void }) {
  return (
    <Dialog title={policyTexts.title} wide onClosed={onClosed}>
      {(close) => <AppPolicy {...props} onDone={close} />}
    </Dialog>
  );
}

function AppPolicy({ entityId, name, preset, onDone }: AppPolicyProps & { onDone: () => void }) {
  const path = `/discovered-apps/${entityId}/product`;
  const answer = useResource<ProductAnswer>('applications', path);
  // The page behind may render anew; the form stays with the choices that it was opened with.
  const [opened] = useState(preset);
  if (answer.data !== undefined) {
    return <ProductPolicyForm products={[answer.data.product]} preset={opened} onDone={onDone} />;
  }
  if (!isStatus(answer.error, 404)) return <Waiting answer={answer} />;
  return (
    <>
      <strong>
        <Name value={name} clamp />
      </strong>
      <p className="gw-dimmed gw-small gw-flat">{policyTexts.appliesToApp}</p>
      <NewDecision
        match={{ entity_id: entityId }}
        preset={opened}
        onStored={onDone}
        onCancel={onDone}
      />
    </>
  );
}
