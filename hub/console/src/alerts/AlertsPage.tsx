// Alerts, live: new alerts appear at the top without a reload, as single alerts or in clusters. The URL contains the filters and the
// opened alert.
import type { AlertGroup, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { ALERT_ACTIONS, SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Switch } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import { usePeriod } from '../activity-shell/use-period.ts';
import type { QueryParams } from '../api/query-string.ts';
import { type List, rowsOf, useList, useMayDecide } from '../api/tenant.ts';
import { alertsSearch } from '../app/search.ts';
import { texts } from '../texts.ts';
import { timeSort } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { visible } from '../ui/visible.ts';
import { AlertDetails } from './AlertDetails.tsx';
import { AlertGroups } from './AlertGroups.tsx';
import { AlertTable } from './AlertTable.tsx';
import { alertAddress } from './open-alerts.ts';
import { ALERT_ASSIGNED, ALERT_STATES } from './states.ts';
import { alertFacetTexts, assignTexts, groupTexts } from './texts.ts';

const route = getRouteApi('/t/$tenantId/activity/alerts');

type Search = ReturnType<typeof route.useSearch>;

export function AlertsPage() {
  const { view, alert: _alert, why: _why, sort, range, from, to, ...others } = route.useSearch();
  const { state = 'open', ...filters } = others;
  const period = usePeriod({ range, from, to });
  const filter = { ...filters, ...period, state: state === 'all' ? undefined : state };
  return view === 'groups' ? (
    <GroupedAlerts filter={filter} />
  ) : (
    <SingleAlerts filter={{ ...filter, sort }} />
  );
}

function SingleAlerts({ filter }: { filter: QueryParams }) {
  const { alert, sort } = route.useSearch();
  const set = useSet();
  const list = useList<AlertRow>('alerts', '/alerts', filter);
  return (
    <AlertsFrame list={list} filter={filter}>
      <AlertTable
        list={list}
        current={alert}
        sort={timeSort(sort, (chosen) => set({ sort: chosen }))}
        empty={<NoAlerts />}
      />
      {alert === undefined ? null : (
        <OpenedAlert rows={rowsOf(list).map(alertAddress)} alert={alert} />
      )}
    </AlertsFrame>
  );
}

function GroupedAlerts({ filter }: { filter: QueryParams }) {
  const { alert } = route.useSearch();
  const { group: _group, day: _day, ...params } = filter;
  const list = useList<AlertGroup>('alerts', '/alert-groups', params);
  return (
    <AlertsFrame list={list} filter={params}>
      <AlertGroups list={list} filter={params} empty={<NoAlerts />} />
      {alert === undefined ? null : <OpenedAlert rows={[]} alert={alert} />}
    </AlertsFrame>
  );
}

function OpenedAlert({ rows, alert }: { rows: readonly string[]; alert: string }) {
  const navigate = route.useNavigate();
  return (
    <RowDrawer
      title={groupTexts.alert}
      rows={rows}
      row={alert}
      onOpen={(next) =>
        void navigate({ search: (former) => ({ ...former, alert: next }), replace: true })
      }
    >
      <AlertDetails address={alert} />
    </RowDrawer>
  );
}

/** Returns the function that changes parameters of the URL. */
function useSet() {
  const navigate = route.useNavigate();
  return (part: Partial<Search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
}

interface AlertsFrameProps {
  list: List<unknown>;
  filter: QueryParams;
  children: ReactNode;
}

function AlertsFrame({ list, filter, children }: AlertsFrameProps) {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { alert: _alert, why: _why, ...stored } = search;
  const { range, from, to } = search;
  return (
    <ActivityShell
      title={texts.alerts.title}
      lead={
        <>
          {texts.alerts.lead}{' '}
          <Link to="/t/$tenantId/settings/notifications" params={{ tenantId }} className="gw-link">
            {texts.alerts.manageChannels}
          </Link>
        </>
      }
      path="/alerts"
      list={list}
      filter={filter}
      facets={useFacets(search)}
      series="severity"
      range={{ range, from, to }}
      onRange={(next) => void navigate({ search: (former) => ({ ...former, ...next }) })}
      otherChosen={[search.assigned, getNarrowing(search)].filter(Boolean).length}
      filters={<OtherFilters search={search} />}
      views={{
        list: 'alerts',
        search: stored,
        parse: parseView,
        onView: (view) => void navigate({ search: parseView(view) }),
      }}
    >
      {children}
    </ActivityShell>
  );
}

/** Returns the filters of a saved view: no opened alert, and no chain. */
const parseView = (view: Readonly<Record<string, string>>) => {
  const { alert: _alert, why: _why, ...search } = alertsSearch(view);
  return search;
};

/** Without a choice, the list has the open alerts. */
const DEFAULT_STATE = 'open';
const SEVERITY_COLORS = { critical: 'worst', high: '2', medium: '6', low: 'other' };

function useFacets({ severity, state = DEFAULT_STATE, action, app }: Search): readonly FacetView[] {
  const set = useSet();
  return [
    closedFacet({
      ...{ name: 'severity', label: texts.alerts.severity, chosen: severity },
      ...{ values: SEVERITIES, labels: texts.severities, colors: SEVERITY_COLORS },
      onChoose: (value) => set({ severity: value }),
    }),
    closedFacet({
      ...{ name: 'state', label: texts.alerts.state, usual: DEFAULT_STATE },
      ...{ values: ALERT_STATES, labels: alertFacetTexts.states },
      chosen: state === 'all' ? undefined : state,
      onChoose: (value) => set({ state: value === DEFAULT_STATE ? undefined : (value ?? 'all') }),
    }),
    closedFacet({
      ...{ name: 'action', label: alertFacetTexts.type, chosen: action },
      ...{ values: ALERT_ACTIONS, labels: texts.alerts.actions },
      onChoose: (value) => set({ action: value }),
    }),
    {
      ...{ name: 'app', label: alertFacetTexts.app, chosen: app },
      onChoose: (value) => set({ app: value }),
    },
  ];
}

const getNarrowing = (search: Search) => search.device_id ?? search.group ?? search.subscriber_id;

function OtherFilters({ search }: { search: Search }) {
  const set = useSet();
  const mayDecide = useMayDecide();
  const { view, assigned, subscriber_id: user } = search;
  const clear = { device_id: undefined, group: undefined, day: undefined };
  return (
    <div className="gw-filters">
      {mayDecide ? (
        <Filter
          label={assignTexts.assigned}
          values={ALERT_ASSIGNED}
          names={assignTexts.filters}
          value={assigned}
          onChange={(chosen) => set({ assigned: chosen })}
        />
      ) : null}
      <Switch
        size="xs"
        label={groupTexts.grouped}
        checked={view === 'groups'}
        onChange={(event) =>
          set({
            view: event.currentTarget.checked ? 'groups' : undefined,
            ...{ group: undefined, day: undefined },
          })
        }
      />
      {getNarrowing(search) === undefined ? null : (
        <Button
          size="xs"
          variant="default"
          onClick={() => set({ ...clear, subscriber_id: undefined })}
        >
          {user === undefined ? groupTexts.clear : groupTexts.allUsers(visible(user))}
        </Button>
      )}
    </div>
  );
}

const isFiltered = ({ alert: _alert, why: _why, view: _view, sort: _sort, ...filter }: Search) =>
  Object.values(filter).some((value) => value !== undefined);

/** The empty list of open alerts links to all alerts with the same filters. */
function NoAlerts() {
  const { tenantId } = route.useParams();
  const { state = DEFAULT_STATE, ...filter } = route.useSearch();
  if (state !== DEFAULT_STATE) return <Empty title={texts.ui.noMatch} />;
  return (
    <Empty
      title={texts.alerts.empty}
      {...(isFiltered(filter) ? {} : { text: texts.alerts.emptyText })}
      action={
        <Link
          to="/t/$tenantId/activity/alerts"
          params={{ tenantId }}
          search={{ ...filter, state: 'all' }}
          className="gw-link"
        >
          {texts.alerts.showAll}
        </Link>
      }
    />
  );
}
