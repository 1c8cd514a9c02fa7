// "Stopped apps": apps that agents stopped on the user's own devices, with the reasons and access requests.
import type { OwnDevice } from '@gatewarden/shared/wire/console/own-devices.ts';
import { rowsOf, useList, useTenant } from '../api/tenant.ts';
import { Empty, ListFoot } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { Waiting } from '../ui/Waiting.tsx';
import { ownDeviceTexts as words } from './device-texts.ts';
import { OwnStopped } from './OwnDeviceLists.tsx';

export function MyStoppedPage() {
  const { email } = useTenant();
  const list = useList<OwnDevice>('devices', '/own/devices');
  const devices = rowsOf(list);
  return (
    <Page title={words.myStopped} lead={words.myStoppedLead}>
      <Waiting answer={list} />
      {!list.isPending && !list.isError && devices.length === 0 ? (
        <div className="gw-card">
          <Empty title={words.empty} text={words.emptyText(email)} />
        </div>
      ) : (
        <div className="gw-stack">
          {devices.map(({ device_id: deviceId, hostname }) => (
            <OwnStopped key={deviceId} deviceId={deviceId} title={visible(hostname)} />
          ))}
          <ListFoot list={list} bare />
        </div>
      )}
    </Page>
  );
}
