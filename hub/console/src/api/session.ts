// Who is signed in; null when nobody is.
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
    // Who signed in elsewhere comes back to where they were.
    refetchOnWindowFocus: ({ state }) => (state.data === null ? 'always' : true),
  });
}

/** Ends the session at the hub, then forgets everything that was read with it. */
export async function signOut(csrfToken: string): Promise<void> {
  try {
    await writeJson(SESSION_PATH, { method: 'DELETE', csrfToken });
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
  }
  forgetAll();
}

/** The page begins anew, as for somebody who comes. */
export function forgetAll(): void {
  tellTabs();
  window.location.reload();
}

const ASKED_AGAIN_MS = 5_000;
let isAsked = false;

/**
 * What was refused because nobody is signed in any more covers the page until somebody is. The refusal may be late, of a
 * session before this one: the hub is asked, though not each time, for who is in reads everything again.
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
    // Another refusal may have come since.
    if (queries.getQueryData(SESSION_KEY) === null) void ask();
  }, ASKED_AGAIN_MS);
}

const TABS = 'gatewarden-session';

/** Tells the browser's other tabs that somebody came or left; each asks the hub then who is signed in. */
export function tellTabs(): void {
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage('changed');
  tabs.close();
}

/** Calls until what it gives is called. */
export function heardFromTabs(hear: () => void): () => void {
  const tabs = new BroadcastChannel(TABS);
  tabs.onmessage = hear;
  return () => {
    tabs.close();
  };
}

/** The hub's sign-in, which comes back to where the person was. */
export function signInUrl(returnTo: string): string {
  return `/console/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`;
}
