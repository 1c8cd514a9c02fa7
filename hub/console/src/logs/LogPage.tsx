// The page of a log of the gateways: its list in the shell of Activity, and the details of the opened row. The address contains
// the filters and the opened row.
import type { ViewList } from '@gatewarden/shared/wire/console/saved-views.ts';
import { LOG_ROWS_COUNTED_MAX, type TimeSort } from '@gatewarden/shared/wire/console/time-sorts.ts';
import type { ReactNode } from 'react';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import type { FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import type { RangeSearch } from '../activity-shell/time-range.ts';
import { usePeriod } from '../activity-shell/use-period.ts';
import type { ReadTopic } from '../api/keys.ts';
import type { QueryParams } from '../api/query-string.ts';
import { rowsOf, useList } from '../api/tenant.ts';
import { type Column, timeSort } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { countOtherFilters, NoRows, type SharedSearch } from './LogFilters.tsx';
import { OpenedRow, showColumn } from './log-rows.tsx';
import { logTexts as t } from './texts.ts';

export interface LogSearch extends RangeSearch, SharedSearch {
  row?: string | undefined;
  why?: string | undefined;
  sort?: TimeSort | undefined;
}

/** Without the opened row and the opened chain, as a saved view is. */
export const CLOSED_ROW = { row: undefined, why: undefined } as const;

interface LogPageProps<Item> {
  texts: { title: string; lead: string; empty: string; emptyText: string };
  topic: ReadTopic;
  /** The list at the hub. */
  path: string;
  viewList: ViewList;
  rowTestId: string;
  search: LogSearch & QueryParams;
  /** Changes the address. `replace`: the history gets no new entry. */
  onChange: (part: Partial<LogSearch>, replace: boolean) => void;
  /** Returns the parameters of a saved view that the page knows. */
  parseView: (view: Readonly<Record<string, string>>) => QueryParams;
  onView: (view: Readonly<Record<string, string>>) => void;
  facets: readonly FacetView[];
  /** The facet that the histogram stacks. */
  series: string;
  filters: ReactNode;
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
  /** The parameter of the list that selects a row by its key. */
  keyParameter: string;
  why: (item: Item) => ReactNode;
  details: (item: Item) => ReactNode;
}

export function LogPage<Item>(props: LogPageProps<Item>) {
  const { texts, path, onChange, keyOf, why } = props;
  const { row, why: _why, ...search } = props.search;
  const { range, from, to, ...filters } = search;
  const filter = { ...filters, ...usePeriod({ range, from, to }) };
  const list = useList<Item>(props.topic, path, filter);
  const open = (opened: string | undefined) => onChange({ row: opened }, row !== undefined);
  return (
    <ActivityShell
      title={texts.title}
      lead={texts.lead}
      path={path}
      list={list}
      filter={filter}
      facets={props.facets}
      series={props.series}
      range={{ range, from, to }}
      onRange={(next) => onChange(next, false)}
      otherChosen={countOtherFilters(search)}
      filters={props.filters}
      views={{
        list: props.viewList,
        search,
        parse: props.parseView,
        onView: props.onView,
      }}
    >
      <ListView
        list={list}
        caption={texts.title}
        rowKey={keyOf}
        rowTestId={props.rowTestId}
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        isCurrent={(item) => keyOf(item) === row}
        sort={timeSort(search.sort, (sort) => onChange({ sort }, true))}
        empty={<NoRows search={search} title={texts.empty} text={texts.emptyText} />}
        columns={[...props.columns, showColumn<Item>((item) => open(keyOf(item)), why)]}
      />
      {row === undefined ? null : (
        <RowDrawer title={t.row} rows={rowsOf(list).map(keyOf)} row={row} onOpen={open}>
          <OpenedRow<Item> path={path} params={{ [props.keyParameter]: row }}>
            {props.details}
          </OpenedRow>
        </RowDrawer>
      )}
    </ActivityShell>
  );
}
