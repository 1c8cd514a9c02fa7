import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

const isFull = (take: () => unknown) =>
  expect(take).toThrow(expect.objectContaining({ code: 'overloaded' }));

it('limits a key below the total, and frees its slots', () => {
  const places = createPlaces({ all: 4, each: 2 });
  const first = places.takeOf('a');
  places.takeOf('a');
  isFull(() => places.takeOf('a'));
  places.takeOf('b');
  first();
  places.takeOf('a');
  isFull(() => places.takeOf('a'));
});

it('limits all keys in total', () => {
  const places = createPlaces({ all: 2, each: 2 });
  const first = places.take();
  places.take();
  isFull(() => places.take());
  first();
  places.take();
});
