// The apps of the LLM gateway, filtered by name, tag and state; administrators create apps.
import type { AppWire } from '@gatewarden/shared/wire/management/apps.ts';
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { secondsToIso } from './app-path.ts';
import { NewApp } from './NewApp.tsx';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.apps;
const route = getRouteApi('/t/$tenantId/gateway/apps');

export function AppsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<GatewayApp>('gateway', '/gateway/apps', search);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-filters">
        <SearchBox
          label={t.search}
          value={search.name}
          onChange={(name) =>
            void navigate({ search: (former) => ({ ...former, name }), replace: true })
          }
        />
        <Filter
          label={t.state}
          values={['true', 'false'] as const}
          names={t.states}
          value={search.enabled}
          onChange={(enabled) =>
            void navigate({ search: (former) => ({ ...former, enabled }), replace: true })
          }
        />
        {mayAdminister ? <Button onClick={() => setNew(true)}>{t.new}</Button> : null}
      </div>
      {search.tag === undefined ? null : (
        <p>
          {t.tag}: <Name value={search.tag} />{' '}
          <Link
            from={route.id}
            search={(former) => ({ ...former, tag: undefined })}
            className="gw-link"
          >
            {texts.ui.clearFilters}
          </Link>
        </p>
      )}
      <ListView
        list={list}
        caption={t.title}
        columns={COLUMNS}
        rowKey={(row) => row.app_id}
        rowTestId="gateway-app-row"
        empty={
          isFiltered ? (
            <Empty title={texts.ui.noMatch} />
          ) : (
            <Empty title={t.empty} text={t.emptyText} />
          )
        }
      />
      {isNew ? <NewApp onClosed={() => setNew(false)} /> : null}
    </Page>
  );
}

function AppLink({ app }: { app: AppWire }) {
  const { tenantId } = route.useParams();
  return (
    <Link
      to="/t/$tenantId/gateway/apps/$appName"
      params={{ tenantId, appName: app.name }}
      className="gw-link"
    >
      <Name value={app.name} clamp />
    </Link>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <div className="gw-badges">
      {tags.map((tag) => (
        <Link
          key={tag}
          from={route.id}
          search={(former) => ({ ...former, tag })}
          className="gw-link gw-small"
        >
          <Name value={tag} />
        </Link>
      ))}
    </div>
  );
}

const COLUMNS: readonly Column<GatewayApp>[] = [
  { key: 'name', header: t.name, weight: 2.4, render: (row) => <AppLink app={row} /> },
  { key: 'mode', header: t.mode, render: (row) => t.modes[row.mode] },
  {
    key: 'providers',
    header: t.providers,
    weight: 1.6,
    render: (row) => <Name value={row.provider_labels.join(', ')} clamp />,
  },
  { key: 'tags', header: t.tags, weight: 1.4, render: (row) => <Tags tags={row.tags} /> },
  {
    key: 'state',
    header: t.state,
    render: (row) => <EnabledBadge enabled={row.enabled} />,
  },
  {
    key: 'changed',
    header: t.changed,
    render: (row) => <Time at={secondsToIso(row.updated_at)} />,
  },
];

export function EnabledBadge({ enabled }: { enabled: boolean }) {
  return (
    <Badge tone={enabled ? 'good' : 'plain'} dot>
      {t.states[`${enabled}`]}
    </Badge>
  );
}
