// How a thing is launched and what it may do: what a review is about beside its name.
import type {
  ApplicationAnswer,
  Facets,
  ServerLaunch,
} from '@gatewarden/shared/wire/console/applications.ts';
import { useResource } from '../api/tenant.ts';
import { Badge } from '../ui/Badges.tsx';
import { Fact, Facts as FactList } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { facetTexts as words } from './facet-texts.ts';
import './application.css';

type Application = ApplicationAnswer['application'];

/** Facts of an application; nothing where devices told nothing of the kind. */
export function FacetFacts({ application }: { application: Application }) {
  return (
    <>
      {application.launches.length === 0 ? null : (
        <Fact name={words.launch} wide>
          <ul className="gw-plain-list" data-testid="launches">
            {application.launches.map(({ launch, devices }) => (
              <li key={JSON.stringify(launch)}>
                <Launch launch={launch} />
                <span className="gw-dimmed gw-small">{words.onDevices(devices)}</span>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {application.permissions.length === 0 ? null : (
        <Fact name={words.permissions} wide>
          <Permissions permissions={application.permissions} />
        </Fact>
      )}
    </>
  );
}

/** The same beside a decision that is made from the list. */
export function FacetsOf({ entityId }: { entityId: string }) {
  const answer = useResource<ApplicationAnswer>('applications', `/discovered-apps/${entityId}`);
  const application = answer.data?.application;
  if (application === undefined) return null;
  if (application.launches.length + application.permissions.length === 0) return null;
  return (
    <FactList>
      <FacetFacts application={application} />
    </FactList>
  );
}

/** From what to what, where either side is known. */
export function FacetsChange({ before, now }: { before: Facets | null; now: Facets | null }) {
  if (before === null) return <div className="gw-dimmed">{words.formerUnknown}</div>;
  const launches = (facets: Facets | null) => JSON.stringify(facets?.launches ?? []);
  const isAlike = now !== null && launches(before) === launches(now);
  return (
    <dl className="gw-change">
      <dt>{words.before}</dt>
      <dd>
        <FacetList facets={before} />
      </dd>
      <dt>{words.now}</dt>
      <dd>{now === null ? words.gone : <FacetList facets={now} />}</dd>
      {isAlike && before.launches.length > 0 ? <dd>{words.alike}</dd> : null}
    </dl>
  );
}

function FacetList({ facets }: { facets: Facets }) {
  const { launches, permissions } = facets;
  if (launches.length + permissions.length === 0) return words.nothingShown;
  return (
    <>
      {launches.map((launch) => (
        <Launch key={JSON.stringify(launch)} launch={launch} />
      ))}
      {permissions.length === 0 ? null : <Permissions permissions={permissions} />}
    </>
  );
}

function Permissions({ permissions }: { permissions: readonly string[] }) {
  return (
    <ul
      className="gw-plain-list gw-executables"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and keyboards must reach it
      tabIndex={0}
      aria-label={words.permissions}
    >
      {permissions.map((one) => (
        <li key={one}>
          <Name value={one} mono />
        </li>
      ))}
    </ul>
  );
}

function Launch({ launch }: { launch: ServerLaunch }) {
  const line = [launch.command, ...launch.args].filter((one) => one !== null).join(' ');
  const place = [launch.client, launch.scope, launch.transport].filter((one) => one !== null);
  return (
    <div>
      {line === '' ? null : <Name value={line} mono />}
      {launch.url === null ? null : (
        <div>
          <Name value={launch.url} mono />
        </div>
      )}
      <div className="gw-dimmed gw-small">
        {place.length === 0 ? null : <Name value={place.join(' · ')} />}
        {launch.env.length === 0 ? null : (
          <>
            {' '}
            {words.env} <Name value={launch.env.join(', ')} mono />
          </>
        )}
        {launch.headers.length === 0 ? null : (
          <>
            {' '}
            {words.headers} <Name value={launch.headers.join(', ')} mono />
          </>
        )}{' '}
        {launch.unpinned ? <Badge tone="warn">{words.unpinned}</Badge> : null}
        {launch.disabled ? <Badge tone="plain">{words.disabled}</Badge> : null}
      </div>
    </div>
  );
}
