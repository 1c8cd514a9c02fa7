// Who is signed in; null when nobody is.
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isStatus, readJson, SESSION_PATH, writeJson } from './client.ts';
import { SESSION_KEY } from './keys.ts';

export type Session = SessionAnswer;

export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }): Promise<Session | null> => {
      try {
        return await readJson<Session>(SESSION_PATH, {}, signal);
      } catch (error) {
        if (isStatus(error, 401)) return null;
        throw error;
      }
    },
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  });
}

/** Ends the session at the hub, then forgets everything that was read with it. */
export function useSignOut() {
  const queries = useQueryClient();
  return async (csrfToken: string): Promise<void> => {
    try {
      await writeJson(SESSION_PATH, { method: 'DELETE', csrfToken });
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
    }
    queries.setQueryData(SESSION_KEY, null);
    queries.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
  };
}

/** The hub's sign-in, which comes back to where the person was. */
export function signInUrl(returnTo: string): string {
  return `/console/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`;
}
