// The page of a device: facts, scan coverage, installed apps, and recent policies, alerts and activity.
import type { DeviceAnswer } from '@gatewarden/shared/wire/console/devices.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useResource } from '../api/tenant.ts';
import { DeviceGroups } from '../groups/DeviceGroups.tsx';
import { texts } from '../texts.ts';
import { Badge, GovernanceBadge } from '../ui/Badges.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { Coverage } from './Coverage.tsx';
import { DeviceActions } from './DeviceActions.tsx';
import { DeviceEntities } from './DeviceEntities.tsx';
import { DeviceSections } from './DeviceSections.tsx';
import { deviceTexts } from './device-texts.ts';
import { osText } from './os-text.ts';

const route = getRouteApi('/t/$tenantId/devices/$deviceId');

type Device = DeviceAnswer['device'];

export function DevicePage() {
  const { tenantId, deviceId } = route.useParams();
  const answer = useResource<DeviceAnswer>('devices', `/devices/${encodeURIComponent(deviceId)}`);
  const device = shownOf(answer)?.device;
  return (
    <Page
      title={device?.hostname ?? texts.device.title}
      crumb={
        <Link to="/t/$tenantId/devices" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.devices.title}</CrumbText>
        </Link>
      }
      badges={device ? <DeviceBadges device={device} /> : undefined}
    >
      <Waiting answer={answer} />
      {device ? (
        <div className="gw-stack" key={device.device_id}>
          <DeviceFacts device={device} />
          <DeviceGroups device={device} />
          <DeviceActions device={device} />
          <DeviceEntities deviceId={device.device_id} />
          <Coverage coverage={device.coverage} title={texts.device.coverage} />
          <DeviceSections deviceId={device.device_id} />
        </div>
      ) : null}
    </Page>
  );
}

function DeviceBadges({ device }: { device: Device }) {
  return (
    <>
      <GovernanceBadge state={device.governance.state} />
      {device.stale ? <Badge tone="plain">{deviceTexts.stale}</Badge> : null}
      {device.retired_at === null ? null : <Badge tone="plain">{deviceTexts.retiredSince}</Badge>}
    </>
  );
}

/** Warns that two machines seem to use the device id, with the reported facts of the rejected machine. */
function Doubled({ device: { duplicate_since: since, claim } }: { device: Device }) {
  if (since === null) return null;
  if (claim === null) return <p role="note">{deviceTexts.duplicate}</p>;
  return (
    <div role="note" data-testid="claim">
      <p>{deviceTexts.claimed}</p>
      <p>
        {deviceTexts.claims} <Name value={claim.hostname} />, <Name value={claim.subscriber_id} />,{' '}
        <Name value={osText(claim)} /> (
        <Name value={claim.arch} />
        ), <Name value={claim.agent_version} mono />, <Time at={claim.at} />
      </p>
    </div>
  );
}

function DeviceFacts({ device }: { device: Device }) {
  return (
    <Section title={texts.device.facts}>
      <Doubled device={device} />
      <Facts>
        <Fact name={texts.devices.person}>
          <UserLink value={device.subscriber_id} isIdentity clamp={false} />
        </Fact>
        <Fact name={texts.device.os}>
          <Name value={osText(device)} /> (
          <Name value={device.arch} />)
        </Fact>
        <Fact name={texts.devices.agent}>
          <Name value={device.agent_version} mono />
        </Fact>
        <Fact name={texts.devices.entities}>{device.entity_count.toLocaleString('en-GB')}</Fact>
        <Fact name={texts.devices.governance}>
          {texts.governance[device.governance.state]}
          {device.governance.since === null ? null : (
            <>
              {` ${texts.device.since} `}
              <Time at={device.governance.since} />
            </>
          )}
          {device.governance.as_of === null ? null : (
            <span className="gw-dimmed">
              {` (${texts.device.asOf} `}
              <Time at={device.governance.as_of} />)
            </span>
          )}
        </Fact>
        <Fact name={texts.devices.lastSeen}>
          <Time at={device.last_seen_at} />
        </Fact>
        <Fact name={texts.device.lastScan}>
          <Time at={device.last_scan_at} />
        </Fact>
        <Fact name={texts.device.firstSeen}>
          <Time at={device.first_seen_at} full />
        </Fact>
        <Fact name={texts.device.id} wide>
          <Name value={device.device_id} mono />
        </Fact>
      </Facts>
    </Section>
  );
}
