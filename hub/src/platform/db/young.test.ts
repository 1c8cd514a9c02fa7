// What was read is freed now and then, and only then.
import { expect, it } from 'vitest';
import { createYoungCollector } from './young.ts';

const MEGABYTE = 1024 * 1024;

it('frees after each sixteen megabytes that were read, in however many pieces', () => {
  const asked: unknown[] = [];
  const read = createYoungCollector((options) => asked.push(options));
  for (let i = 0; i < 31; i++) read(MEGABYTE);
  expect(asked).toEqual([{ type: 'minor' }]);
  read(MEGABYTE);
  read(40 * MEGABYTE);
  expect(asked).toHaveLength(3);
});

it('reaches the collector by itself, and leaves no gc to the rest of the program', () => {
  const read = createYoungCollector();
  expect(() => read(16 * MEGABYTE)).not.toThrow();
  expect('gc' in globalThis).toBe(false);
});
