// The history of a route: each delivery, what became of it, and a way to try one again now.
import type {
  AlertDelivery,
  AlertDeliveryAnswer,
  AlertRoute,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
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
import { useAfterRoute } from './after-route.ts';
import { DeliveryState } from './RouteState.tsx';

export function Deliveries({ route }: { route: AlertRoute }) {
  const path = `/alert-routes/${route.route_id}/deliveries`;
  const list = useList<AlertDelivery>('alert-routes', path);
  const mayAdminister = useMayAdminister();
  const retry: Column<AlertDelivery> = {
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
    <Section title={texts.routes.deliveries}>
      <ListView
        list={list}
        bare
        caption={texts.routes.deliveries}
        columns={mayAdminister ? [...COLUMNS, retry] : COLUMNS}
        rowKey={(row) => row.delivery_id}
        rowTestId="delivery-row"
        empty={<Empty title={texts.routes.noDeliveries} />}
      />
    </Section>
  );
}

function whatOf(row: AlertDelivery): string {
  if (row.is_test) return texts.routes.isTest;
  if (row.access_request_id !== null) return texts.routes.isRequest;
  if (row.digest_alerts !== null) return texts.routes.isDigest(row.digest_alerts);
  // An alert of a device names it; a notice about a budget does not.
  if (row.alert_id === null) return texts.routes.isBudget;
  return row.digest_id === null ? texts.routes.isAlert : texts.routes.inDigest;
}

const COLUMNS: readonly Column<AlertDelivery>[] = [
  {
    key: 'what',
    weight: 2,
    header: texts.routes.what,
    render: (row) => (
      <div>
        {whatOf(row)}
        <div className="gw-dimmed gw-small">
          <Name value={row.alert_id ?? row.access_request_id ?? row.delivery_id} mono clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'state',
    weight: 1.6,
    header: texts.routes.state,
    render: (row) => <DeliveryState delivery={row} />,
  },
  {
    key: 'answer',
    weight: 1.8,
    header: texts.routes.answer,
    render: (row) => row.last_error ?? (row.last_status === null ? '' : String(row.last_status)),
  },
  {
    key: 'made',
    weight: 1.2,
    header: texts.routes.made,
    render: (row) => <Time at={row.created_at} />,
  },
  {
    key: 'delivered',
    weight: 1.2,
    header: texts.routes.arrived,
    render: (row) => <Time at={row.delivered_at} />,
  },
];

function Retry({ delivery, path }: { delivery: AlertDelivery; path: string }) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const retry = useMutation({
    mutationFn: () =>
      write<AlertDeliveryAnswer>('POST', `${path}/${delivery.delivery_id}/retry`, { body: {} }),
    onSettled: () => afterRoute(),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.routes.retryFailed,
        message: noticeOf(error),
      }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={retry.isPending}
      aria-label={texts.routes.retryNamed(
        delivery.alert_id ?? delivery.access_request_id ?? delivery.delivery_id,
      )}
      onClick={() => {
        retry.mutate();
      }}
    >
      {texts.routes.retry}
    </Button>
  );
}
