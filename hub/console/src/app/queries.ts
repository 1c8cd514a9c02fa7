// The query client: when to try again, and what happens everywhere when the session has ended.
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { noteRefusal } from '../api/session.ts';

const TRIES = 2;
const FIRST_PAUSE_MS = 1000;
/** Who waits longer is told, and may try again themselves. */
const LONGEST_PAUSE_MS = 15_000;

export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => noteRefusal(queries, error) }),
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

/** No answer, or one that says that the hub itself has trouble, or too much to do. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.retryAfterMs > LONGEST_PAUSE_MS) return false;
  return error.status === 0 || error.status === 429 || error.status >= 502;
}

const pauseOf = (error: unknown): number => (error instanceof ApiError ? error.retryAfterMs : 0);
