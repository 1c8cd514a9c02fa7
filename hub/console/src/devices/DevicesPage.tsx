// All enrolled devices, with search and platform in the URL.
import {
  DEVICE_STATES,
  type DeviceRow,
  GOVERNANCE_STATES,
} from '@gatewarden/shared/wire/console/devices.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, GovernanceBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { Attention } from './Attention.tsx';
import { DeviceLink } from './DeviceLink.tsx';
import { deviceTexts } from './device-texts.ts';

const route = getRouteApi('/t/$tenantId/devices');

export function DevicesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<DeviceRow>('devices', '/devices', search);
  return (
    <Page title={texts.devices.title} lead={texts.devices.lead}>
      <Attention />
      <div className="gw-filters">
        <SearchBox
          label={texts.devices.search}
          placeholder={texts.devices.searchPlaceholder}
          value={search.query}
          onChange={(query) =>
            void navigate({ search: (former) => ({ ...former, query }), replace: true })
          }
        />
        <Filter
          label={texts.devices.platform}
          values={PLATFORMS}
          names={texts.platforms}
          value={search.platform}
          onChange={(platform) =>
            void navigate({ search: (former) => ({ ...former, platform }), replace: true })
          }
        />
        <Filter
          label={deviceTexts.state}
          all={deviceTexts.present}
          values={DEVICE_STATES}
          names={deviceTexts.states}
          value={search.state}
          onChange={(state) =>
            void navigate({ search: (former) => ({ ...former, state }), replace: true })
          }
        />
        <Filter
          label={texts.devices.governance}
          values={GOVERNANCE_STATES}
          names={texts.governance}
          value={search.governance}
          onChange={(governance) =>
            void navigate({ search: (former) => ({ ...former, governance }), replace: true })
          }
        />
        <Filter
          label={deviceTexts.seen}
          values={['today'] as const}
          names={deviceTexts.seenNames}
          value={search.seen}
          onChange={(seen) =>
            void navigate({ search: (former) => ({ ...former, seen }), replace: true })
          }
        />
        <Filter
          label={texts.device.coverage}
          values={['gaps'] as const}
          names={deviceTexts.coverageNames}
          value={search.coverage}
          onChange={(coverage) =>
            void navigate({ search: (former) => ({ ...former, coverage }), replace: true })
          }
        />
        <Downloads path="/devices/download" filter={search} />
      </div>
      <ListView
        list={list}
        caption={texts.devices.title}
        columns={COLUMNS}
        rowKey={(row) => row.device_id}
        rowTestId="device-row"
        empty={
          Object.values(search).every((chosen) => chosen === undefined) ? (
            <Empty title={texts.devices.empty} text={texts.devices.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<DeviceRow>[] = [
  {
    key: 'hostname',
    weight: 1.9,
    header: texts.devices.hostname,
    render: (row) => (
      <div>
        <DeviceLink deviceId={row.device_id} hostname={row.hostname} />
        <span className="gw-inline-badges">
          {row.stale ? <Badge tone="plain">{deviceTexts.stale}</Badge> : null}
          {row.duplicate_since === null ? null : (
            <Badge tone="warn">{deviceTexts.twoMachines}</Badge>
          )}
        </span>
      </div>
    ),
  },
  {
    key: 'platform',
    weight: 1.6,
    header: texts.devices.platform,
    render: (row) => (
      <div>
        {texts.platforms[row.platform]}
        <div className="gw-dimmed gw-small">
          <Name value={row.os_version} clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'person',
    weight: 1.8,
    header: texts.devices.person,
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'agent',
    weight: 0.9,
    header: texts.devices.agent,
    render: (row) => <Name value={row.agent_version} mono />,
  },
  {
    key: 'entities',
    weight: 0.9,
    header: texts.devices.entities,
    align: 'end',
    render: (row) => <span className="gw-num">{row.entity_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'governance',
    weight: 1.2,
    header: texts.devices.governance,
    render: (row) => <GovernanceBadge state={row.governance.state} />,
  },
  {
    key: 'last_seen',
    weight: 1.3,
    header: texts.devices.lastSeen,
    render: (row) => <Time at={row.last_seen_at} />,
  },
];
