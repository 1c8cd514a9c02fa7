// What a change that others made does to what is on the page. What was read in one piece is read again. A list that is
// longer than its first page is only marked: to read all its pages again would cost the hub much, and move the rows under
// whoever reads them, or take them away at the end of the page. So is a list into which rows come all the time, which
// would not stand still.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  skipToken,
  useQuery,
} from '@tanstack/react-query';

/** What a person stores comes back as a change within this time of its answer; they want to see it, however long the list. */
const OWN_ECHO_MS = 5000;

interface OwnWrites {
  underWay: number;
  answeredAt: number;
}
const NO_WRITES: OwnWrites = { underWay: 0, answeredAt: 0 };

const markKey = (listKey: readonly unknown[]) => ['list-behind', ...listKey] as const;
const wroteKey = (tenantId: string) => ['wrote', tenantId] as const;

/** Kept by the writes of this tab: called as one begins, and what it gives as that one is answered, which may be late. */
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

/** The first page is read: from here on the list is as new as that. */
export function noteListRead(queries: QueryClient, listKey: readonly unknown[]): void {
  queries.setQueryData(markKey(listKey), false);
}

/** Others changed what stands under this key; its first part is the tenant. */
export function othersChanged(
  queries: QueryClient,
  queryKey: readonly [tenantId: string, ...rest: unknown[]],
): void {
  const { underWay, answeredAt } =
    queries.getQueryData<OwnWrites>(wroteKey(queryKey[0])) ?? NO_WRITES;
  const isOwn = underWay > 0 || Date.now() - answeredAt < OWN_ECHO_MS;
  const isMarked = (query: Query) =>
    !isOwn && query.isActive() && (isLong(query.state.data) || isStream(query));
  // Others' changes may come each second: a read that takes longer would begin anew for ever, and never be on the page.
  void queries.invalidateQueries(
    { queryKey, predicate: (query) => !isMarked(query) },
    { cancelRefetch: false },
  );
  for (const query of queries.getQueryCache().findAll({ queryKey, predicate: isMarked })) {
    queries.setQueryData(markKey(query.queryKey), true);
  }
}

/** Whether others changed something since the list was read. */
export function useIsBehind(listKey: readonly unknown[]): boolean {
  return (
    useQuery({ queryKey: markKey(listKey), queryFn: skipToken, initialData: false as boolean })
      .data === true
  );
}

/** Leaves the first page of what was loaded. */
export function keepFirstPage(queries: QueryClient, listKey: readonly unknown[]): void {
  queries.setQueryData<InfiniteData<unknown>>(
    listKey,
    (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
  );
}

/** A list into which rows come all the time, above those that somebody reads. */
const isStream = ({ queryKey, state }: Query): boolean =>
  STREAMS.includes(queryKey[1]) && pagesOf(state.data).some(({ items }) => items.length > 0);

const STREAMS: readonly unknown[] = ['llm-requests', 'tool-calls'] satisfies PageTopic[];

/** Loaded in more than one page, or with more behind it: rows that come in above push those at the end of a page out. */
const isLong = (data: unknown): boolean => {
  const pages = pagesOf(data);
  return pages.length > 1 || pages.some((page) => page.next_cursor != null);
};

/** None of what is no list. */
const pagesOf = (
  data: unknown,
): readonly { items: readonly unknown[]; next_cursor?: string | null }[] =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages
    : [];
