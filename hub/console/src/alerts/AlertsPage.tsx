// Alerts, live: new ones appear at the top without reloading, alone or in groups; one of them may be open.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Switch } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { oneOf, type QueryParams } from '../api/query-string.ts';
import { useList, useMayDecide } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { type SortState, timeSort } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { AlertDialog } from './AlertDialog.tsx';
import { AlertGroups } from './AlertGroups.tsx';
import { AlertTable } from './AlertTable.tsx';
import { ALERT_ASSIGNED } from './states.ts';
import { assignTexts, groupTexts } from './texts.ts';

const route = getRouteApi('/t/$tenantId/activity/alerts');

export function AlertsPage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayDecide = useMayDecide();
  const { view, alert, why, sort, state = 'open', ...others } = search;
  const filter = { ...others, state: state === 'all' ? undefined : state };
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const narrowed = filter.device_id ?? filter.group ?? filter.subscriber_id;
  return (
    <Page
      title={texts.alerts.title}
      lead={
        <>
          {texts.alerts.lead}{' '}
          <Link to="/t/$tenantId/settings/notifications" params={{ tenantId }} className="gw-link">
            {texts.alerts.manageChannels}
          </Link>
        </>
      }
      actions={<Downloads path="/alerts/download" filter={{ ...filter, sort }} />}
    >
      <div className="gw-filters">
        <Filter
          label={texts.alerts.state}
          all={texts.alerts.states.open}
          values={OTHER_STATES}
          names={texts.alerts.states}
          value={oneOf(OTHER_STATES, state)}
          onChange={(chosen) => set({ state: chosen })}
        />
        <Filter
          label={texts.alerts.severity}
          values={SEVERITIES}
          names={texts.severities}
          value={search.severity}
          onChange={(severity) =>
            void navigate({ search: (former) => ({ ...former, severity }), replace: true })
          }
        />
        {mayDecide ? (
          <Filter
            label={assignTexts.assigned}
            values={ALERT_ASSIGNED}
            names={assignTexts.filters}
            value={search.assigned}
            onChange={(assigned) =>
              void navigate({ search: (former) => ({ ...former, assigned }), replace: true })
            }
          />
        ) : null}
        <Switch
          label={groupTexts.grouped}
          checked={view === 'groups'}
          onChange={(event) =>
            set({
              view: event.currentTarget.checked ? 'groups' : undefined,
              group: undefined,
              day: undefined,
            })
          }
        />
        {narrowed === undefined ? null : (
          <Button
            variant="default"
            onClick={() =>
              set({
                device_id: undefined,
                group: undefined,
                day: undefined,
                subscriber_id: undefined,
              })
            }
          >
            {filter.subscriber_id === undefined
              ? groupTexts.clear
              : groupTexts.allUsers(visible(filter.subscriber_id))}
          </Button>
        )}
      </div>
      {view === 'groups' ? (
        <AlertGroups filter={filter} empty={<NoAlerts search={search} />} />
      ) : (
        <Alerts
          filter={{ ...filter, sort }}
          empty={<NoAlerts search={search} />}
          sort={timeSort(sort, (chosen) => set({ sort: chosen }))}
        />
      )}
      {alert === undefined || why !== undefined ? null : (
        <AlertDialog address={alert} onClosed={() => set({ alert: undefined })} />
      )}
    </Page>
  );
}

/** The list without a choice has the open alerts. */
const OTHER_STATES = ['acknowledged', 'all'] as const;

const isFiltered = ({ alert: _alert, why: _why, view: _view, sort: _sort, ...filter }: Search) =>
  Object.values(filter).some((item) => item !== undefined);

/** The list of open alerts empties as they are acknowledged: it leads to all alerts with the same filters. */
function NoAlerts({ search }: { search: Search }) {
  const { tenantId } = route.useParams();
  const { state = 'open', ...filter } = search;
  if (state !== 'open') return <Empty title={texts.ui.noMatch} />;
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

type Search = ReturnType<typeof route.useSearch>;

interface AlertsProps {
  filter: QueryParams;
  empty: ReactNode;
  sort: SortState;
}

function Alerts({ filter, empty, sort }: AlertsProps) {
  const list = useList<AlertRow>('alerts', '/alerts', filter);
  return <AlertTable list={list} sort={sort} empty={empty} />;
}
