// Every alert route of the tenant, with its state; administrators make new ones.
import type { AlertRoute } from '@gatewarden/shared/wire/console/alert-routes.ts';
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
import { NewRoute } from './RouteDialogs.tsx';
import { RouteState } from './RouteState.tsx';

const route = getRouteApi('/t/$tenantId/settings/notifications');

export function AlertRoutesPage() {
  const { tenantId } = route.useParams();
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<AlertRoute>('alert-routes', '/alert-routes');
  return (
    <Page
      title={texts.routes.title}
      lead={texts.routes.lead}
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
            {texts.routes.new}
          </Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={texts.routes.title}
        columns={COLUMNS}
        rowKey={(row) => row.route_id}
        rowTestId="alert-route-row"
        empty={<Empty title={texts.routes.empty} text={texts.routes.emptyText} />}
      />
      {isNew ? (
        <NewRoute
          onClose={() => {
            setNew(false);
          }}
        />
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<AlertRoute>[] = [
  { key: 'name', weight: 2, header: texts.routes.name, render: (row) => <RouteLink route={row} /> },
  {
    key: 'target',
    weight: 2,
    header: texts.routes.target,
    render: (row) => (
      <div>
        {texts.routes.kinds[row.kind]}
        <div className="gw-dimmed gw-small">
          <Name value={row.url_hint ?? (row.to ?? []).join(', ')} clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'severity',
    weight: 1.2,
    header: texts.routes.severity,
    render: (row) => texts.routes.severities[row.min_severity],
  },
  {
    key: 'state',
    weight: 2,
    header: texts.routes.state,
    render: (row) => <RouteState route={row} />,
  },
  {
    key: 'delivered',
    weight: 1.2,
    header: texts.routes.lastDelivered,
    render: (row) => <Time at={row.health.last_delivered_at} />,
  },
];

function RouteLink({ route: { route_id: routeId, name } }: { route: AlertRoute }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/settings/notifications/$routeId"
      params={{ tenantId, routeId }}
      className="gw-link"
    >
      <Name value={name} clamp />
    </Link>
  );
}
