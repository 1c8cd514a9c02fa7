// Filters that the lists of LLM requests and of tool calls share, and their texts without rows.
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { MoreFilters } from '../ui/MoreFilters.tsx';
import { logTexts as t } from './texts.ts';

type Flag = 'true' | 'false';

interface SharedSearch {
  blocked?: Flag | undefined;
  failed?: Flag | undefined;
}

interface SharedFiltersProps {
  search: SharedSearch & {
    request_id?: string | undefined;
    provider?: string | undefined;
    conversation_id?: string | undefined;
  };
  set: (part: SharedSearch) => void;
  /** Filters by ids and by provider, which few users need. */
  children: ReactNode;
}

/** Filters by outcome and by ids. */
export function SharedFilters({ search, set, children }: SharedFiltersProps) {
  return (
    <MoreFilters
      chosen={[
        search.blocked,
        search.failed,
        search.request_id,
        search.provider,
        search.conversation_id,
      ]}
    >
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
      {children}
    </MoreFilters>
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
