// The search dialog: results by kind while the user types; arrow keys and Enter open a result.
import '@mantine/spotlight/styles.layer.css';
import type { SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { readJson, tenantPath } from '../api/client.ts';
import { useTenant } from '../api/tenant.ts';
import { visible } from '../ui/visible.ts';
import { type ResultGroup, resultGroups, type SearchResult } from './results.ts';
import { searchTexts as words } from './texts.ts';

const PAUSE_MS = 120;
const QUERY_MOST = 200;
const [store, search] = createSpotlight();

/** `opened` counts how often the dialog was asked for. */
export function SearchDialog({ opened }: { opened: number }) {
  const [query, setQuery] = useState('');
  const { groups, state } = useResults(query);
  const open = useOpenResult();
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (opened === 0) return;
    opener.current = document.activeElement;
    search.open();
  }, [opened]);
  const results = groups.flatMap((group) => group.results);
  const choose = (result: SearchResult) => {
    opener.current = null;
    open(result);
  };
  useSelectFirst(results.map(({ key }) => key).join());
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(text) => setQuery(text.slice(0, QUERY_MOST))}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={640}
      lockScroll={false}
      returnFocus={false}
      onSpotlightClose={() => {
        if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
      }}
    >
      <Modal.Title className="gw-vh">{words.title}</Modal.Title>
      <Spotlight.Search
        aria-label={words.title}
        placeholder={words.placeholder}
        maxLength={QUERY_MOST}
        size="md"
      />
      <div className="gw-vh" role="status">
        {state === 'found' ? words.found(results.length) : ''}
      </div>
      <Spotlight.ActionsList aria-label={words.title}>
        {state === 'found' ? (
          groups.map((group) => <Group key={group.kind} group={group} onOpen={choose} />)
        ) : (
          <Spotlight.Empty>{emptyText(state, query)}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Selects the first result whenever the results change, so that Enter and the arrow keys start at the same one. */
function useSelectFirst(keys: string) {
  useEffect(() => {
    const list = document.getElementById(store.getState().listId);
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: keys === '' ? -1 : 0 }));
  }, [keys]);
}

type State = 'start' | 'searching' | 'failed' | 'none' | 'found';

function emptyText(state: State, query: string): string {
  if (state === 'start') return words.start;
  if (state === 'searching') return words.searching;
  return state === 'failed' ? words.failed : words.none(visible(query.trim()));
}

function useResults(query: string): { groups: ResultGroup[]; state: State } {
  const { tenantId, role } = useTenant();
  const [text] = useDebouncedValue(query.trim(), PAUSE_MS);
  const answer = useQuery({
    queryKey: [tenantId, 'search', text],
    queryFn: ({ signal }) =>
      readJson<SearchAnswer>(`${tenantPath(tenantId)}/search`, { q: text }, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
    gcTime: 60_000,
  });
  if (query.trim() === '') return { groups: [], state: 'start' };
  const groups = resultGroups(query, role, text === '' ? undefined : answer.data);
  if (groups.length > 0) return { groups, state: 'found' };
  if (answer.isError) return { groups, state: 'failed' };
  const isReady = text === query.trim() && answer.isSuccess && !answer.isPlaceholderData;
  return { groups, state: isReady ? 'none' : 'searching' };
}

function useOpenResult(): (result: SearchResult) => void {
  const { tenantId } = useTenant();
  const navigate = useNavigate();
  return ({ path, params, search: query }) =>
    void navigate({
      to: `/t/$tenantId${path}` as never,
      params: { tenantId, ...params } as never,
      search: (query ?? {}) as never,
    });
}

function Group({ group, onOpen }: { group: ResultGroup; onOpen: (result: SearchResult) => void }) {
  return (
    <Spotlight.ActionsGroup label={words.kinds[group.kind]}>
      {group.results.map((result) => (
        <Spotlight.Action
          key={result.key}
          data-testid="search-result"
          onClick={() => {
            onOpen(result);
          }}
        >
          <span className="gw-search-result">
            <bdi className="gw-ellipsis">{visible(result.label)}</bdi>
            {result.description === undefined ? null : (
              <bdi className="gw-dimmed gw-small gw-ellipsis">{visible(result.description)}</bdi>
            )}
          </span>
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  );
}
