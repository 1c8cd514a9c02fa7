// The filters that the lists of LLM requests and tool calls share, and their text without rows.
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { MoreFilters } from '../ui/MoreFilters.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { logTexts as t } from './texts.ts';

type Flag = 'true' | 'false';

export interface SharedSearch {
  user?: string | undefined;
  blocked?: Flag | undefined;
  failed?: Flag | undefined;
  request_id?: string | undefined;
  provider?: string | undefined;
  conversation_id?: string | undefined;
}

/** Returns how many filters are chosen that are no facets. */
export const countOtherFilters = (search: SharedSearch): number =>
  [search.user, ...rareFilters(search)].filter(Boolean).length;

const rareFilters = (search: SharedSearch) => [
  ...[search.blocked, search.failed],
  ...[search.request_id, search.provider, search.conversation_id],
];

interface SharedFiltersProps {
  search: SharedSearch;
  set: (part: Omit<SharedSearch, 'provider'>) => void;
  /** The label of the filter by request id. */
  idLabel: string;
  /** Further filters that few users need. */
  children?: ReactNode;
}

/** Filters by user, and behind a button by outcome and ids. */
export function SharedFilters({ search, set, idLabel, children }: SharedFiltersProps) {
  return (
    <div className="gw-filters">
      <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
      <MoreFilters chosen={rareFilters(search)}>
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
        <TextFilter
          label={idLabel}
          value={search.request_id}
          onChange={(request_id) => set({ request_id })}
        />
        {children}
        <TextFilter
          label={t.conversation}
          value={search.conversation_id}
          onChange={(conversation_id) => set({ conversation_id })}
        />
      </MoreFilters>
    </div>
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
  const isFiltered = Object.entries(search).some(
    ([name, value]) => name !== 'sort' && value !== undefined,
  );
  return isFiltered ? <Empty title={texts.ui.noMatch} /> : <Empty title={title} text={text} />;
}
