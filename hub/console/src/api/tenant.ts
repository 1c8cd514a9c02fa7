// The tenant that the page stands in: who looks at it, with which role, and the calls that belong to it.

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
import { noteRefusal, type Session } from './session.ts';

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
  if (tenant === null) throw new Error('This part of the page stands outside of a tenant');
  return tenant;
}

/** Whether the person decides on applications and alerts; what one may not do is not offered. */
export function useMayDecide(): boolean {
  const { role } = useTenant();
  return role === 'Reviewer' || role === 'Admin';
}

/** Whether the person looks after the tenant itself: its alert routes, for one. */
export function useMayAdminister(): boolean {
  return useTenant().role === 'Admin';
}

/** Reads again what a write changed, without waiting for the hub's own word. */
export function useReload() {
  const reloaded = useReloaded();
  return (topic: PageTopic): void => {
    void reloaded(topic);
  };
}

/** The same, told when what is on the page has come. */
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
 * A refusal because nobody is signed in any more covers the page until somebody is, whoever called this. A change of one's
 * own that is refused because of itself (`changedOnce`) is answered with the record as reading it does.
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
      // Of the session of now: what is offered in a notice may be from before the person signed in again.
      const token = queries.getQueryData<Session | null>(SESSION_KEY)?.csrf_token ?? csrfToken;
      const target = `${tenantPath(tenantId)}${path}`;
      const send = () => writeJson<T>(target, { method, csrfToken: token, ...write });
      const { body, ifMatch } = write;
      if ((method !== 'PATCH' && method !== 'PUT') || ifMatch === undefined) return await send();
      const read = () => readJson<T>(target, {});
      return await changedOnce<T>({ url: target, body, ifMatch, send, read, email });
    } catch (error) {
      noteRefusal(queries, error);
      throw error;
    } finally {
      noteAnswered?.();
    }
  };
}

/** Reads once, for what is asked after a write; what stays on the page is a resource. */
export function useTenantRead() {
  const { tenantId } = useTenant();
  return <T>(path: string): Promise<T> => readJson<T>(`${tenantPath(tenantId)}${path}`, {});
}

interface Named<Answer> {
  body: unknown;
  /** The list that holds it then, narrowed where it can be. */
  among?: QueryParams;
  /** Where the whole record stands, where rows tell less; null for one that is not it. */
  wholeAt?: (row: Record<string, unknown>) => string | null;
  /** The name under which the answer holds what was made. */
  as: keyof Answer & string;
}

/** Makes what has a name that no other has; one's own, made by a try whose answer was lost, is the answer (`madeOnce`). */
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
 * Of what has no place of its own on the page: a notice says that it could not be read. Of names, which a list has many
 * of, one notice for all.
 */
const ASIDE = { place: 'aside' };

/** One resource of the tenant, reloaded when the hub says that its topic changed. Nothing is asked while `path` is null. */
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
 * What is offered while a person types: the former stays until the next is there, so that nothing that they are about to
 * choose goes from under them. Nothing is asked while `params` is null.
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
/** Who has more to choose among, or to know the names of, needs a search. */
const ALL_MOST = 5_000;

/** Row by row, page by page. */
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
 * A list of the tenant, page by page. While a filter changes, the former rows stay in sight. One that others changed after
 * more than one page of it was loaded `isBehind`: `refetch` reads all of them again, `beginAnew` only the first.
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
