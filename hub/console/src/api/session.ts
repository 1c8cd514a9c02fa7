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
  forgetAll();
}

/** Reloads the page as for a new visitor. */
export function forgetAll(): void {
  tellTabs();
  window.location.reload();
}

const ASKED_AGAIN_MS = 5_000;
let isAsked = false;

/**
 * Covers the page after a 401 until a user signs in. The response may belong to an earlier session, so the hub is asked for
 * the current session first, once for several responses.
 */
export function noteRefusal(queries: QueryClient, error: unknown): void {
  if (!isStatus(error, 401)) return;
  queries.setQueryData(SESSION_KEY, null);
  if (isAsked) return;
  isAsked = true;
  const ask = () => queries.invalidateQueries({ queryKey: SESSION_KEY });
  void ask();
  setTimeout(() => {
    isAsked = false;
    // Another 401 may have arrived meanwhile.
    if (queries.getQueryData(SESSION_KEY) === null) void ask();
  }, ASKED_AGAIN_MS);
}

const TABS = 'gatewarden-session';

/** Notifies the browser's other tabs of a sign-in or sign-out; each requests its session again. */
export function tellTabs(): void {
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage('changed');
  tabs.close();
}

/** Calls the listener until the returned function is called. */
export function heardFromTabs(hear: () => void): () => void {
  const tabs = new BroadcastChannel(TABS);
  tabs.onmessage = hear;
  return () => {
    tabs.close();
  };
}

/** Returns the address of the hub's sign-in, which returns to the current page. */
export function signInUrl(returnTo: string): string {
  return `/console/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`;
}
