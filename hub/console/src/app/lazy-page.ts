// Pages that are loaded when they are first visited. Where the hub is away that fails, which must not look like a newer
// console: the router would load the whole document again, and the person would stand before the browser's own error.
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';

/** The page that a module exports under this name. */
// biome-ignore lint/suspicious/noExplicitAny: as the router has it, whose types say what each page takes
export function lazyPage<T extends Record<string, any>, Name extends keyof T>(
  load: () => Promise<T>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      if (await hubAnswers()) throw cause;
      throw new ApiError(0, 'unreachable', 'The server didn’t respond.', null);
    }
  }, name);
}

/** Whether the console itself could be had from the hub now. */
export async function hubAnswers(): Promise<boolean> {
  const answer = await fetch('/console/', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.ok === true;
}

const gap = new EventTarget();

/** The page is live again after the hub was away. */
export function sayHubIsBack(): void {
  gap.dispatchEvent(new Event('end'));
}

/** Gives back what ends the listening. */
export function onHubBack(listener: () => void): () => void {
  gap.addEventListener('end', listener);
  return () => {
    gap.removeEventListener('end', listener);
  };
}
