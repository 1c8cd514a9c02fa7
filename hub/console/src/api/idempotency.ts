// The key under which a creation is sent: the same for a second try after a lost answer, a new one after a refusal.
import { useRef, useState } from 'react';
import { ApiError } from './client.ts';

export function useIdempotencyKey() {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return {
    key,
    /** To be told of each failure. */
    failed(error: unknown): void {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused) setKey(crypto.randomUUID());
    },
  };
}

/**
 * For what is created under an id of the client's own: the same thing sent again after a lost answer has the same id, so
 * that it is made once. Where the first try turns out to have been stored, what it made is read.
 */
export function useSentOnce() {
  const lost = useRef<{ what: string; id: string } | null>(null);
  return async <Made>(
    what: object,
    send: (id: string) => Promise<Made>,
    read?: (id: string) => Promise<Made>,
  ): Promise<Made> => {
    const text = JSON.stringify(what);
    const again = lost.current?.what === text ? lost.current : null;
    const id = again?.id ?? crypto.randomUUID();
    lost.current = null;
    try {
      return await send(id);
    } catch (error) {
      if (read && again !== null && isThere(error)) {
        return read(id);
      }
      if (mayBeStored(error)) lost.current = { what: text, id };
      throw error;
    }
  };
}

const isThere = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'already_exists';

/** No answer, or one that does not say what became of the request. */
const mayBeStored = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500;
