// Limits how many large responses are in flight at once, in total and per client (an export key, a tenant). A client with
// fifty workers leaves room for everybody else.
import { HubError } from '../errors/errors.ts';

export interface ConcurrencyLimits {
  total: number;
  perClient: number;
}

export interface ConcurrencyLimiter {
  /** Takes a slot of the total and returns a function that frees it. Throws `overloaded` if none is free. */
  acquire(): () => void;
  /** Takes a slot of the client and returns a function that frees it. Throws `overloaded` if none is free. */
  acquireFor(client: string): () => void;
}

/** Returns a limiter for this process. The total and the clients are counted separately. */
export function createConcurrencyLimiter({
  total,
  perClient,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const slotsByClient = new Map<string, number>();
  let active = 0;
  return {
    acquire() {
      if (active >= total) throw new HubError('overloaded');
      active++;
      return () => {
        active--;
      };
    },
    acquireFor(client) {
      const slots = slotsByClient.get(client) ?? 0;
      if (slots >= perClient) throw new HubError('overloaded');
      slotsByClient.set(client, slots + 1);
      return () => {
        const remaining = (slotsByClient.get(client) ?? 1) - 1;
        if (remaining === 0) slotsByClient.delete(client);
        else slotsByClient.set(client, remaining);
      };
    },
  };
}
