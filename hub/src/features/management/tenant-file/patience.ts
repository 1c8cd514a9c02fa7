// Retries after an overloaded hub, or after a list that changed while it was read.
import { setTimeout as pause } from 'node:timers/promises';
import { ManagementError } from '@gatewarden/management-client';

const TRIES = 20;

/** Retries on errors that the hub marks as retryable. Throws any other error, and the last one. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const wait = error instanceof ManagementError ? waitAfter(error, tried) : null;
      if (wait === null || tried === TRIES) throw error;
      await pause(wait);
    }
  }
}

function waitAfter(error: ManagementError, tried: number): number | null {
  if (error.status === 429) return (error.retryAfter ?? 1) * 1000;
  return error.code === 'collection_changed' ? tried * 20 : null;
}
