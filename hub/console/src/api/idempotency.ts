// The key under which a creation is sent: the same for a second try after a lost answer, a new one after a refusal.
import { useState } from 'react';
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
