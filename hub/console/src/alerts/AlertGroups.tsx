// Clusters of alerts: a row per device, application, policy and day.
import type {
  AlertGroup,
  AlertGroupAcknowledged,
  AlertGroupAcknowledgement,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { ALERT_ASSIGNED } from '@gatewarden/shared/wire/console/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sentSurely } from '../api/idempotency.ts';
import { oneOf, type QueryParams } from '../api/query-string.ts';
import { type List, useMayDecide, useReload, useTenant, useTenantWrite } from '../api/tenant.ts';
import { alertsSearch } from '../app/search.ts';
import { DeviceCell } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import { SeverityBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Time } from '../ui/Time.tsx';
import { AlertSubject } from './AlertTable.tsx';
import { headline } from './FreshAlerts.tsx';
import { groupTexts as words } from './texts.ts';

interface AlertGroupsProps {
  list: List<AlertGroup>;
  filter: QueryParams;
  empty: ReactNode;
}

export function AlertGroups({ list, filter, empty }: AlertGroupsProps) {
  const mayDecide = useMayDecide();
  return (
    <ListView
      list={list}
      caption={words.title}
      columns={mayDecide ? [...COLUMNS, acknowledging(filter)] : COLUMNS}
      rowKey={(row) => `${row.day}/${row.group}`}
      rowTestId="alert-group-row"
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<AlertGroup>[] = [
  {
    key: 'what',
    weight: 3,
    header: texts.alerts.what,
    render: ({ alert }) => <AlertSubject row={alert} />,
  },
  { key: 'count', weight: 1, header: words.count, render: (row) => <Count row={row} /> },
  {
    key: 'severity',
    header: texts.alerts.severity,
    render: ({ alert }) => <SeverityBadge severity={alert.severity} />,
  },
  {
    key: 'device',
    weight: 2,
    header: texts.alerts.device,
    render: ({ alert }) => <DeviceCell row={alert} />,
  },
  {
    key: 'span',
    weight: 1.6,
    header: words.span,
    render: (row) => (
      <div>
        <Time at={row.first_at} />
        {row.count === 1 ? null : (
          <div>
            <Time at={row.last_at} />
          </div>
        )}
      </div>
    ),
  },
];

/** The number of alerts of a cluster, as a link to their list. */
function Count({ row }: { row: AlertGroup }) {
  const { tenantId } = useTenant();
  return (
    <div>
      <Link
        to="/t/$tenantId/activity/alerts"
        params={{ tenantId }}
        search={(former) => ({
          ...alertsSearch(former),
          view: undefined,
          group: row.group,
          day: row.day,
        })}
        className="gw-link gw-num"
        aria-label={words.countNamed(row.count, headline(row.alert))}
      >
        {row.count.toLocaleString('en-GB')}
      </Link>
      <div className="gw-dimmed gw-small">{words.open(row.open)}</div>
    </div>
  );
}

const acknowledging = (filter: QueryParams): Column<AlertGroup> => ({
  key: 'acknowledge',
  weight: 1.6,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => (row.open === 0 ? null : <AcknowledgeGroup row={row} filter={filter} />),
});

/** Returns the time range of the filters; alerts of the cluster outside of it stay open. */
const toPeriod = ({ from, to }: QueryParams): Pick<AlertGroupAcknowledgement, 'from' | 'to'> => ({
  ...(typeof from === 'string' ? { from } : {}),
  ...(typeof to === 'string' ? { to } : {}),
});

/** Acknowledges exactly the counted alerts: newer alerts and alerts outside of the filters stay open. */
function AcknowledgeGroup({ row, filter }: { row: AlertGroup; filter: QueryParams }) {
  const write = useTenantWrite();
  const reload = useReload();
  const severity = oneOf(SEVERITIES, filter.severity);
  const assigned = oneOf(ALERT_ASSIGNED, filter.assigned);
  const acknowledge = useMutation({
    mutationFn: () => {
      const body: AlertGroupAcknowledgement = {
        group: row.group,
        day: row.day,
        until: row.last_at,
        ...(severity === undefined ? {} : { severity }),
        ...(assigned === undefined ? {} : { assigned }),
        ...toPeriod(filter),
      };
      return sentSurely(() =>
        write<AlertGroupAcknowledged>('POST', '/alert-groups/acknowledge', { body }),
      );
    },
    onSuccess: ({ acknowledged }) =>
      notifications.show({ color: 'teal', message: words.acknowledged(acknowledged) }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.alerts.acknowledgeFailed,
        message: noticeOf(error),
      }),
    onSettled: () => reload('alerts'),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={acknowledge.isPending}
      aria-label={words.acknowledgeNamed(row.open, headline(row.alert))}
      onClick={() => acknowledge.mutate()}
    >
      {words.acknowledge(row.open)}
    </Button>
  );
}
