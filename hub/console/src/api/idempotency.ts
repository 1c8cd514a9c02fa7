// Idempotency keys of creations: the same key for a retry after a lost response, a new key after an error response.
import { useState } from 'react';
import { ApiError, isStatus } from './client.ts';

export function useIdempotencyKey() {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return {
    key,
    /** Called after each failure. */
    failed(error: unknown): void {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused) setKey(crypto.randomUUID());
    },
  };
}

/** Returns `createSentOnce` for the lifetime of the form. */
export function useSentOnce() {
  return useState(createSentOnce)[0];
}

/**
 * Returns a function that creates records under ids of the client. A retry after a lost response has the same id, so that a
 * single record is created. A record that is stored already is read.
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
        // The id is unique to this form, so an earlier attempt was stored, or the browser repeated the request.
        if (read && isStored(error)) return read(id);
        throw error;
      });
    } catch (error) {
      if (mayBeStored(error)) lost = { what: text, id };
      throw error;
    }
  };
}

/** Returns `createSecretOnce` for the lifetime of the form. */
export function useSecretOnce() {
  return useState(createSecretOnce)[0];
}

/**
 * Returns a function that creates records with a secret that is shown once. The record of an attempt without a response is
 * deleted before the next attempt, so that no record has an unknown secret.
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
      // The id is unique to this form: the browser repeated the request.
      if (isStored(error)) await endLost();
      if (!mayBeStored(error)) lost = null;
      throw error;
    });
    lost = null;
    return made;
  };
}

/** Repeats an idempotent request once after a lost response. */
export async function sentSurely<Made>(send: () => Promise<Made>): Promise<Made> {
  try {
    return await send();
  } catch (error) {
    if (!mayBeStored(error)) throw error;
    return send();
  }
}

/** Returns whether the id is taken. */
export const isStored = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'already_exists';

/** Returns whether the outcome of the request is unknown: no response, or an error of a proxy. */
export const mayBeStored = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500;
