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

it('frees what sockets delivered, and leaves no gc to the rest of the program', () => {
  const read = createYoungCollector();
  for (let i = 0; i < 8; i++) Buffer.alloc(MEGABYTE);
  const full = process.memoryUsage().arrayBuffers;
  read(16 * MEGABYTE);
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(full);
  expect('gc' in globalThis).toBe(false);
});
