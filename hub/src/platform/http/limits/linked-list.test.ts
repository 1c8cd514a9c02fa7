import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkedList } from './linked-list.ts';

test('keeps remaining elements in insertion order over any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(), { freq: 2 }), { maxLength: 60 }), (steps) => {
      const list = createLinkedList<number>();
      const model: number[] = [];
      const removals: (() => void)[] = [];
      for (const step of steps) {
        if (step === null) {
          model.push(removals.length);
          removals.push(list.add(removals.length));
        } else {
          // A second removal of the same element changes nothing.
          const index = step % Math.max(1, removals.length);
          removals[index]?.();
          if (model.includes(index)) model.splice(model.indexOf(index), 1);
        }
        expect([...list]).toEqual(model);
        expect(list.size()).toBe(model.length);
      }
    }),
  );
});

test('allows removal of the next element and insertion during iteration', () => {
  const list = createLinkedList<number>();
  const removals = [0, 1, 2].map((n) => list.add(n));
  const seen: number[] = [];
  for (const n of list) {
    seen.push(n);
    if (n === 0) removals[1]?.();
    if (n === 2) list.add(3);
  }
  expect(seen).toEqual([0, 2, 3]);
});

test('allows removal of the current element during iteration', () => {
  const list = createLinkedList<number>();
  const removals = [0, 1, 2, 3].map((n) => list.add(n));
  const seen: number[] = [];
  for (const n of list) {
    seen.push(n);
    if (n !== 2) removals[n]?.();
  }
  expect(seen).toEqual([0, 1, 2, 3]);
  expect([...list]).toEqual([2]);
});

/** Reports the largest retained heap in MB of 5,000 elements, 64 at a time, with minor collections only. */
const PROGRAM = `
const { createLinkedList } = await import(process.env.LINKED_LIST);
const kinds = {
  list() {
    const all = createLinkedList();
    return (value) => all.add(value);
  },
  set() {
    const all = new Set();
    return (value) => {
      all.add(value);
      return () => all.delete(value);
    };
  },
};
const retained = {};
for (const [kind, make] of Object.entries(kinds)) {
  const add = make();
  const present = [];
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 5_000; i++) {
    present.push(add({ payload: new Array(1_000).fill(i) }));
    if (present.length > 64) present.shift()();
    if (i % 250 !== 0) continue;
    gc({ type: 'minor' });
    retained[kind] = Math.max(retained[kind] ?? 0, (process.memoryUsage().heapUsed - before) / 1e6);
  }
}
process.stdout.write(JSON.stringify(retained));
`;

test('releases removed elements for young collections', () => {
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=16', '--input-type=module', '--eval', PROGRAM],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        LINKED_LIST: pathToFileURL(join(import.meta.dirname, 'linked-list.ts')).href,
      },
      timeout: 60_000,
    },
  );
  const retained = JSON.parse(output) as { list: number; set: number };
  expect(retained.list).toBeLessThan(4);
  // The comparison proves that this test detects retention.
  expect(retained.set).toBeGreaterThan(10);
});
