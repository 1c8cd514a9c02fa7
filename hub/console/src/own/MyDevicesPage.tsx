// "My devices": the devices that are enrolled for the user's e-mail address.
import type { OwnDevice } from '@gatewarden/shared/wire/console/own-devices.ts';
import { Link } from '@tanstack/react-router';
import { useList, useTenant } from '../api/tenant.ts';
import { osText } from '../devices/os-text.ts';
import { texts } from '../texts.ts';
import { GovernanceBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { ownDeviceTexts as words } from './device-texts.ts';
import { OwnRequests } from './OwnRequests.tsx';

export function MyDevicesPage() {
  const { email } = useTenant();
  const list = useList<OwnDevice>('devices', '/own/devices');
  return (
    <Page
      title={words.title}
      lead={
        <>
          {words.lead} <ConnectLink />
        </>
      }
    >
      <div className="gw-stack">
        <ListView
          list={list}
          caption={words.title}
          columns={COLUMNS}
          rowKey={(row) => row.device_id}
          rowTestId="own-device-row"
          empty={<Empty title={words.empty} text={words.emptyText(email)} />}
        />
        <OwnRequests />
      </div>
    </Page>
  );
}

function ConnectLink() {
  const { tenantId } = useTenant();
  return (
    <Link to="/t/$tenantId/my/connect" params={{ tenantId }} className="gw-link">
      {words.connect}
    </Link>
  );
}

function DeviceName({ row }: { row: OwnDevice }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/my/devices/$deviceId"
      params={{ tenantId, deviceId: row.device_id }}
      className="gw-link"
    >
      <Name value={row.hostname} clamp />
    </Link>
  );
}

const COLUMNS: readonly Column<OwnDevice>[] = [
  { key: 'name', weight: 2, header: words.device, render: (row) => <DeviceName row={row} /> },
  {
    key: 'os',
    weight: 2,
    header: texts.device.os,
    render: (row) => <Name value={osText(row)} clamp />,
  },
  {
    key: 'found',
    weight: 0.8,
    header: words.found,
    align: 'end',
    render: (row) => <span className="gw-num">{row.entity_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'decisions',
    header: texts.devices.governance,
    render: (row) => <GovernanceBadge state={row.governance.state} />,
  },
  { key: 'seen', header: words.lastSeen, render: (row) => <Time at={row.last_seen_at} /> },
];
