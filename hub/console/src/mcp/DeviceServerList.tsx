// The same server on devices that run it or reach it without the gateway.
import type {
  Backend,
  DeviceServer,
  DeviceServers,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { useResource } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';

const words = texts.mcp.devices;

export function DeviceServerList({ server }: { server: Backend }) {
  const answer = useResource<DeviceServers>('mcp', `/mcp/backends/${server.id}/device-servers`);
  const items = shownOf(answer)?.items;
  return (
    <Section title={words.title}>
      {items === undefined ? <Waiting answer={answer} /> : null}
      {items?.length === 0 ? <p className="gw-dimmed gw-flat">{words.empty}</p> : null}
      {items !== undefined && items.length > 0 ? (
        <>
          <p className="gw-dimmed gw-flat">{words.lead}</p>
          <DataTable
            caption={words.title}
            columns={COLUMNS}
            rows={items}
            rowKey={(row) => row.entity_id}
            rowTestId="device-server-row"
          />
        </>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<DeviceServer>[] = [
  {
    key: 'name',
    weight: 2,
    header: words.name,
    render: (row) => <ApplicationLink entityId={row.entity_id} name={row.name} />,
  },
  { key: 'platform', header: words.platform, render: (row) => texts.platforms[row.platform] },
  { key: 'count', header: words.count, render: (row) => row.device_count.toLocaleString('en-GB') },
];
