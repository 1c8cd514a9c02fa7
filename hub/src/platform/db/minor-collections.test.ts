// The collector of young objects runs after a certain amount of reads, and only then.
import { expect, it } from 'vitest';
import { createMinorCollector } from './minor-collections.ts';

const MEGABYTE = 1024 * 1024;

it('collects after each sixteen megabytes of reads, in any pieces', () => {
  const requests: unknown[] = [];
  const read = createMinorCollector((options) => requests.push(options));
  for (let i = 0; i < 31; i++) read(MEGABYTE);
  expect(requests).toEqual([{ type: 'minor' }]);
  read(MEGABYTE);
  read(40 * MEGABYTE);
  expect(requests).toHaveLength(3);
});

it('enables the collector by itself, and exposes no gc to the program', () => {
  const read = createMinorCollector();
  expect(() => read(16 * MEGABYTE)).not.toThrow();
  expect('gc' in globalThis).toBe(false);
});
