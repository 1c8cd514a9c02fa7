// The query client: when to try again, and what happens everywhere when the session has ended.
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import { noteRefusal } from '../api/session.ts';

const TRIES = 2;

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
      },
      mutations: { networkMode: 'always' },
    },
  });
  return queries;
}

/** No answer, or one that says that the hub itself has trouble. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}
