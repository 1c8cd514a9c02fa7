// Parts that the lists of LLM requests and tool calls share: a button that opens a row, the opened row, and names.
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { RowAction } from '../ui/RowAction.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { logTexts as t } from './texts.ts';

export function showColumn<Item>(
  show: (item: Item) => void,
  why: (item: Item) => ReactNode,
): Column<Item> {
  return {
    key: 'show',
    header: texts.ui.actions,
    hiddenHeader: true,
    weight: 1.5,
    align: 'end',
    render: (row) => (
      <div className="gw-row-actions">
        <RowAction label={t.show} Icon={IconLayoutSidebarRight} onClick={() => show(row)} />
        {why(row)}
      </div>
    ),
  };
}

interface OpenedRowProps<Item> {
  path: string;
  params: Record<string, string>;
  children: (item: Item) => ReactNode;
}

/** The row of the URL, which the loaded part of the list may lack. */
export function OpenedRow<Item>({ path, params, children }: OpenedRowProps<Item>) {
  const answer = useResource<{ items: Item[] }>('gateway', path, params);
  const item = shownOf(answer)?.items[0];
  return (
    <>
      <Waiting answer={answer} />
      {answer.isSuccess && item === undefined ? <Empty title={t.gone} /> : null}
      {item === undefined ? null : children(item)}
    </>
  );
}

export function ThingName({ thing }: { thing: { name: string; known: boolean } }) {
  return (
    <>
      <Name value={thing.name} clamp />
      {thing.known ? null : <div className="gw-dimmed gw-small">{t.unknownApp}</div>}
    </>
  );
}
