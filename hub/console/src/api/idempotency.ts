// The key under which a creation is sent: the same for a second try after a lost answer, a new one after a refusal.
import { useState } from 'react';
import { ApiError, isStatus } from './client.ts';

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

/** `createSentOnce`, for as long as the form is there. */
export function useSentOnce() {
  return useState(createSentOnce)[0];
}

/**
 * For what is created under an id of the client's own: the same thing sent again after a lost answer has the same id, so
 * that it is made once. Where it turns out to be stored already, what was made is read.
 */
export function createSentOnce() {
  let lost: { what: string; id: string } | null = null;
  return async <Made>(
    what: object,
    send: (id: string) => Promise<Made>,
    read?: (id: string) => Promise<Made>,
  ): Promise<Made> => {
    const text = JSON.stringify(what);
    const id = lost?.what === text ? lost.id : crypto.randomUUID();
    lost = null;
    try {
      return await send(id).catch((error: unknown) => {
        // Nobody else has this id: a try before was stored, be it one that the browser repeated by itself.
        if (read && isStored(error)) return read(id);
        throw error;
      });
    } catch (error) {
      if (mayBeStored(error)) lost = { what: text, id };
      throw error;
    }
  };
}

/** `createSecretOnce`, for as long as the form is there. */
export function useSecretOnce() {
  return useState(createSecretOnce)[0];
}

/**
 * For what has a secret that is told once: a try whose answer was lost is ended before the next one, so that nothing
 * lives whose secret nobody has.
 */
export function createSecretOnce() {
  let lost: string | null = null;
  return async <Made>(
    send: (id: string) => Promise<Made>,
    end: (id: string) => Promise<unknown>,
  ): Promise<Made> => {
    const endLost = async () => {
      if (lost === null) return;
      await end(lost).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error;
      });
      lost = null;
    };
    await endLost();
    lost = crypto.randomUUID();
    const made = await send(lost).catch(async (error: unknown) => {
      // Nobody else has this id: the browser sent it twice by itself.
      if (isStored(error)) await endLost();
      if (!mayBeStored(error)) lost = null;
      throw error;
    });
    lost = null;
    return made;
  };
}

/** Sends it once more where no answer said what became of it: for what does nothing twice. */
export async function sentSurely<Made>(send: () => Promise<Made>): Promise<Made> {
  try {
    return await send();
  } catch (error) {
    if (!mayBeStored(error)) throw error;
    return send();
  }
}

/** What was sent has an id that is taken. */
export const isStored = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'already_exists';

/** No answer, or one that does not say what became of the request. */
export const mayBeStored = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500;
