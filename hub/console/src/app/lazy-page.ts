// Pages that are loaded on their first visit. A load that fails because the hub is unreachable must not look like a new version
// of the console: the router would reload the document, and the user would see the browser's error page.
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';

/** Returns the page that a module exports under this name. */
// biome-ignore lint/suspicious/noExplicitAny: the router's types define the parameters of each page
export function lazyPage<T extends Record<string, any>, Name extends keyof T>(
  load: () => Promise<T>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      if (await isHubReachable()) throw cause;
      throw new ApiError(0, 'unreachable', 'The server didn’t respond.', null);
    }
  }, name);
}

/** Returns whether the hub serves the console now. */
export async function isHubReachable(): Promise<boolean> {
  const answer = await fetch('/console/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

const outage = new EventTarget();

/** Notifies pages that the hub is reachable again. */
export function notifyHubReachable(): void {
  outage.dispatchEvent(new Event('end'));
}

/** Returns a function that removes the listener. */
export function onHubReachable(listener: () => void): () => void {
  outage.addEventListener('end', listener);
  return () => {
    outage.removeEventListener('end', listener);
  };
}
