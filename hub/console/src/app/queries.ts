// The query client: retries, the end of a session, and the report of failures. A query without a place on a page, such as the
// options of a field, reports its failure in a notification.
import { notifications } from '@mantine/notifications';
import { type Query, QueryCache, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { LiveQueries } from '../api/live-queries.ts';
import { handleUnauthorized } from '../api/session.ts';
import { texts } from '../texts.ts';
import { noticeOf } from '../ui/ErrorPanel.tsx';

const TRIES = 2;
const FIRST_PAUSE_MS = 1000;
/** The longest `Retry-After` that is waited for; a longer delay shows the error, and the user can retry. */
const LONGEST_PAUSE_MS = 15_000;

export function createQueries(): QueryClient {
  const queries: QueryClient = new LiveQueries({
    queryCache: new QueryCache({
      onError: (error, query) => {
        handleUnauthorized(queries, error);
        const { place = 'page' } = query.meta ?? {};
        if (place !== 'page') notifyMissing(error, query as Query);
      },
      onSuccess: (_data, { meta, queryHash }) => {
        if (meta?.place === 'aside') notifications.hide(queryHash);
        // The page of the record may have loaded it in the background.
        if (!isNameMissing(queries)) notifications.hide(NAMES_NOTICE);
      },
    }),
    defaultOptions: {
      queries: {
        // The hub reports changes; until then cached data is current.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => failures < TRIES && mayPass(error),
        retryDelay: (failures, error) =>
          Math.max(FIRST_PAUSE_MS * 2 ** failures, retryAfter(error)),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}

/** Notifies the user of a failed query, unless earlier data stays visible or access is missing, which the page shows. */
function notifyMissing(error: unknown, { queryHash, state, meta }: Query): void {
  if (state.data !== undefined || (error instanceof ApiError && error.status < 429)) return;
  const isOfNames = meta?.place === 'names';
  notifications.show({
    id: isOfNames ? NAMES_NOTICE : queryHash,
    color: 'red',
    title: isOfNames ? texts.errors.namesMissing : texts.errors.partMissing,
    message: noticeOf(error),
    autoClose: false,
  });
}

/** The id of the notification of all queries of names; ids are shown in place of the names. */
const NAMES_NOTICE = 'names-missing';
const isNameMissing = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ meta, state }) => meta?.place === 'names' && state.status === 'error');

/** Returns whether a retry may succeed: no response, a server error, or an overloaded hub. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.retryAfterMs > LONGEST_PAUSE_MS) return false;
  return error.status === 0 || error.status === 429 || error.status >= 502;
}

const retryAfter = (error: unknown): number => (error instanceof ApiError ? error.retryAfterMs : 0);
