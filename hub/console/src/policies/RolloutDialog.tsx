// The staged rollout of a policy: its state with pause and cancel, or the form for a new rollout.
import type { Override, OverrideAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useResource, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { RolloutBadge } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { useAfterDecision } from './after-decision.ts';
import { MatchText } from './MatchText.tsx';
import { RolloutFields } from './RolloutFields.tsx';
import { rolloutInput, USUAL_ROLLOUT } from './rollout-values.ts';
import './policies.css';

interface RolloutDialogProps {
  override: Override;
  /** `isStarted`: a rollout was started here. */
  onClose: (isStarted: boolean) => void;
}

export function RolloutDialog({ override, onClose }: RolloutDialogProps) {
  // The current state: the rollout advances while the dialog is open.
  const answer = useResource<OverrideAnswer>('overrides', `/overrides/${override.override_id}`);
  const present = answer.data?.override ?? override;
  const isStarted = useRef(false);
  const state = present.rollout?.state;
  const isOver = state === undefined || state === 'done' || state === 'reverted';
  return (
    <Dialog
      title={texts.rollout.title}
      onClosed={() => {
        onClose(isStarted.current);
      }}
    >
      {(close) => (
        <div className="gw-form">
          <p className="gw-flat">
            {texts.decide.about} <MatchText match={present.match} />
          </p>
          {present.rollout === null ? null : <Underway override={present} />}
          {isOver ? (
            <StartForm
              overrideId={present.override_id}
              onStarted={() => {
                isStarted.current = true;
                close();
              }}
            />
          ) : null}
        </div>
      )}
    </Dialog>
  );
}

type Act = 'pause' | 'resume' | 'revert';

function Underway({ override }: { override: Override }) {
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const act = useMutation({
    mutationFn: (what: Act) =>
      write<OverrideAnswer>('POST', `/overrides/${override.override_id}/rollout/${what}`),
    onSettled: () => afterDecision(),
  });
  const { rollout } = override;
  if (rollout === null) return null;
  const offered: Record<typeof rollout.state, readonly Act[]> = {
    running: ['pause', 'revert'],
    paused: ['resume', 'revert'],
    stopped: ['resume', 'revert'],
    done: ['revert'],
    reverted: [],
  };
  const acts = offered[rollout.state];
  return (
    <>
      <div className="gw-badges" aria-live="polite" data-testid="rollout-state">
        <RolloutBadge state={rollout.state} />{' '}
        <span>{texts.rollout.current(override.rollout_percent)}</span>
      </div>
      <Facts>
        {rollout.stopped_reason === null ? null : (
          <Fact name={texts.rollout.why} wide>
            <Name value={rollout.stopped_reason} />
          </Fact>
        )}
        {rollout.next_step_at === null ? null : (
          <Fact name={texts.rollout.next}>
            <Time at={rollout.next_step_at} due={texts.ui.due} />
          </Fact>
        )}
        <Fact name={texts.rollout.by}>
          <Name value={rollout.updated_by} />, <Time at={rollout.updated_at} />
        </Fact>
      </Facts>
      <ol className="gw-rings">
        {rollout.rings.map((ring, index) => (
          <li key={ring.percent} aria-current={index === rollout.ring ? 'step' : undefined}>
            {texts.decisions.rollout(ring.percent)} · {ring.minutes.toLocaleString('en-GB')}{' '}
            {texts.rollout.minutes}
          </li>
        ))}
      </ol>
      {act.isError ? <ErrorPanel error={act.error} title={texts.errors.notSaved} /> : null}
      {acts.length === 0 ? null : (
        <>
          <p className="gw-dimmed gw-flat">{texts.rollout.revertText}</p>
          <div className="gw-form-end">
            {acts.map((what) => (
              <Button
                key={what}
                {...(what === 'revert' ? { color: 'red' } : { variant: 'default' })}
                disabled={act.isPending}
                onClick={() => {
                  act.mutate(what);
                }}
              >
                {texts.rollout[what]}
              </Button>
            ))}
          </div>
        </>
      )}
    </>
  );
}

function StartForm({ overrideId, onStarted }: { overrideId: string; onStarted: () => void }) {
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const [values, setValues] = useState(USUAL_ROLLOUT);
  const body = rolloutInput(values);
  const start = useMutation({
    mutationFn: () => write<OverrideAnswer>('POST', `/overrides/${overrideId}/rollout`, { body }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: texts.rollout.started });
      void afterDecision();
      onStarted();
    },
  });
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Events of a dialog bubble to the form that opened it.
        event.stopPropagation();
        if (body !== null) start.mutate();
      }}
    >
      <p className="gw-dimmed gw-flat">{texts.rollout.lead}</p>
      <RolloutFields values={values} onChange={setValues} />
      {start.isError ? <ErrorPanel error={start.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button type="submit" disabled={body === null} loading={start.isPending}>
          {texts.rollout.start}
        </Button>
      </div>
    </form>
  );
}
