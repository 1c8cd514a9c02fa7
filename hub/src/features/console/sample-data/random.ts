// Repeatable random numbers for the sample data.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** Returns true with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** Returns an item of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** Returns an item in proportion to its weight. */
  weighted<T extends { weight: number }>(items: readonly T[]): T;
  /** Returns a UUID of version 4. */
  uuid(): string;
}

/** Returns a generator. The same seed gives the same sequence. */
export function createRandom(seed: number): Random {
  const source = xoroshiro128plus(seed);
  const integer = (min: number, max: number) => uniformInt(source, min, max);
  const pick = <T>(items: readonly T[]): T => items[integer(0, items.length - 1)] as T;
  return {
    integer,
    chance: (probability) => integer(0, 999_999) < probability * 1_000_000,
    pick,
    weighted(items) {
      return pick(items.flatMap((item) => Array.from({ length: item.weight }, () => item)));
    },
    uuid() {
      const hex = Array.from({ length: 32 }, () => integer(0, 15).toString(16));
      hex[12] = '4';
      hex[16] = pick(['8', '9', 'a', 'b']);
      const text = hex.join('');
      return [
        [0, 8],
        [8, 12],
        [12, 16],
        [16, 20],
        [20, 32],
      ]
        .map(([from, to]) => text.slice(from, to))
        .join('-');
    },
  };
}
