// All device groups, with the button that creates a group.
import type { DeviceGroup } from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { WhenAndWho } from '../ui/WhenAndWho.tsx';
import { GroupDialog } from './GroupForm.tsx';
import { GroupLink } from './GroupLink.tsx';

const route = getRouteApi('/t/$tenantId/devices/groups');

export function GroupsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tenantId } = route.useParams();
  const list = useList<DeviceGroup>('device-groups', '/device-groups', search);
  const mayManage = useMayAdminister();
  const [creating, setCreating] = useState(false);
  return (
    <Page title={texts.groups.title} lead={texts.groups.lead}>
      <div className="gw-filters">
        <SearchBox
          label={texts.groups.search}
          placeholder={texts.groups.searchPlaceholder}
          value={search.query}
          onChange={(query) => void navigate({ search: { query }, replace: true })}
        />
        {mayManage ? (
          <Button
            onClick={() => {
              setCreating(true);
            }}
          >
            {texts.groups.create}
          </Button>
        ) : null}
      </div>
      <ListView
        list={list}
        caption={texts.groups.title}
        columns={COLUMNS}
        rowKey={(row) => row.group_id}
        rowTestId="device-group-row"
        empty={
          search.query === undefined ? (
            <Empty title={texts.groups.empty} text={texts.groups.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
      {creating ? (
        <GroupDialog
          group={null}
          onClose={() => {
            setCreating(false);
          }}
          onStored={(group) =>
            void navigate({
              to: '/t/$tenantId/devices/groups/$groupId',
              params: { tenantId, groupId: group.group_id },
            })
          }
        />
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<DeviceGroup>[] = [
  {
    key: 'name',
    weight: 2,
    header: texts.groups.name,
    render: (row) => (
      <div>
        <GroupLink groupId={row.group_id} name={row.name} />
        {row.rule === null ? null : (
          <div className="gw-dimmed gw-small">{texts.groups.ruleBadge}</div>
        )}
      </div>
    ),
  },
  {
    key: 'description',
    weight: 2.5,
    header: texts.groups.description,
    render: (row) =>
      row.description === null ? (
        <span className="gw-dimmed">{texts.ui.none}</span>
      ) : (
        <Name value={row.description} clamp />
      ),
  },
  {
    key: 'devices',
    weight: 0.8,
    header: texts.groups.devices,
    align: 'end',
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'changed',
    weight: 1.4,
    header: texts.groups.changed,
    render: (row) => <WhenAndWho at={row.updated_at} by={row.updated_by} />,
  },
];
