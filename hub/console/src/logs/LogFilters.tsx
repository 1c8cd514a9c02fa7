// What the lists of LLM requests and of tool calls are filtered by alike, and what they say where nothing is found.
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { TimeFilter } from '../ui/TimeFilter.tsx';
import { logTexts as t } from './texts.ts';

type Flag = 'true' | 'false';

interface SharedSearch {
  blocked?: Flag | undefined;
  failed?: Flag | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** By outcome and by time. */
export function SharedFilters(props: { search: SharedSearch; set: (part: SharedSearch) => void }) {
  const { search, set } = props;
  return (
    <>
      <Filter
        label={t.filterBlocked}
        values={['true', 'false'] as const}
        names={t.only}
        value={search.blocked}
        onChange={(blocked) => set({ blocked })}
      />
      <Filter
        label={t.filterFailed}
        values={['true', 'false'] as const}
        names={t.onlyFailed}
        value={search.failed}
        onChange={(failed) => set({ failed })}
      />
      <TimeFilter label={t.from} value={search.from} onChange={(from) => set({ from })} />
      <TimeFilter label={t.to} value={search.to} onChange={(to) => set({ to })} />
    </>
  );
}

export function NoRows({
  search,
  title,
  text,
}: {
  search: object;
  title: string;
  text: string;
}): ReactNode {
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return isFiltered ? <Empty title={texts.ui.noMatch} /> : <Empty title={title} text={text} />;
}
