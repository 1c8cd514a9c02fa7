// The query client: when to try again, what happens everywhere when the session has ended, and that nothing is missing in
// silence: a read without a place of its own on a page, such as the options of a field, reports its failure in a notice.
import { notifications } from '@mantine/notifications';
import { type Query, QueryCache, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { LiveQueries } from '../api/live-queries.ts';
import { noteRefusal } from '../api/session.ts';
import { texts } from '../texts.ts';
import { noticeOf } from '../ui/ErrorPanel.tsx';

const TRIES = 2;
const FIRST_PAUSE_MS = 1000;
/** Who waits longer is told, and may try again themselves. */
const LONGEST_PAUSE_MS = 15_000;

export function createQueries(): QueryClient {
  const queries: QueryClient = new LiveQueries({
    queryCache: new QueryCache({
      onError: (error, query) => {
        noteRefusal(queries, error);
        const { place = 'page' } = query.meta ?? {};
        if (place !== 'page') sayMissing(error, query as Query);
      },
      onSuccess: (_data, { meta, queryHash }) => {
        if (meta?.place === 'aside') notifications.hide(queryHash);
        // A page that shows the thing itself may have read it meanwhile.
        if (!isNameMissing(queries)) notifications.hide(NAMES_NOTICE);
      },
    }),
    defaultOptions: {
      queries: {
        // The hub says what changed; until then what was read holds.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => failures < TRIES && mayPass(error),
        retryDelay: (failures, error) => Math.max(FIRST_PAUSE_MS * 2 ** failures, pauseOf(error)),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}

/** Of what was read before, the former stays; and who may not read it any more is told by the page. */
function sayMissing(error: unknown, { queryHash, state, meta }: Query): void {
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

/** Ids stand in the place of names. */
const NAMES_NOTICE = 'names-missing';
const isNameMissing = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ meta, state }) => meta?.place === 'names' && state.status === 'error');

/** No answer, or an answer that says that the hub itself has trouble, or too much to do. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.retryAfterMs > LONGEST_PAUSE_MS) return false;
  return error.status === 0 || error.status === 429 || error.status >= 502;
}

const pauseOf = (error: unknown): number => (error instanceof ApiError ? error.retryAfterMs : 0);
