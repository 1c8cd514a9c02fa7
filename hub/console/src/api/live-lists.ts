// The effect of other users' changes on the page. Resources and single-page lists are reloaded. A longer list is only marked as
// stale: a reload of all its pages would cost the hub much, and would move the rows that the user reads. The same applies to
// lists with a constant flow of new rows.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  skipToken,
  useQuery,
} from '@tanstack/react-query';

/** The user's own write arrives as a change within this time after its response; it is shown in lists of any length. */
const OWN_ECHO_MS = 5000;

interface OwnWrites {
  underWay: number;
  answeredAt: number;
}
const NO_WRITES: OwnWrites = { underWay: 0, answeredAt: 0 };

const markKey = (listKey: readonly unknown[]) => ['list-behind', ...listKey] as const;
const wroteKey = (tenantId: string) => ['wrote', tenantId] as const;

/** Called at the start of a write of this tab; the returned function is called with its response. */
export function noteOwnWrite(queries: QueryClient, tenantId: string): () => void {
  const note = (begun: 1 | -1, answeredAt: number) => {
    queries.setQueryData<OwnWrites>(wroteKey(tenantId), (held = NO_WRITES) => ({
      underWay: Math.max(0, held.underWay + begun),
      answeredAt: Math.max(held.answeredAt, answeredAt),
    }));
  };
  note(1, 0);
  return () => note(-1, Date.now());
}

/** Records that the first page was loaded, so that the list is current. */
export function noteListRead(queries: QueryClient, listKey: readonly unknown[]): void {
  queries.setQueryData(markKey(listKey), false);
}

/** Applies a change of other users to the queries of this key; its first part is the tenant. */
export function othersChanged(
  queries: QueryClient,
  queryKey: readonly [tenantId: string, ...rest: unknown[]],
): void {
  const { underWay, answeredAt } =
    queries.getQueryData<OwnWrites>(wroteKey(queryKey[0])) ?? NO_WRITES;
  const isOwn = underWay > 0 || Date.now() - answeredAt < OWN_ECHO_MS;
  const isMarked = (query: Query) =>
    !isOwn && query.isActive() && (isLong(query.state.data) || isStream(query));
  // Changes may arrive every second, and a restarted request that takes longer would never finish.
  void queries.invalidateQueries(
    { queryKey, predicate: (query) => !isMarked(query) },
    { cancelRefetch: false },
  );
  for (const query of queries.getQueryCache().findAll({ queryKey, predicate: isMarked })) {
    queries.setQueryData(markKey(query.queryKey), true);
  }
}

/** Returns whether other users changed the list since it was loaded. */
export function useIsBehind(listKey: readonly unknown[]): boolean {
  return (
    useQuery({ queryKey: markKey(listKey), queryFn: skipToken, initialData: false as boolean })
      .data === true
  );
}

/** Removes all loaded pages but the first. */
export function keepFirstPage(queries: QueryClient, listKey: readonly unknown[]): void {
  queries.setQueryData<InfiniteData<unknown>>(
    listKey,
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
}

/** Returns whether rows are added to the list all the time, above the visible rows. */
const isStream = ({ queryKey, state }: Query): boolean =>
  STREAMS.includes(queryKey[1]) && pagesOf(state.data).some(({ items }) => items.length > 0);

const STREAMS: readonly unknown[] = ['llm-requests', 'tool-calls'] satisfies PageTopic[];

/** Returns whether the list has more than one page: new rows at its start would move rows to the next page. */
const isLong = (data: unknown): boolean => {
  const pages = pagesOf(data);
  return pages.length > 1 || pages.some((page) => page.next_cursor != null);
};

/** Returns the pages of a list; none for another query. */
const pagesOf = (
  data: unknown,
): readonly { items: readonly unknown[]; next_cursor?: string | null }[] =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages
    : [];
