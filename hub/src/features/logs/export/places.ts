// How many exports may be under way at once, in all and by one key: who collects with fifty workers leaves room for others.
import { HubError } from '../../../platform/http/errors.ts';

export interface PlaceLimits {
  all: number;
  /** Of one key. */
  each: number;
}

export interface Places {
  /** Takes one of all and gives what returns it. Throws `overloaded` where none is left. */
  take(): () => void;
  /** Takes one of the key's and gives what returns it. Throws `overloaded` where none is left. */
  takeOf(keyId: string): () => void;
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
    takeOf(keyId) {
      const own = taken.get(keyId) ?? 0;
      if (own >= each) throw new HubError('overloaded');
      taken.set(keyId, own + 1);
      return () => {
        const left = (taken.get(keyId) ?? 1) - 1;
        if (left === 0) taken.delete(keyId);
        else taken.set(keyId, left);
      };
    },
  };
}
