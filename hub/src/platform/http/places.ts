// How many large answers may be under way at once, in all and of one holder (a key, a tenant): who collects with fifty
// workers leaves room for others.
import { HubError } from './errors.ts';

export interface ConcurrencyLimits {
  total: number;
  /** Of one holder. */
  perHolder: number;
}

export interface ConcurrencyLimiter {
  /** Takes one of all and gives what returns it. Throws `overloaded` where none is left. */
  acquire(): () => void;
  /** Takes one of the holder's and gives what returns it. Throws `overloaded` where none is left. */
  acquireFor(holder: string): () => void;
}

/** Of one process. */
export function createConcurrencyLimiter({
  total,
  perHolder,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const taken = new Map<string, number>();
  let open = 0;
  return {
    acquire() {
      if (open >= total) throw new HubError('overloaded');
      open++;
      return () => {
        open--;
      };
    },
    acquireFor(holder) {
      const own = taken.get(holder) ?? 0;
      if (own >= perHolder) throw new HubError('overloaded');
      taken.set(holder, own + 1);
      return () => {
        const left = (taken.get(holder) ?? 1) - 1;
        if (left === 0) taken.delete(holder);
        else taken.set(holder, left);
      };
    },
  };
}
