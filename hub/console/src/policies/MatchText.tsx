// The subject and the scope of a policy in words. Ids are resolved to names.
import type { ApplicationAnswer } from '@gatewarden/shared/wire/console/applications.ts';
import type { DeviceGroupAnswer } from '@gatewarden/shared/wire/console/device-groups.ts';
import type { DeviceNameAnswer } from '@gatewarden/shared/wire/console/devices.ts';
import type { OverrideScope } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ReactNode } from 'react';
import { useResource } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { GroupLink } from '../groups/GroupLink.tsx';
import { texts } from '../texts.ts';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';

const SHORT_ID = 12;

const short = (id: string) => (id.length > SHORT_ID ? `${id.slice(0, SHORT_ID)}…` : id);

interface MatchTextProps {
  match: OverrideMatch;
  /** False beside a column of platforms. */
  isPlatformShown?: boolean;
}

export function MatchText({ match, isPlatformShown = true }: MatchTextProps) {
  const { entity_id, kind, platform, ...others } = match;
  const named: [keyof typeof texts.decisions.matches, string][] = [];
  if (others.name !== undefined) named.push(['name', others.name]);
  if (others.publisher !== undefined) named.push(['publisher', others.publisher]);
  if (others.version_below !== undefined) named.push(['version_below', others.version_below]);
  if (others.executable_sha256 !== undefined) {
    named.push(['executable_sha256', short(others.executable_sha256)]);
  }
  if (kind !== undefined) named.push(['kind', texts.kinds[kind]]);
  if (platform !== undefined && isPlatformShown)
    named.push(['platform', texts.platforms[platform]]);
  return (
    <span>
      {entity_id === undefined ? null : <EntityName entityId={entity_id} />}
      {named.map(([key, value], index) => (
        <span key={key}>
          {index > 0 || entity_id !== undefined ? ', ' : null}
          <span className="gw-dimmed">{texts.decisions.matches[key]}:</span> <Name value={value} />
        </span>
      ))}
    </span>
  );
}

/**
 * Returns the match in words without a request; `application` is the name of the app that the match names by its id, if
 * known.
 */
export function matchLabel(match: OverrideMatch, application?: string): string {
  if (match.entity_id !== undefined && application !== undefined) return application;
  const id = match.entity_id ?? match.executable_sha256;
  const kind = match.kind === undefined ? undefined : texts.kinds[match.kind];
  return match.name ?? match.publisher ?? (id === undefined ? (kind ?? '') : short(id));
}

interface NamedMatchProps {
  match: OverrideMatch;
  /** Called with the displayed name. */
  children: (name: string) => ReactNode;
}

/** Returns the subject of a policy for labels: the app's name for a match by id. */
export function NamedMatch({ match, children }: NamedMatchProps) {
  if (match.entity_id === undefined) return children(visible(matchLabel(match)));
  return <NamedEntity entityId={match.entity_id}>{children}</NamedEntity>;
}

function NamedEntity({
  entityId,
  children,
}: Pick<NamedMatchProps, 'children'> & { entityId: string }) {
  const path = `/discovered-apps/${entityId}`;
  const answer = useResource<ApplicationAnswer>('applications', path, {}, 'names');
  return children(visible(answer.data?.application.name ?? short(entityId)));
}

/** Shows the platform of an app, requested by its id; renders nothing until it is known. */
export function EntityPlatform({ entityId }: { entityId: string }) {
  const path = `/discovered-apps/${entityId}`;
  const answer = useResource<ApplicationAnswer>('applications', path, {}, 'names');
  const platform = answer.data?.application.platform;
  return platform === undefined ? null : texts.platforms[platform];
}

function EntityName({ entityId }: { entityId: string }) {
  return (
    <NamedEntity entityId={entityId}>
      {(name) => <ApplicationLink entityId={entityId} name={name} />}
    </NamedEntity>
  );
}

export function ScopeText({ scope }: { scope: OverrideScope }) {
  switch (scope.kind) {
    case 'tenant':
      return texts.decide.scopes.tenant;
    case 'group':
      return (
        <>
          {texts.decide.scopes.group}: <GroupName groupId={scope.group_id} />
        </>
      );
    case 'subscriber':
      return (
        <>
          {texts.decide.scopes.subscriber}: <Name value={scope.subscriber_id} />
        </>
      );
    case 'device':
      return (
        <>
          {texts.decide.scopes.device}: <DeviceName deviceId={scope.device_id} />
        </>
      );
  }
}

function GroupName({ groupId }: { groupId: string }) {
  const path = `/device-groups/${groupId}`;
  const answer = useResource<DeviceGroupAnswer>('device-groups', path, {}, 'names');
  return <GroupLink groupId={groupId} name={answer.data?.group.name ?? short(groupId)} />;
}

function DeviceName({ deviceId }: { deviceId: string }) {
  // The device's page is not requested for a name, because each view of a device is recorded in the audit log.
  const answer = useResource<DeviceNameAnswer>(
    'devices',
    '/device-name',
    { of: deviceId },
    'names',
  );
  // A hub of the previous release does not return the user.
  const user: string | undefined = answer.data?.subscriber_id;
  return (
    <>
      <DeviceLink deviceId={deviceId} hostname={answer.data?.hostname ?? short(deviceId)} />
      {user ? (
        <span className="gw-dimmed">
          {' '}
          (<Name value={user} />)
        </span>
      ) : null}
    </>
  );
}
