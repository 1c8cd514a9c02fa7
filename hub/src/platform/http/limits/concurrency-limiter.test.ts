import { expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const expectOverloaded = (take: () => unknown) =>
  expect(take).toThrow(expect.objectContaining({ code: 'overloaded' }));

it('limits a client below the total, and frees its slots', () => {
  const limiter = createConcurrencyLimiter({ total: 4, perClient: 2 });
  const first = limiter.acquireFor('a');
  limiter.acquireFor('a');
  expectOverloaded(() => limiter.acquireFor('a'));
  limiter.acquireFor('b');
  first();
  limiter.acquireFor('a');
  expectOverloaded(() => limiter.acquireFor('a'));
});

it('limits all clients in total', () => {
  const limiter = createConcurrencyLimiter({ total: 2, perClient: 2 });
  const first = limiter.acquire();
  limiter.acquire();
  expectOverloaded(() => limiter.acquire());
  first();
  limiter.acquire();
});
