// The searchable list of installed apps of a device, optionally with removed apps.
import type { DeviceEntity } from '@gatewarden/shared/wire/console/devices.ts';
import { Switch } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';

const route = getRouteApi('/t/$tenantId/devices/$deviceId');

export function DeviceEntities({ deviceId }: { deviceId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Only these parameters filter the list; the search also contains an opened trace.
  const { query, removed } = search;
  const list = useList<DeviceEntity>('applications', `/devices/${deviceId}/entities`, {
    query,
    removed,
  });
  return (
    <Section title={texts.device.installed}>
      <div className="gw-filters">
        <SearchBox
          label={texts.device.searchInstalled}
          placeholder={texts.device.searchPlaceholder}
          value={search.query}
          onChange={(query) =>
            void navigate({ search: (former) => ({ ...former, query }), replace: true })
          }
        />
        <Switch
          pb={8}
          label={texts.device.withRemoved}
          checked={search.removed === 'true'}
          onChange={(event) => {
            const removed = event.currentTarget.checked ? ('true' as const) : undefined;
            void navigate({ search: (former) => ({ ...former, removed }), replace: true });
          }}
        />
        <Downloads path={`/devices/${deviceId}/entities/download`} filter={{ query, removed }} />
      </div>
      <ListView
        bare
        list={list}
        caption={texts.device.installed}
        columns={COLUMNS}
        rowKey={(row) => row.entity_id}
        rowTestId="entity-row"
        empty={
          <Empty
            title={search.query === undefined ? texts.device.installedEmpty : texts.ui.noMatch}
          />
        }
      />
    </Section>
  );
}

const COLUMNS: readonly Column<DeviceEntity>[] = [
  {
    key: 'name',
    weight: 2,
    header: texts.applications.name,
    render: (row) => (
      <div>
        <ApplicationLink entityId={row.entity_id} name={row.name} />
        {row.removed_at === null ? null : (
          <div>
            <Badge tone="warn">{texts.device.removed}</Badge> <Time at={row.removed_at} />
          </div>
        )}
      </div>
    ),
  },
  {
    key: 'version',
    weight: 1.3,
    header: texts.applications.version,
    render: (row) => <Name value={row.version} mono clamp />,
  },
  {
    key: 'publisher',
    weight: 1.7,
    header: texts.applications.publisher,
    render: (row) => <Name value={row.publisher} clamp />,
  },
  {
    key: 'kind',
    weight: 1.5,
    header: texts.applications.kindAndSource,
    render: (row) => (
      <div>
        {texts.kinds[row.kind]} <span className="gw-dimmed">· {sourceLabel(row.source)}</span>
      </div>
    ),
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
];
