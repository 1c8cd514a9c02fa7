// The table of alerts, with the actions of a reviewer.
import type { AlertAnswer, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconClockPause } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { sentSurely } from '../api/idempotency.ts';
import { topicKey } from '../api/keys.ts';
import { type List, useMayDecide, useTenant, useTenantWrite } from '../api/tenant.ts';
import { alertsSearch } from '../app/search.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import { Badge, SeverityBadge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, type SortState } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { RowAction } from '../ui/RowAction.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { whyTexts } from '../why/texts.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { useAlertSelection } from './AlertSelection.tsx';
import { AssignButton, AssignDialog } from './AssignAlert.tsx';
import { headline, useFreshAlerts } from './FreshAlerts.tsx';
import { alertAddress, alertKey } from './open-alerts.ts';
import { assignTexts, resolveTexts } from './texts.ts';

interface AlertTableProps {
  list: List<AlertRow>;
  empty: ReactNode;
  /** The order by time; without it, newest first and no sortable header. */
  sort?: SortState;
  /** Hides the device, for the page of a device. */
  ofDevice?: boolean;
  /** The address of the alert with open details. */
  current?: string | undefined;
}

export function AlertTable({ list, empty, sort, ofDevice = false, current }: AlertTableProps) {
  const fresh = useFreshAlerts();
  const mayDecide = useMayDecide();
  const [assigning, setAssigning] = useState<AlertRow | null>(null);
  const selection = useAlertSelection();
  const columns = mayDecide
    ? [...(ofDevice ? [] : [selection.column]), ...COLUMNS, WHY, actions(setAssigning)]
    : [...COLUMNS, WHY];
  return (
    <>
      <ListView
        list={list}
        bare={ofDevice}
        caption={texts.alerts.title}
        columns={ofDevice ? columns.filter(({ key }) => !OF_DEVICE.includes(key)) : columns}
        rowKey={alertKey}
        rowTestId="alert-row"
        dense
        {...(sort === undefined ? {} : { sort })}
        isNew={(row) => fresh.has(alertKey(row))}
        isCurrent={(row) => current !== undefined && alertAddress(row) === current}
        empty={empty}
      />
      {selection.bar}
      {assigning === null ? null : (
        <AssignDialog row={assigning} onClosed={() => setAssigning(null)} />
      )}
    </>
  );
}

/** The columns that all rows of a device share. */
const OF_DEVICE = ['device', 'user'];

const COLUMNS: readonly Column<AlertRow>[] = [
  {
    key: 'what',
    weight: 2.2,
    least: 230,
    header: texts.alerts.what,
    render: (row) => <AlertSubject row={row} />,
  },
  {
    key: 'severity',
    weight: 1,
    header: texts.alerts.severity,
    render: (row) => <SeverityBadge severity={row.severity} />,
  },
  {
    key: 'device',
    weight: 1.3,
    header: texts.alerts.device,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'user',
    weight: 2.2,
    isEmail: true,
    header: texts.alerts.user,
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'when',
    weight: 1.3,
    header: texts.alerts.when,
    sort: BY_TIME,
    render: (row) => (
      <div>
        <Time at={row.occurred_at} />
        {row.queued ? <SentLate /> : null}
      </div>
    ),
  },
  { key: 'state', weight: 1, header: texts.alerts.state, render: (row) => <State row={row} /> },
];

function SentLate() {
  return (
    <span className="gw-dimmed" title={texts.alerts.queued}>
      {' '}
      <IconClockPause size={14} aria-hidden />
      <span className="gw-vh">{texts.alerts.queued}</span>
    </span>
  );
}

/** Alerts about the agent itself have no policy. */
const WHY: Column<AlertRow> = {
  key: 'why',
  weight: 0.5,
  header: whyTexts.why,
  hiddenHeader: true,
  align: 'end',
  render: (row) =>
    row.override_id === null ? null : (
      <WhyButton of={`alert.${row.alert_id}.${row.device_id}`} name={headline(row)} compact />
    ),
};

