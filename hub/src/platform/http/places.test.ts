import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

const isFull = (take: () => unknown) =>
  expect(take).toThrow(expect.objectContaining({ code: 'overloaded' }));

it('one key leaves room for others, and has its places again once they are free', () => {
  const places = createPlaces({ all: 4, each: 2 });
  const first = places.takeOf('a');
  places.takeOf('a');
  isFull(() => places.takeOf('a'));
  places.takeOf('b');
  first();
  places.takeOf('a');
  isFull(() => places.takeOf('a'));
});

it('all keys together have so many', () => {
  const places = createPlaces({ all: 2, each: 2 });
  const first = places.take();
  places.take();
  isFull(() => places.take());
  first();
  places.take();
});
