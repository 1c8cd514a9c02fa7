// How many large answers may be under way at once, in all and of one holder (a key, a tenant): who collects with fifty
// workers leaves room for others.
import { HubError } from './errors.ts';

export interface PlaceLimits {
  all: number;
  /** Of one holder. */
  each: number;
}

export interface Places {
  /** Takes one of all and gives what returns it. Throws `overloaded` where none is left. */
  take(): () => void;
  /** Takes one of the holder's and gives what returns it. Throws `overloaded` where none is left. */
  takeOf(holder: string): () => void;
}

/** Of one process. */
export function createPlaces({ all, each }: PlaceLimits): Places {
  const taken = new Map<string, number>();
  let open = 0;
  return {
    take() {
      if (open >= all) throw new HubError('overloaded');
      open++;
      return () => {
        open--;
      };
    },
    takeOf(holder) {
      const own = taken.get(holder) ?? 0;
      if (own >= each) throw new HubError('overloaded');
      taken.set(holder, own + 1);
      return () => {
        const left = (taken.get(holder) ?? 1) - 1;
        if (left === 0) taken.delete(holder);
        else taken.set(holder, left);
      };
    },
  };
}