const actions = (onAssign: (row: AlertRow) => void): Column<AlertRow> => ({
  key: 'acknowledge',
  weight: 1,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) =>
    row.state === 'open' ? (
      <div className="gw-row-actions">
        <AssignButton row={row} onAssign={onAssign} compact />
        <Acknowledge row={row} compact />
      </div>
    ) : null,
});

/** The subject of an alert; the name links to its details. */
export function AlertSubject({ row }: { row: AlertRow }) {
  const fresh = useFreshAlerts().has(alertKey(row));
  const what = row.application_name ?? row.process?.name ?? null;
  return (
    <div>
      <div className="gw-clamp" title={what === null ? undefined : visible(what)}>
        <AlertLink row={row}>
          <strong>{texts.alerts.actions[row.action]}</strong>
        </AlertLink>
        {what === null ? null : (
          <>
            {': '}
            <Name value={what} />
          </>
        )}
      </div>
      {fresh ? <span className="gw-vh"> ({texts.ui.newRow})</span> : null}
      <div className="gw-dimmed gw-small">
        <Name value={row.message} clamp />
      </div>
      {row.process?.executable_path ? (
        <div className="gw-dimmed gw-small">
          <Name value={row.process.executable_path} mono clamp />
        </div>
      ) : null}
      {row.outcome === null ? null : (
        <div className="gw-dimmed gw-small">
          {texts.alerts.outcome}: <Name value={row.outcome} />
        </div>
      )}
    </div>
  );
}

function AlertLink({ row, children }: { row: AlertRow; children: ReactNode }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/activity/alerts"
      params={{ tenantId }}
      search={(former) => ({ ...alertsSearch(former), alert: alertAddress(row) })}
      className="gw-link"
    >
      {children}
    </Link>
  );
}

export function State({ row }: { row: AlertRow }) {
  const assignee =
    row.assigned_to === null ? null : (
      <div className="gw-dimmed gw-small">
        {assignTexts.assignedTo} <UserLink value={row.assigned_to} />
      </div>
    );
  if (row.state === 'open') {
    return (
      <div>
        <Badge tone="info">
          {row.assigned_to === null ? texts.alerts.states.open : resolveTexts.inProgress}
        </Badge>
        {assignee}
      </div>
    );
  }
  return (
    <div>
      <Badge tone="plain">
        {row.resolution == null
          ? texts.alerts.states.acknowledged
          : `${resolveTexts.resolved} · ${resolveTexts.resolutions[row.resolution]}`}
      </Badge>
      {assignee}
      <div className="gw-dimmed gw-small">
        {row.acknowledged_by === null ? null : (
          <>
            {texts.alerts.by} <UserLink value={row.acknowledged_by} />{' '}
          </>
        )}
        {row.acknowledged_at === null ? null : <Time at={row.acknowledged_at} />}
      </div>
    </div>
  );
}

interface AcknowledgeProps {
  row: AlertRow;
  /** Shows the button as an icon, for the row of a dense table. */
  compact?: boolean;
}

export function Acknowledge({ row, compact = false }: AcknowledgeProps) {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const write = useTenantWrite();
  const acknowledge = useMutation({
    mutationFn: () =>
      sentSurely(() =>
        write<AlertAnswer>(
          'POST',
          `/alerts/${row.alert_id}/acknowledge?device_id=${row.device_id}`,
          { body: {} },
        ),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: topicKey(tenantId, 'alerts') }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.alerts.acknowledgeFailed,
        message: noticeOf(error),
      }),
  });
  if (compact) {
    return (
      <RowAction
        label={texts.alerts.acknowledge}
        fullLabel={texts.alerts.acknowledgeNamed(headline(row))}
        Icon={IconCheck}
        loading={acknowledge.isPending}
        onClick={() => acknowledge.mutate()}
      />
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={acknowledge.isPending}
      aria-label={texts.alerts.acknowledgeNamed(headline(row))}
      onClick={() => {
        acknowledge.mutate();
      }}
    >
      {texts.alerts.acknowledge}
    </Button>
  );
}
