// What counts for an approved application that changed on a device, until somebody has reviewed it.
import type { DriftPolicyAnswer } from '@gatewarden/shared/wire/console/drift-policy.ts';
import { Button, Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useMayAdminister, useReload, useResource, useTenantWrite } from '../api/tenant.ts';
import { ConflictBox } from '../decisions/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Skeletons } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';
import { driftPolicyTexts } from './drift-policy-texts.ts';

type DriftPolicy = DriftPolicyAnswer['policy'];
const POLICIES = ['approval', 'warn', 'block'] as const satisfies readonly DriftPolicy[];

export function DriftPolicySection() {
  const answer = useResource<DriftPolicyAnswer>('overrides', '/drift-policy');
  return (
    <Section title={driftPolicyTexts.title}>
      {answer.isError ? (
        <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.isPending ? <Skeletons label={texts.ui.loading} /> : null}
      {answer.data ? <Setting stored={answer.data} /> : null}
    </Section>
  );
}

/** Until a person chooses, it shows what is stored, also when that changes. */
function Setting({ stored }: { stored: DriftPolicyAnswer }) {
  const mayManage = useMayAdminister();
  const write = useTenantWrite();
  const reload = useReload();
  const [chosen, setChosen] = useState<{ policy: DriftPolicy; version: string } | null>(null);
  const policy = chosen?.policy ?? stored.policy;
  const isChanged = policy !== stored.policy;
  const store = useMutation({
    mutationFn: () =>
      write<DriftPolicyAnswer>('PUT', '/drift-policy', {
        body: { policy },
        ifMatch: chosen?.version ?? stored.version,
      }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: driftPolicyTexts.stored });
      setChosen(null);
      reload('overrides');
    },
  });
  const undo = () => {
    setChosen(null);
    store.reset();
    reload('overrides');
  };
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate();
      }}
    >
      <Radio.Group
        label={driftPolicyTexts.label}
        description={driftPolicyTexts.hint}
        value={policy}
        readOnly={!mayManage}
        onChange={(value) => {
          const wanted = oneOf(POLICIES, value);
          if (wanted === undefined) return;
          setChosen({ policy: wanted, version: chosen?.version ?? stored.version });
        }}
      >
        <div className="gw-radios" data-column="">
          {POLICIES.map((one) => (
            <Radio
              key={one}
              value={one}
              disabled={!mayManage && one !== policy}
              label={driftPolicyTexts.policies[one]}
              description={driftPolicyTexts.hints[one]}
            />
          ))}
        </div>
      </Radio.Group>
      <p className="gw-dimmed gw-flat" data-testid="drift-waiting">
        {driftPolicyTexts.waiting(stored.waiting.applications, stored.waiting.devices)}
      </p>
      {isStatus(store.error, 412) ? (
        <ConflictBox title={texts.errors.notSaved}>
          <p>{driftPolicyTexts.conflict}</p>
        </ConflictBox>
      ) : null}
      {store.isError && !isStatus(store.error, 412) ? (
        <ErrorPanel error={store.error} title={texts.errors.notSaved} />
      ) : null}
      {mayManage ? (
        <div className="gw-form-end">
          <Button variant="default" disabled={chosen === null} onClick={undo}>
            {texts.defaults.reset}
          </Button>
          <Button type="submit" disabled={!isChanged} loading={store.isPending}>
            {driftPolicyTexts.submit}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
