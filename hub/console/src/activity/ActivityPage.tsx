// Enforcement: the verdicts of devices about processes. The address contains the filters and the opened event.
import type { ActivityRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { ACTIVITY_SORTS } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { EXECUTION_POLICIES, PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { getRouteApi } from '@tanstack/react-router';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import { usePeriod } from '../activity-shell/use-period.ts';
import { rowsOf, useList } from '../api/tenant.ts';
import { activitySearch } from '../app/search.ts';
import { texts } from '../texts.ts';
import { SearchBox } from '../ui/SearchBox.tsx';
import { AppFilter, DeviceFilter } from './ActivityFilters.tsx';
import { ActivityRows, eventKey } from './ActivityTable.tsx';
import { EventDetails } from './EventDetails.tsx';
import { activityTexts as t } from './texts.ts';

/** The order of the hub where none is chosen. */
const NEWEST_FIRST = '-time';

const route = getRouteApi('/t/$tenantId/activity/enforcement');

type Search = ReturnType<typeof route.useSearch>;

export function ActivityPage() {
  const { why: _why, row, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { range, from, to, ...filters } = search;
  const filter = { ...filters, ...usePeriod({ range, from, to }) };
  const list = useList<ActivityRow>('activity', '/activity', filter);
  const narrow = (change: Partial<Search>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const open = (opened: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row: opened }), replace: row !== undefined });
  const { sort = NEWEST_FIRST, ...chosen } = search;
  return (
    <ActivityShell
      title={texts.activity.title}
      lead={texts.activity.lead}
      path="/activity"
      list={list}
      filter={filter}
      facets={facetsOf(search, narrow)}
      series="decision"
      range={{ range, from, to }}
      onRange={(next) => void navigate({ search: (former) => ({ ...former, ...next }) })}
      otherChosen={[search.query, search.device_id, search.entity_id].filter(Boolean).length}
      filters={<OtherFilters search={search} narrow={narrow} />}
      views={{
        list: 'enforcement',
        search,
        parse: parseView,
        onView: (view) => void navigate({ search: parseView(view) }),
      }}
    >
      <ActivityRows
        list={list}
        isFiltered={Object.values(chosen).some((value) => value !== undefined)}
        current={row}
        onOpen={open}
        sort={{
          value: sort,
          onSort: (value) => {
            const next = ACTIVITY_SORTS.find((known) => known === value);
            narrow({ sort: next === NEWEST_FIRST ? undefined : next });
          },
        }}
      />
      {row === undefined ? null : (
        <RowDrawer title={t.event} rows={rowsOf(list).map(eventKey)} row={row} onOpen={open}>
          <EventDetails address={row} />
        </RowDrawer>
      )}
    </ActivityShell>
  );
}

/** Returns the filters of a saved view: no opened row, and no chain. */
const parseView = (view: Readonly<Record<string, string>>) => {
  const { row: _row, why: _why, ...search } = activitySearch(view);
  return search;
};

interface FilterProps {
  search: Omit<Search, 'why' | 'row'>;
  narrow: (change: Partial<Search>) => void;
}

function OtherFilters({ search, narrow }: FilterProps) {
  return (
    <div className="gw-filters">
      <SearchBox
        label={texts.activity.search}
        placeholder={texts.activity.searchPlaceholder}
        value={search.query}
        onChange={(query) => narrow({ query })}
      />
      <DeviceFilter value={search.device_id} onChange={(device_id) => narrow({ device_id })} />
      <AppFilter value={search.entity_id} onChange={(entity_id) => narrow({ entity_id })} />
    </div>
  );
}

const facetsOf = (
  search: FilterProps['search'],
  narrow: FilterProps['narrow'],
): readonly FacetView[] => [
  closedFacet({
    ...{ name: 'decision', label: texts.activity.decision, chosen: search.decision },
    ...{ values: EXECUTION_POLICIES, labels: texts.policies },
    colors: { allow: '4', monitor: '1', warn: '6', block: '2', quarantine: 'worst' },
    onChoose: (decision) => narrow({ decision }),
  }),
  {
    ...{ name: 'app', label: t.appName, chosen: search.app },
    onChoose: (app) => narrow({ app }),
  },
  closedFacet({
    ...{ name: 'platform', label: t.platform, chosen: search.platform },
    ...{ values: PLATFORMS, labels: texts.platforms },
    onChoose: (platform) => narrow({ platform }),
  }),
];
