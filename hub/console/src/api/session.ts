// The session of the signed-in user; null without a session.
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
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
    // A user who signed in in another tab returns to the same page.
    refetchOnWindowFocus: ({ state }) => (state.data === null ? 'always' : true),
  });
}

/** Ends the session at the hub and clears all cached data. */
export async function signOut(csrfToken: string): Promise<void> {
  try {
    await writeJson(SESSION_PATH, { method: 'DELETE', csrfToken });
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
  }
  reloadSignedOut();
}

/** Reloads the page without a session, here and in other tabs. */
export function reloadSignedOut(): void {
  notifyTabs();
  window.location.reload();
}

const RECHECK_MS = 5_000;
let isChecking = false;

/**
 * Covers the page after a 401 until a user signs in. The response may belong to an earlier session, so the current
 * session is requested first, once for several responses.
 */
export function handleUnauthorized(queries: QueryClient, error: unknown): void {
  if (!isStatus(error, 401)) return;
  queries.setQueryData(SESSION_KEY, null);
  if (isChecking) return;
  isChecking = true;
  const reloadSession = () => queries.invalidateQueries({ queryKey: SESSION_KEY });
  void reloadSession();
  setTimeout(() => {
    isChecking = false;
    // Another 401 may have arrived during the pause.
    if (queries.getQueryData(SESSION_KEY) === null) void reloadSession();
  }, RECHECK_MS);
}

const TABS = 'gatewarden-session';

/** Notifies the browser's other tabs of a sign-in or sign-out; each requests its session again. */
export function notifyTabs(): void {
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage('changed');
  tabs.close();
}

/** Calls the listener for each notification of another tab; returns the function that unsubscribes. */
export function subscribeToTabs(listener: () => void): () => void {
  const tabs = new BroadcastChannel(TABS);
  tabs.onmessage = listener;
  return () => {
    tabs.close();
  };
}

/** Returns the address of the hub's sign-in, which returns to the current page. */
export function signInUrl(returnTo: string): string {
  return `/console/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`;
}
