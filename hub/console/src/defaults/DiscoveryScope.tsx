// The scope of discovery on the tenant's devices.
import type {
  DiscoveryScopeAnswer,
  DiscoveryScopeInput,
} from '@gatewarden/shared/wire/console/discovery-scope.ts';
import { Checkbox } from '@mantine/core';
import { useResource } from '../api/tenant.ts';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { discoveryTexts } from './discovery-texts.ts';
import { SettingForm } from './SettingForm.tsx';

const PLACES = ['personal_homes', 'browser_profiles'] as const;

export function DiscoveryScopeSection() {
  const answer = useResource<DiscoveryScopeAnswer>('devices', '/discovery-scope');
  const shown = shownOf(answer);
  return (
    <Section title={discoveryTexts.title}>
      <Waiting answer={answer} />
      {shown ? <Setting stored={shown} /> : null}
    </Section>
  );
}

function Setting({ stored }: { stored: DiscoveryScopeAnswer }) {
  return (
    <SettingForm<DiscoveryScopeInput>
      stored={stored}
      path="/discovery-scope"
      topic="devices"
      isSame={(a, b) => PLACES.every((place) => a[place] === b[place])}
      body={({ personal_homes, browser_profiles }) => ({ personal_homes, browser_profiles })}
      texts={discoveryTexts}
    >
      {(scope, choose, mayManage) => (
        <>
          <p className="gw-flat">{discoveryTexts.lead}</p>
          {PLACES.map((place) => (
            <Checkbox
              key={place}
              checked={scope[place]}
              disabled={!mayManage}
              label={discoveryTexts.places[place]}
              description={discoveryTexts.hints[place]}
              onChange={(event) => choose({ ...scope, [place]: event.currentTarget.checked })}
            />
          ))}
          {PLACES.some((place) => stored[place] && !scope[place]) ? (
            <p role="status">{discoveryTexts.erases}</p>
          ) : null}
        </>
      )}
    </SettingForm>
  );
}
