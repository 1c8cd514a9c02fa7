// Lists the notification channels of the tenant with their state. Administrators add channels.
import type { NotificationChannel } from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister, useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { NewChannel } from './ChannelDialogs.tsx';
import { ChannelState } from './ChannelState.tsx';

const route = getRouteApi('/t/$tenantId/settings/notifications');

export function NotificationChannelsPage() {
  const { tenantId } = route.useParams();
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<NotificationChannel>('alert-routes', '/alert-routes');
  return (
    <Page
      title={texts.channels.title}
      lead={texts.channels.lead}
      crumb={
        <Link to="/t/$tenantId/activity/alerts" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.alerts.title}</CrumbText>
        </Link>
      }
    >
      {mayAdminister ? (
        <div className="gw-filters">
          <Button
            onClick={() => {
              setNew(true);
            }}
          >
            {texts.channels.new}
          </Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={texts.channels.title}
        columns={COLUMNS}
        rowKey={(row) => row.route_id}
        rowTestId="notification-channel-row"
        empty={<Empty title={texts.channels.empty} text={texts.channels.emptyText} />}
      />
      {isNew ? (
        <NewChannel
          onClose={() => {
            setNew(false);
          }}
        />
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<NotificationChannel>[] = [
  {
    key: 'name',
    weight: 2,
    header: texts.channels.name,
    render: (row) => <ChannelLink channel={row} />,
  },
  {
    key: 'target',
    weight: 2,
    header: texts.channels.target,
    render: (row) => (
      <div>
        {texts.channels.kinds[row.kind]}
        <div className="gw-dimmed gw-small">
          <Name value={row.url_hint ?? (row.to ?? []).join(', ')} clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'severity',
    weight: 1.2,
    header: texts.channels.severity,
    render: (row) => texts.channels.severities[row.min_severity],
  },
  {
    key: 'state',
    weight: 2,
    header: texts.channels.state,
    render: (row) => <ChannelState channel={row} />,
  },
  {
    key: 'delivered',
    weight: 1.2,
    header: texts.channels.lastDelivered,
    render: (row) => <Time at={row.health.last_delivered_at} />,
  },
];

function ChannelLink({ channel: { route_id: channelId, name } }: { channel: NotificationChannel }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/settings/notifications/$channelId"
      params={{ tenantId, channelId }}
      className="gw-link"
    >
      <Name value={name} clamp />
    </Link>
  );
}
