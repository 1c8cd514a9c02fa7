// The delivery history of a channel, with the state of each delivery and a retry.
import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationDeliveryAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useList, useMayAdminister, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { DeliveryState } from './ChannelState.tsx';
import { useInvalidateChannels } from './invalidate-channels.ts';

export function Deliveries({ channel }: { channel: NotificationChannel }) {
  const path = `/alert-routes/${channel.route_id}/deliveries`;
  const list = useList<NotificationDelivery>('alert-routes', path);
  const mayAdminister = useMayAdminister();
  const retry: Column<NotificationDelivery> = {
    key: 'retry',
    weight: 1.2,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) =>
      row.state === 'delivered' || row.digest_id !== null ? null : (
        <Retry delivery={row} path={path} />
      ),
  };
  return (
    <Section title={texts.channels.deliveries}>
      <ListView
        list={list}
        bare
        caption={texts.channels.deliveries}
        columns={mayAdminister ? [...COLUMNS, retry] : COLUMNS}
        rowKey={(row) => row.delivery_id}
        rowTestId="delivery-row"
        empty={<Empty title={texts.channels.noDeliveries} />}
      />
    </Section>
  );
}

function messageType(row: NotificationDelivery): string {
  if (row.is_test) return texts.channels.isTest;
  if (row.access_request_id !== null) return texts.channels.isRequest;
  if (row.digest_alerts !== null) return texts.channels.isDigest(row.digest_alerts);
  // An alert of a device names it; a notice about a budget does not.
  if (row.alert_id === null) return texts.channels.isBudget;
  return row.digest_id === null ? texts.channels.isAlert : texts.channels.inDigest;
}

const COLUMNS: readonly Column<NotificationDelivery>[] = [
  {
    key: 'message',
    weight: 2,
    header: texts.channels.message,
    render: (row) => (
      <div>
        {messageType(row)}
        <div className="gw-dimmed gw-small">
          <Name value={row.alert_id ?? row.access_request_id ?? row.delivery_id} mono clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'state',
    weight: 1.6,
    header: texts.channels.state,
    render: (row) => <DeliveryState delivery={row} />,
  },
  {
    key: 'answer',
    weight: 1.8,
    header: texts.channels.answer,
    render: (row) => row.last_error ?? (row.last_status === null ? '' : String(row.last_status)),
  },
  {
    key: 'created',
    weight: 1.2,
    header: texts.channels.createdAt,
    render: (row) => <Time at={row.created_at} />,
  },
  {
    key: 'delivered',
    weight: 1.2,
    header: texts.channels.arrived,
    render: (row) => <Time at={row.delivered_at} />,
  },
];

function Retry({ delivery, path }: { delivery: NotificationDelivery; path: string }) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const retry = useMutation({
    mutationFn: () =>
      write<NotificationDeliveryAnswer>('POST', `${path}/${delivery.delivery_id}/retry`, {
        body: {},
      }),
    onSettled: () => invalidateChannels(),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.channels.retryFailed,
        message: noticeOf(error),
      }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={retry.isPending}
      aria-label={texts.channels.retryNamed(
        delivery.alert_id ?? delivery.access_request_id ?? delivery.delivery_id,
      )}
      onClick={() => {
        retry.mutate();
      }}
    >
      {texts.channels.retry}
    </Button>
  );
}
