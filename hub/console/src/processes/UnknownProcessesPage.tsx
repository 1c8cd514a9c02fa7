// Unidentified processes: map them to an app, or set a policy by name.
import type { UnknownProcessRow } from '@gatewarden/shared/wire/console/processes.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayDecide } from '../api/tenant.ts';
import { PolicyDialog } from '../policies/PolicyDialog.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { Mappings } from './Mappings.tsx';
import { NameProcess } from './NameProcess.tsx';

const route = getRouteApi('/t/$tenantId/inventory/unidentified-processes');

type Opened = { what: 'name' | 'decide'; row: UnknownProcessRow } | null;

export function UnknownProcessesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayDecide = useMayDecide();
  const list = useList<UnknownProcessRow>('unknown-processes', '/unknown-processes', search);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => {
    setOpened(null);
  };
  const actions: Column<UnknownProcessRow> = {
    key: 'actions',
    weight: 2.1,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (
      <div className="gw-row-actions">
        <Button
          size="xs"
          variant="default"
          aria-label={texts.processes.nameItNamed(row.name)}
          onClick={() => {
            setOpened({ what: 'name', row });
          }}
        >
          {texts.processes.nameIt}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={texts.processes.decideNamed(row.name)}
          onClick={() => {
            setOpened({ what: 'decide', row });
          }}
        >
          {texts.processes.decide}
        </Button>
      </div>
    ),
  };
  return (
    <Page title={texts.processes.title} lead={texts.processes.lead}>
      <div className="gw-filters">
        <SearchBox
          label={texts.processes.search}
          placeholder={texts.processes.searchPlaceholder}
          value={search.query}
          onChange={(query) => void navigate({ search: { query }, replace: true })}
        />
        <Downloads path="/unknown-processes/download" filter={{ query: search.query }} />
      </div>
      <div className="gw-stack">
        <ListView
          list={list}
          caption={texts.processes.title}
          columns={mayDecide ? [...COLUMNS, actions] : COLUMNS}
          rowKey={(row) => row.process_id}
          rowTestId="unknown-process-row"
          dense
          empty={
            search.query === undefined ? (
              <Empty title={texts.processes.empty} text={texts.processes.emptyText} />
            ) : (
              <Empty title={texts.ui.noMatch} />
            )
          }
        />
        <Mappings query={search.query} />
      </div>
      {opened?.what === 'name' ? <NameProcess row={opened.row} onClose={close} /> : null}
      {opened?.what === 'decide' ? (
        <PolicyDialog
          match={{ name: opened.row.name }}
          name={opened.row.name}
          appliesTo={policyTexts.appliesToName(visible(opened.row.name))}
          onClosed={close}
        />
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<UnknownProcessRow>[] = [
  {
    key: 'name',
    weight: 1.5,
    header: texts.processes.name,
    render: (row) => (
      <strong>
        <Name value={row.name} clamp />
      </strong>
    ),
  },
  {
    key: 'path',
    weight: 2,
    header: texts.processes.path,
    render: (row) => (
      <div>
        <Name value={row.executable_path} mono clamp />
        {row.publisher === null ? null : (
          <div className="gw-dimmed gw-small">
            <Name value={row.publisher} clamp />
          </div>
        )}
      </div>
    ),
  },
  {
    key: 'platform',
    weight: 1,
    header: texts.processes.platform,
    render: (row) => texts.platforms[row.platform],
  },
  {
    key: 'devices',
    weight: 0.9,
    header: texts.processes.devices,
    align: 'end',
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'first_seen',
    weight: 1.1,
    header: texts.processes.firstSeen,
    render: (row) => <Time at={row.first_seen_at} />,
  },
  {
    key: 'last_seen',
    weight: 1.2,
    header: texts.processes.lastSeen,
    render: (row) => <Time at={row.last_seen_at} />,
  },
];
