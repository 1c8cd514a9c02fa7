// The devices that connected since the token of the page was created; a new device appears as soon as the hub announces it.
import type { DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import type { ListAnswer } from '../api/list-answer.ts';
import { useResource } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { osText } from '../devices/os-text.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { addTexts as t } from './texts.ts';

const SHOWN = 20;

/** `since`: a time of the hub. */
export function ConnectedDevices({ since }: { since: string }) {
  const { data } = useResource<ListAnswer<DeviceRow>>('devices', '/devices', {
    ...{ sort: '-first_seen_at', limit: SHOWN },
  });
  const devices = (data?.items ?? []).filter((device) => device.first_seen_at >= since);
  return (
    <Section title={t.connected}>
      <div role="status">
        {devices.length === 0 ? (
          <Empty title={t.waiting} text={t.waitingText} />
        ) : (
          <DataTable
            caption={t.connected}
            rows={devices}
            rowKey={(row) => row.device_id}
            rowTestId="connected-device-row"
            columns={COLUMNS}
          />
        )}
      </div>
    </Section>
  );
}

const COLUMNS: readonly Column<DeviceRow>[] = [
  {
    key: 'hostname',
    weight: 2,
    header: texts.devices.hostname,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'platform',
    weight: 1.6,
    header: texts.devices.platform,
    render: (row) => <Name value={osText(row)} clamp />,
  },
  {
    key: 'person',
    weight: 1.8,
    header: texts.devices.person,
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'since',
    header: texts.devices.lastSeen,
    render: (row) => <Time at={row.last_seen_at} />,
  },
];
