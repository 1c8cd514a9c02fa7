// The enrolled devices. The URL contains the search, the filters and the order.
import {
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceRow,
  GOVERNANCE_STATES,
} from '@gatewarden/shared/wire/console/devices.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { Checkbox } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useList, useMayAdminister } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, GovernanceBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { MoreFilters } from '../ui/MoreFilters.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { Attention } from './Attention.tsx';
import { DeviceLink } from './DeviceLink.tsx';
import { deviceTexts } from './device-texts.ts';
import { osText } from './os-text.ts';
import { RetireSelected } from './RetireSelected.tsx';

const route = getRouteApi('/t/$tenantId/devices');

export function DevicesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<DeviceRow>('devices', '/devices', search);
  const mayAdminister = useMayAdminister();
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map());
  const toggle = ({ device_id: deviceId, hostname }: DeviceRow) => {
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(deviceId) && after.size < MAX_SELECTED) after.set(deviceId, hostname);
      return after;
    });
  };
  const { sort, ...filters } = search;
  const isFiltered = Object.values(filters).some((chosen) => chosen !== undefined);
  return (
    <Page
      title={texts.devices.title}
      lead={texts.devices.lead}
      actions={<Downloads path="/devices/download" filter={search} />}
    >
      <Attention />
      <DeviceFilters />
      <RetireSelected selected={selected} onSelect={setSelected} />
      <ListView
        list={list}
        caption={texts.devices.title}
        columns={mayAdminister ? [selectColumn(selected, toggle), ...COLUMNS] : COLUMNS}
        sort={{
          value: sort ?? 'hostname',
          onSort: (value) => {
            const chosen = oneOf(DEVICE_SORTS, value);
            void navigate({
              search: (former) => ({ ...former, sort: chosen === 'hostname' ? undefined : chosen }),
              replace: true,
            });
          },
        }}
        rowKey={(row) => row.device_id}
        rowTestId="device-row"
        dense
        empty={
          isFiltered ? (
            <Empty title={texts.ui.noMatch} />
          ) : (
            <Empty title={texts.devices.empty} text={texts.devices.emptyText} />
          )
        }
      />
    </Page>
  );
}

/** Bounded because each selected device is a separate request. */
const MAX_SELECTED = 100;

const selectColumn = (
  selected: ReadonlyMap<string, string>,
  toggle: (row: DeviceRow) => void,
): Column<DeviceRow> => ({
  key: 'select',
  weight: 0.35,
  header: texts.ui.selection,
  hiddenHeader: true,
  render: (row) => (
    <Checkbox
      aria-label={deviceTexts.select(row.hostname)}
      checked={selected.has(row.device_id)}
      disabled={row.retired_at !== null}
      onChange={() => {
        toggle(row);
      }}
    />
  ),
});

function DeviceFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
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
      <MoreFilters chosen={[search.seen, search.coverage]}>
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
      </MoreFilters>
    </div>
  );
}

const COLUMNS: readonly Column<DeviceRow>[] = [
  {
    key: 'hostname',
    weight: 1.9,
    header: texts.devices.hostname,
    sort: { value: 'hostname', direction: 'ascending' },
    render: (row) => (
      <span className="gw-text-and-chips">
        <DeviceLink deviceId={row.device_id} hostname={row.hostname} />
        {row.stale ? <Badge tone="plain">{deviceTexts.stale}</Badge> : null}
        {row.duplicate_since === null ? null : <Badge tone="warn">{deviceTexts.twoMachines}</Badge>}
      </span>
    ),
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
    key: 'agent',
    weight: 0.9,
    header: texts.devices.agent,
    render: (row) => <Name value={row.agent_version} mono />,
  },
  {
    key: 'entities',
    weight: 0.9,
    header: texts.devices.entities,
    sort: { value: '-entity_count', direction: 'descending' },
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
    sort: { value: '-last_seen_at', direction: 'descending' },
    render: (row) => <Time at={row.last_seen_at} />,
  },
];
