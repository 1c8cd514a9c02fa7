// The devices that have an app, and their users.
import type { ApplicationDevice } from '@gatewarden/shared/wire/console/applications.ts';
import { useList } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';

export function ApplicationDevices({ entityId }: { entityId: string }) {
  const list = useList<ApplicationDevice>('applications', `/discovered-apps/${entityId}/devices`);
  return (
    <ListView
      bare
      list={list}
      caption={texts.application.devices}
      columns={DEVICE_COLUMNS}
      rowKey={(row) => row.device_id}
      rowTestId="device-row"
      empty={<p className="gw-dimmed">{texts.application.devicesEmpty}</p>}
    />
  );
}

const DEVICE_COLUMNS: readonly Column<ApplicationDevice>[] = [
  {
    key: 'hostname',
    weight: 1.6,
    header: texts.devices.hostname,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'person',
    weight: 1.6,
    header: texts.devices.person,
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'version',
    header: texts.applications.version,
    render: (row) => <Name value={row.version} mono clamp />,
  },
  {
    key: 'path',
    weight: 1.5,
    header: texts.device.path,
    render: (row) => <Name value={row.install_path} mono clamp />,
  },
  {
    key: 'first_seen',
    header: texts.applications.firstSeen,
    render: (row) => <Time at={row.first_seen_at} />,
  },
  {
    key: 'last_seen',
    header: texts.application.lastSeen,
    render: (row) => <Time at={row.last_seen_at} />,
  },
];
