// Launches and permissions of an app, for its review.
import type {
  ApplicationAnswer,
  ApplicationDrift,
  ApplicationExecutable,
  ApplicationLaunch,
  Facets,
  ServerLaunch,
} from '@gatewarden/shared/wire/console/applications.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { type List, rowsOf, useList, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Fact, Facts as FactList } from '../ui/Facts.tsx';
import { ListChanged } from '../ui/ListChanged.tsx';
import { ListFoot, Skeletons } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { facetTexts as words } from './facet-texts.ts';
import './application.css';
import { clientLabel, scopeLabel, transportLabel } from '../labels.ts';

type Application = ApplicationAnswer['application'];

/** Facts of an app; renders nothing if no device reported any. */
export function FacetFacts({ application }: { application: Application }) {
  return (
    <>
      {application.launches.length === 0 ? null : (
        <Fact name={words.launch} wide>
          <Launches application={application} />
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

/** The launches of most devices first; more are loaded on demand. */
function Launches({ application }: { application: Application }) {
  const [isWhole, setWhole] = useState(false);
  const hidden = application.launch_count - application.launches.length;
  if (isWhole) return <AllLaunches entityId={application.entity_id} />;
  return (
    <>
      <LaunchList launches={application.launches} />
      {hidden > 0 ? (
        <Button variant="default" size="compact-sm" onClick={() => setWhole(true)}>
          {words.otherLaunches(hidden)}
        </Button>
      ) : null}
    </>
  );
}

function AllLaunches({ entityId }: { entityId: string }) {
  const list = useList<ApplicationLaunch>('applications', `/discovered-apps/${entityId}/launches`);
  return (
    <Whole list={list}>
      <LaunchList launches={rowsOf(list)} />
    </Whole>
  );
}

/** The executables over all devices, the most frequent first; more are loaded on demand. */
export function Executables({ application }: { application: Application }) {
  const [isWhole, setWhole] = useState(false);
  const { executables, executable_count } = application;
  if (executable_count === 0) return <span className="gw-dimmed">{texts.ui.none}</span>;
  if (isWhole) return <AllExecutables entityId={application.entity_id} />;
  return (
    <>
      <ScrolledList label={texts.application.executables} values={executables} />
      {executable_count > executables.length ? (
        <Button variant="default" size="compact-sm" onClick={() => setWhole(true)}>
          {words.otherExecutables(executable_count - executables.length)}
        </Button>
      ) : null}
    </>
  );
}

function AllExecutables({ entityId }: { entityId: string }) {
  const path = `/discovered-apps/${entityId}/executables`;
  const list = useList<ApplicationExecutable>('applications', path);
  return (
    <Whole list={list}>
      <ul className="gw-plain-list" data-testid="executables">
        {rowsOf(list).map((item) => (
          <li key={item.path}>
            <Name value={item.path} mono />{' '}
            <span className="gw-dimmed gw-small">{words.onDevices(item.devices)}</span>
          </li>
        ))}
      </ul>
    </Whole>
  );
}

/** A paged list within the facts of an app. */
function Whole<Row>({ list, children }: { list: List<Row>; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  if (list.isPending) return <Skeletons label={texts.ui.loading} lines={3} />;
  return (
    <div ref={frame} tabIndex={-1} className="gw-list">
      {children}
      {list.isError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null}
      <ListChanged list={list} frame={frame} />
      <ListFoot list={list} bare />
    </div>
  );
}

function LaunchList({ launches }: { launches: readonly ApplicationLaunch[] }) {
  const alike = Map.groupBy(launches, ({ launch }) => JSON.stringify(launch));
  return (
    <ul className="gw-plain-list" data-testid="launches">
      {[...alike].map(([key, ones]) =>
        ones.map(({ launch, devices }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: those that look alike have no other name
          <li key={`${key} ${index}`}>
            <Launch launch={launch} />
            <span className="gw-dimmed gw-small">{words.onDevices(devices)}</span>
            {index > 0 ? <div className="gw-dimmed gw-small">{words.alikeAbove}</div> : null}
          </li>
        )),
      )}
    </ul>
  );
}

/** The facts of an app in the policy dialog of the list. */
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

/** The launch before and now, if known. Both can look equal, because secrets are redacted. */
export function FacetsChange({ drift }: { drift: ApplicationDrift }) {
  const { before, now } = drift;
  if (before === null) return <div className="gw-dimmed">{words.formerUnknown}</div>;
  const launches = (facets: Facets | null) => JSON.stringify(facets?.launches ?? []);
  const isAlike = drift.launch_changed && now !== null && launches(before) === launches(now);
  return (
    <dl className="gw-change">
      <dt>{words.before}</dt>
      <dd>
        <FacetList facets={before} />
      </dd>
      <dt>{words.now}</dt>
      <dd>{now === null ? words.gone : <FacetList facets={now} />}</dd>
      {isAlike ? <dd>{words.alike}</dd> : null}
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
  return <ScrolledList label={words.permissions} values={permissions} />;
}

function ScrolledList({ label, values }: { label: string; values: readonly string[] }) {
  return (
    <ul
      className="gw-plain-list gw-executables"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and keyboards must reach it
      tabIndex={0}
      aria-label={label}
    >
      {values.map((item) => (
        <li key={item}>
          <Name value={item} mono />
        </li>
      ))}
    </ul>
  );
}

function Launch({ launch }: { launch: ServerLaunch }) {
  const line = [launch.command, ...launch.args].filter((item) => item !== null).join(' ');
  const place = [
    launch.client === null ? null : clientLabel(launch.client),
    launch.scope === null ? null : scopeLabel(launch.scope),
    launch.transport === null ? null : transportLabel(launch.transport),
  ].filter((label) => label !== null);
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
