// A device of the user: the data that it sends, its policies with their reasons, stopped apps, and discovered apps.
import type { OwnDeviceAnswer } from '@gatewarden/shared/wire/console/own-devices.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useResource } from '../api/tenant.ts';
import { Coverage } from '../devices/Coverage.tsx';
import { osText } from '../devices/os-text.ts';
import { texts } from '../texts.ts';
import { GovernanceBadge } from '../ui/Badges.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { ownDeviceTexts as words } from './device-texts.ts';
import { OwnDecisions, OwnEntities, OwnStopped } from './OwnDeviceLists.tsx';

const route = getRouteApi('/t/$tenantId/my/devices/$deviceId');

type Device = OwnDeviceAnswer['device'];

export function MyDevicePage() {
  const { tenantId, deviceId } = route.useParams();
  const { query } = route.useSearch();
  const navigate = route.useNavigate();
  const answer = useResource<OwnDeviceAnswer>(
    'devices',
    `/own/devices/${encodeURIComponent(deviceId)}`,
  );
  const device = shownOf(answer)?.device;
  return (
    <Page
      title={device?.hostname ?? words.deviceTitle}
      crumb={
        <Link to="/t/$tenantId/my/devices" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{words.title}</CrumbText>
        </Link>
      }
      badges={device ? <GovernanceBadge state={device.governance.state} /> : undefined}
    >
      <Waiting answer={answer} />
      {device ? (
        <div className="gw-stack" key={device.device_id}>
          <OwnStopped deviceId={device.device_id} />
          <OwnDecisions deviceId={device.device_id} />
          <OwnEntities
            deviceId={device.device_id}
            query={query}
            onQuery={(text) =>
              void navigate({ search: (former) => ({ ...former, query: text }), replace: true })
            }
          />
          <SentData device={device} />
          <Coverage coverage={device.coverage} title={words.coverage} />
        </div>
      ) : null}
    </Page>
  );
}

function SentData({ device }: { device: Device }) {
  return (
    <Section title={words.facts}>
      <p className="gw-dimmed">{words.factsText}</p>
      <Facts>
        <Fact name={texts.device.os}>
          <Name value={osText(device)} /> (
          <Name value={device.arch} />)
        </Fact>
        <Fact name={words.agent}>
          <Name value={device.agent_version} mono />
        </Fact>
        <Fact name={texts.devices.person}>
          <Name value={device.subscriber_id} />
        </Fact>
        <Fact name={words.lastSeen}>
          <Time at={device.last_seen_at} />
        </Fact>
        <Fact name={texts.device.lastScan}>
          <Time at={device.last_scan_at} />
        </Fact>
        <Fact name={texts.device.id} wide>
          <Name value={device.device_id} mono />
        </Fact>
      </Facts>
    </Section>
  );
}
