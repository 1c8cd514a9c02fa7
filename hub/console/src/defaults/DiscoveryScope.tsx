// What discovery may look at on the tenant's devices.
import type {
  DiscoveryScopeAnswer,
  DiscoveryScopeInput,
} from '@gatewarden/shared/wire/console/discovery-scope.ts';
import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useMayAdminister, useReload, useResource, useTenantWrite } from '../api/tenant.ts';
import { ConflictBox } from '../decisions/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { discoveryTexts } from './discovery-texts.ts';

export function DiscoveryScopeSection() {
  const answer = useResource<DiscoveryScopeAnswer>('devices', '/discovery-scope');
  return (
    <Section title={discoveryTexts.title}>
      <Waiting answer={answer} />
      {answer.data ? <Setting stored={answer.data} /> : null}
    </Section>
  );
}

const PLACES = ['personal_homes', 'browser_profiles'] as const;

/** Until a person chooses, it shows what is stored, also when that changes. */
function Setting({ stored }: { stored: DiscoveryScopeAnswer }) {
  const mayManage = useMayAdminister();
  const write = useTenantWrite();
  const reload = useReload();
  const [chosen, setChosen] = useState<(DiscoveryScopeInput & { version: string }) | null>(null);
  const { version, ...scope } = chosen ?? {
    personal_homes: stored.personal_homes,
    browser_profiles: stored.browser_profiles,
    version: stored.version,
  };
  const isChanged = PLACES.some((place) => scope[place] !== stored[place]);
  const erases = PLACES.some((place) => stored[place] && !scope[place]);
  const store = useMutation({
    mutationFn: () =>
      write<DiscoveryScopeAnswer>('PUT', '/discovery-scope', { body: scope, ifMatch: version }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: discoveryTexts.stored });
      setChosen(null);
      reload('devices');
    },
  });
  const undo = () => {
    setChosen(null);
    store.reset();
    reload('devices');
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
      <p className="gw-flat">{discoveryTexts.lead}</p>
      {PLACES.map((place) => (
        <Checkbox
          key={place}
          checked={scope[place]}
          disabled={!mayManage}
          label={discoveryTexts.places[place]}
          description={discoveryTexts.hints[place]}
          onChange={(event) => {
            setChosen({ ...scope, [place]: event.currentTarget.checked, version });
          }}
        />
      ))}
      {erases ? <p role="status">{discoveryTexts.erases}</p> : null}
      {isStatus(store.error, 412) ? (
        <ConflictBox title={texts.errors.notSaved}>
          <p>{discoveryTexts.conflict}</p>
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
            {discoveryTexts.submit}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
