// The tenant of the page: the user's role in it, and requests below its path.

import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { readJson, tenantPath, writeJson } from './client.ts';
import { type ReadTopic, SESSION_KEY, staleAfter, topicKey } from './keys.ts';
import type { ListAnswer } from './list-answer.ts';
import { keepFirstPage, noteListRead, noteOwnWrite, useIsBehind } from './live-lists.ts';
import { changedOnce, madeOnce } from './own-change.ts';
import type { QueryParams } from './query-string.ts';
import { handleUnauthorized, type Session } from './session.ts';

export interface Tenant {
  tenantId: string;
  name: string;
  email: string;
  role: Role;
  csrfToken: string;
}

export const TenantContext = createContext<Tenant | null>(null);

export function useTenant(): Tenant {
  const tenant = use(TenantContext);
  if (tenant === null) throw new Error('The component is outside of a tenant');
  return tenant;
}

/** Returns whether the user may set policies and resolve alerts. Actions that are not allowed are not offered. */
export function useMayDecide(): boolean {
  const { role } = useTenant();
  return role === 'Reviewer' || role === 'Admin';
}

/** Returns whether the user administers the tenant. */
export function useMayAdminister(): boolean {
  return useTenant().role === 'Admin';
}

/** Refreshes the queries that a write changes, without waiting for the hub's event. */
export function useReload() {
  const reloaded = useReloaded();
  return (topic: PageTopic): void => {
    void reloaded(topic);
  };
}

/** Refreshes the queries and resolves when those of the page are loaded. */
export function useReloaded() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return (topic: PageTopic): Promise<unknown> =>
    Promise.all(
      [...staleAfter(topic)].map((stale) =>
        queries.invalidateQueries({ queryKey: topicKey(tenantId, stale) }),
      ),
    );
}

interface TenantWrite {
  body?: unknown;
  ifMatch?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/**
 * Sends a request of the tenant. A 401 covers the page until a user signs in. The user's own repeated change, which the hub
 * rejects as a conflict (see `changedOnce`), resolves to the stored record.
 */
export function useTenantWrite() {
  const { tenantId, csrfToken, email } = useTenant();
  const queries = useQueryClient();
  return async <T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    write: TenantWrite = {},
  ): Promise<T> => {
    const noteAnswered = path.endsWith('/preview') ? null : noteOwnWrite(queries, tenantId);
    try {
      // The token of the current session: a notification may be older than the last sign-in.
      const token = queries.getQueryData<Session | null>(SESSION_KEY)?.csrf_token ?? csrfToken;
      const target = `${tenantPath(tenantId)}${path}`;
      const send = () => writeJson<T>(target, { method, csrfToken: token, ...write });
      const { body, ifMatch } = write;
      if ((method !== 'PATCH' && method !== 'PUT') || ifMatch === undefined) return await send();
      const read = () => readJson<T>(target, {});
      return await changedOnce<T>({ url: target, body, ifMatch, send, read, email });
    } catch (error) {
      handleUnauthorized(queries, error);
      throw error;
    } finally {
      noteAnswered?.();
    }
  };
}

/** Requests a resource once, outside of the page's queries. */
export function useTenantRead() {
  const { tenantId } = useTenant();
  return <T>(path: string): Promise<T> => readJson<T>(`${tenantPath(tenantId)}${path}`, {});
}

interface Named<Answer> {
  body: unknown;
  /** The list that contains the created record, with filters if possible. */
  among?: QueryParams;
  /** Returns the path of the complete record, if rows are shorter; null for another record. */
  wholeAt?: (row: Record<string, unknown>) => string | null;
  /** The property of the response with the created record. */
  as: keyof Answer & string;
}

/** Creates a record with a unique name. A record of the user's own lost attempt is returned (see `madeOnce`). */
export function useTenantCreation() {
  const { tenantId, email } = useTenant();
  const write = useTenantWrite();
  const read = useTenantRead();
  return <Answer>(path: string, creation: Named<Answer>): Promise<Answer> => {
    const { body, as, among: params = {}, wholeAt } = creation;
    const url = `${tenantPath(tenantId)}${path}`;
    async function* among(): AsyncGenerator<unknown> {
      for await (const row of allOf<Record<string, unknown>>(url, params)) {
        const at = wholeAt?.(row);
        if (at === undefined) yield row;
        else if (at !== null) yield* Object.values(await read<object>(at));
      }
    }
    const send = () => write<Answer>('POST', path, { body });
    return madeOnce({ url, body, send, among, as, email });
  };
}

