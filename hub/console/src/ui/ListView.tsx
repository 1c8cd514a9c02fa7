// A paged list in each of its states: loading, failed, empty, filled, and loading more.
import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type List, rowsOf } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { useHiddenColumns } from './column-choice.ts';
import { type Column, DataTable, type DataTableProps } from './DataTable.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';
import { ListChanged } from './ListChanged.tsx';

type TableProps<Row> = Omit<DataTableProps<Row>, 'rows'>;

interface ListViewProps<Row> extends TableProps<Row> {
  list: List<Row>;
  empty: ReactNode;
  /** Inside a section the table has no card of its own. */
  bare?: boolean;
  /** The hub counts the rows of the list to this number. */
  countMax?: number | undefined;
}

export function ListView<Row>(props: ListViewProps<Row>) {
  const { list, empty, bare = false, countMax, ...table } = props;
  const rows = rowsOf(list);
  const { columns, chooser } = useChosenColumns(table.columns, bare ? undefined : table.rowTestId);
  const card = bare ? undefined : 'gw-card';
  const frame = useRef<HTMLDivElement>(null);
  if (list.isPending) {
    return (
      <div className={card} aria-busy="true">
        <Skeletons label={texts.ui.loading} />
      </div>
    );
  }
  if (list.isError && rows.length === 0) {
    return (
      <div className={card}>
        <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  }
  return (
    <div ref={frame} tabIndex={-1} className="gw-list" aria-busy={list.isPlaceholderData}>
      <div className={card}>
        {list.isError ? (
          <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
        ) : null}
        {rows.length === 0 ? (
          empty
        ) : (
          <>
            <DataTable {...table} columns={columns} rows={rows} />
            {chooser}
          </>
        )}
      </div>
      <ListChanged list={list} frame={frame} />
      <ListFoot list={list} bare={bare} countMax={countMax} />
    </div>
  );
}

/** The columns that the user has not hidden, and the menu that chooses them. The first column and actions always stay. */
function useChosenColumns<Row>(all: readonly Column<Row>[], table: string | undefined) {
  const { hidden, toggle } = useHiddenColumns(table);
  const named = all.filter((column) => !column.hiddenHeader);
  const offered = named.slice(1);
  const isHidden = (column: Column<Row>) => offered.includes(column) && hidden.includes(column.key);
  const chooser =
    table === undefined || offered.length < 2 ? null : (
      <div className="gw-column-chooser">
        <ColumnChooser columns={offered} hidden={hidden} onToggle={toggle} />
      </div>
    );
  return { columns: all.filter((column) => !isHidden(column)), chooser };
}

/** The number of shown rows, and the button that loads more. */
interface ListFootProps<Row> extends Pick<ListViewProps<Row>, 'list' | 'countMax'> {
  bare: boolean;
}

export function ListFoot<Row>({ list, bare, countMax }: ListFootProps<Row>) {
  const total = list.data?.pages[0]?.total ?? undefined;
  const more = list.hasNextPage;
  const loadMore = useLoadMore(list);
  const quiet = bare && !more;
  return (
    <div className={quiet ? 'gw-vh' : 'gw-table-foot'}>
      <span role="status">{texts.ui.shown(rowsOf(list).length, more, total, countMax)}</span>
      {more ? (
        <Button variant="default" size="sm" loading={list.isFetchingNextPage} onClick={loadMore}>
          {texts.ui.loadMore}
        </Button>
      ) : null}
    </div>
  );
}

/** Loads the next page again if a change reloaded the list while the page was loading. */
function useLoadMore<Row>(list: List<Row>): () => void {
  const [wanted, setWanted] = useState(0);
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const pages = list.data?.pages.length ?? 0;
  useEffect(() => {
    if (wanted === 0) return;
    if (pages >= wanted || !hasNextPage || isError) setWanted(0);
    else if (!isFetching) void fetchNextPage();
  }, [wanted, pages, hasNextPage, isFetching, isError, fetchNextPage]);
  return () => {
    setWanted(pages + 1);
  };
}

export function Empty({
  title,
  text,
  action,
}: {
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <div className="gw-empty">
      <strong>{title}</strong>
      {text}
      {action === undefined ? null : <div className="gw-empty-action">{action}</div>}
    </div>
  );
}

export function Skeletons({ label, lines = 6 }: { label: string; lines?: number }) {
  return (
    <div className="gw-skeletons">
      <span className="gw-vh" role="status">
        {label}
      </span>
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((key) => (
        <Skeleton key={key} height={18} radius="sm" />
      ))}
    </div>
  );
}
