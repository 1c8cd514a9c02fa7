// The emergency stop limits the enforcement of all agents of the tenant from their next poll. It is visible to everyone while
// active; administrators start and end it after a confirmation.
import type { EmergencyStopAnswer } from '@gatewarden/shared/wire/console/emergency-stop.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayAdminister, useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { useAfterDecision } from './after-decision.ts';
import { stopTexts } from './stop-texts.ts';
import './policies.css';

type Ceiling = EmergencyStopAnswer['enforcement_ceiling'];

export function EmergencyStop() {
  const answer = useResource<EmergencyStopAnswer>('overrides', '/emergency-stop');
  const mayAdminister = useMayAdminister();
  const [asking, setAsking] = useState<Ceiling | null>(null);
  const ceiling = answer.data?.enforcement_ceiling;
  // An unknown state must not look like normal operation.
  if (ceiling === undefined && answer.isError) return <Waiting answer={answer} />;
  if (ceiling === undefined || (ceiling === 'enforce' && !mayAdminister)) return null;
  const offered: Ceiling[] = ceiling === 'enforce' ? ['monitor', 'off'] : ['enforce'];
  return (
    <section aria-label={stopTexts.title} className="gw-stop">
      {ceiling === 'enforce' ? null : <span role="status">{stopTexts.states[ceiling]}</span>}
      {mayAdminister
        ? offered.map((next) => (
            <Button
              key={next}
              size="xs"
              variant={next === 'enforce' ? 'filled' : 'default'}
              onClick={() => {
                setAsking(next);
              }}
            >
              {stopTexts.acts[next]}
            </Button>
          ))
        : null}
      {asking === null ? null : (
        <Dialog
          title={stopTexts.acts[asking]}
          onClosed={() => {
            setAsking(null);
          }}
        >
          {(close) => <Confirm ceiling={asking} onClose={close} />}
        </Dialog>
      )}
    </section>
  );
}

function Confirm({ ceiling, onClose }: { ceiling: Ceiling; onClose: () => void }) {
  const write = useTenantWrite();
  const after = useAfterDecision();
  const set = useMutation({
    mutationFn: () =>
      write<EmergencyStopAnswer>('POST', '/emergency-stop', {
        body: { enforcement_ceiling: ceiling },
      }),
    onSuccess: async () => {
      notifications.show({ color: 'teal', message: stopTexts.states[ceiling] });
      await after();
      onClose();
    },
  });
  return (
    <div className="gw-form">
      <p className="gw-dimmed gw-flat">{stopTexts.consequences[ceiling]}</p>
      {set.isError ? <ErrorPanel error={set.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          {...(ceiling === 'enforce' ? {} : { color: 'red' })}
          loading={set.isPending}
          onClick={() => {
            set.mutate();
          }}
        >
          {stopTexts.acts[ceiling]}
        </Button>
      </div>
    </div>
  );
}
