// The process mappings of the tenant.
import type { ProcessMappingRow } from '@gatewarden/shared/wire/console/processes.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useList, useMayDecide } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { WithdrawMapping } from './WithdrawMapping.tsx';

export function Mappings({ query }: { query: string | undefined }) {
  const list = useList<ProcessMappingRow>('process-map', '/process-mappings', { query });
  const mayDecide = useMayDecide();
  const [withdrawing, setWithdrawing] = useState<ProcessMappingRow | null>(null);
  return (
    <Section title={texts.processes.mappings}>
      <ListView
        bare
        list={list}
        caption={texts.processes.mappings}
        columns={mayDecide ? [...COLUMNS, actionsOf(setWithdrawing)] : COLUMNS}
        rowKey={(row) => row.mapping_id}
        rowTestId="process-mapping-row"
        empty={
          <p className="gw-dimmed">
            {query === undefined ? texts.processes.mappingsEmpty : texts.ui.noMatch}
          </p>
        }
      />
      {withdrawing === null ? null : (
        <WithdrawMapping mapping={withdrawing} onClose={() => setWithdrawing(null)} />
      )}
    </Section>
  );
}

const actionsOf = (withdraw: (row: ProcessMappingRow) => void): Column<ProcessMappingRow> => ({
  key: 'actions',
  header: texts.ui.actions,
  render: (row) => (
    <Button
      variant="default"
      size="xs"
      aria-label={texts.processes.withdrawNamed(row.process_name)}
      onClick={() => withdraw(row)}
    >
      {texts.processes.withdraw}
    </Button>
  ),
});

const COLUMNS: readonly Column<ProcessMappingRow>[] = [
  {
    key: 'process',
    header: texts.processes.pattern,
    render: (row) => (
      <div>
        <Name value={row.process_name} mono clamp />
        {row.match === 'glob' ? (
          <span className="gw-dimmed gw-small"> · {texts.processes.glob}</span>
        ) : null}
      </div>
    ),
  },
  {
    key: 'application',
    header: texts.processes.application,
    render: (row) => <ApplicationLink entityId={row.entity_id} name={row.application_name} />,
  },
  {
    key: 'platform',
    header: texts.processes.onPlatform,
    render: (row) =>
      row.platform === null ? texts.processes.everyPlatform : texts.platforms[row.platform],
  },
  {
    key: 'by',
    header: texts.processes.by,
    render: (row) => <UserLink value={row.created_by} />,
  },
  { key: 'when', header: texts.processes.when, render: (row) => <Time at={row.created_at} /> },
];