/**
 * Marks queries without a place on the page, whose failure shows as a notification. Queries of names share a single
 * notification.
 */
const ASIDE = { place: 'aside' };

/** Returns a resource of the tenant, reloaded when its topic changes. No request while `path` is null. */
export function useResource<T>(
  topic: ReadTopic,
  path: string | null,
  params: QueryParams = {},
  place: 'page' | 'aside' | 'names' = 'page',
) {
  const { tenantId } = useTenant();
  return useQuery({
    queryKey: topicKey(tenantId, topic, path ?? '', params),
    queryFn: ({ signal }) => readJson<T>(`${tenantPath(tenantId)}${path}`, params, signal),
    enabled: path !== null,
    meta: { place },
  });
}

/**
 * Returns the options for typed text. The previous options stay until the next are loaded, so that an option cannot
 * disappear while the user selects it. No request while `params` is null.
 */
export function useOffered<Item>(
  topic: ReadTopic,
  path: string,
  params: QueryParams | null,
): readonly Item[] {
  const { tenantId } = useTenant();
  const { data } = useQuery({
    queryKey: topicKey(tenantId, topic, path, 'offered', params),
    queryFn: ({ signal }) =>
      readJson<ListAnswer<Item>>(`${tenantPath(tenantId)}${path}`, params ?? {}, signal),
    placeholderData: keepPreviousData,
    enabled: params !== null,
    meta: ASIDE,
  });
  return params === null ? [] : (data?.items ?? []);
}

const ALL_PAGE = 200;
/** The maximum number of options; longer lists need a search. */
const ALL_MOST = 5_000;

/** Yields the rows of all pages. */
async function* allOf<Item>(
  url: string,
  params: QueryParams,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const asked = { ...params, limit: ALL_PAGE, cursor };
    const page: ListAnswer<Item> = await readJson(url, asked, signal);
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** Returns all items of a list, for choices and names. Empty until they are loaded, and while `path` is null. */
export function useAllOf<Item>(topic: ReadTopic, path: string | null): readonly Item[] {
  const { tenantId } = useTenant();
  const { data } = useQuery({
    queryKey: topicKey(tenantId, topic, path ?? '', 'all'),
    enabled: path !== null,
    queryFn: async ({ signal }) => {
      const all: Item[] = [];
      for await (const item of allOf<Item>(`${tenantPath(tenantId)}${path}`, {}, signal)) {
        if (all.push(item) === ALL_MOST) break;
      }
      return all;
    },
    meta: ASIDE,
  });
  return data ?? [];
}

/**
 * Returns a paged list of the tenant. While a filter changes, the previous rows stay. `isBehind` is true if other users changed
 * the list after several pages were loaded: `refetch` reloads all pages, `beginAnew` only the first.
 */
export function useList<Item>(topic: ReadTopic, path: string, params: QueryParams = {}) {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  const queryKey = topicKey(tenantId, topic, path, 'list', params);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      if (pageParam === null) noteListRead(queries, queryKey);
      return readJson<ListAnswer<Item>>(
        `${tenantPath(tenantId)}${path}`,
        { ...params, cursor: pageParam },
        signal,
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
  const { data, error, isError, isPending, isPlaceholderData, refetch } = query;
  const { isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, dataUpdatedAt } = query;
  const beginAnew = () => {
    keepFirstPage(queries, queryKey);
    noteListRead(queries, queryKey);
    void refetch();
  };
  return {
    ...{ data, error, isError, isPending, isPlaceholderData, refetch },
    ...{ isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, dataUpdatedAt },
    isBehind: useIsBehind(queryKey),
    beginAnew,
  };
}

export type List<Item> = ReturnType<typeof useList<Item>>;

export const rowsOf = <Item>(list: Pick<List<Item>, 'data'>): Item[] =>
  list.data?.pages.flatMap((page) => page.items) ?? [];
