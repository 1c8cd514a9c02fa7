import { expect, it } from 'vitest';
import { createConcurrencyLimiter } from './places.ts';

const isFull = (take: () => unknown) =>
  expect(take).toThrow(expect.objectContaining({ code: 'overloaded' }));

it('limits a key below the total, and frees its slots', () => {
  const places = createConcurrencyLimiter({ total: 4, perHolder: 2 });
  const first = places.acquireFor('a');
  places.acquireFor('a');
  isFull(() => places.acquireFor('a'));
  places.acquireFor('b');
  first();
  places.acquireFor('a');
  isFull(() => places.acquireFor('a'));
});

it('limits all keys in total', () => {
  const places = createConcurrencyLimiter({ total: 2, perHolder: 2 });
  const first = places.acquire();
  places.acquire();
  isFull(() => places.acquire());
  first();
  places.acquire();
});
