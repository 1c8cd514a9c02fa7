import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkedList } from './in-order.ts';

test('keeps remaining elements in insertion order over any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(), { freq: 2 }), { maxLength: 60 }), (steps) => {
      const inOrder = createLinkedList<number>();
      const model: number[] = [];
      const leaves: (() => void)[] = [];
      for (const step of steps) {
        if (step === null) {
          model.push(leaves.length);
          leaves.push(inOrder.add(leaves.length));
        } else {
          // Also a second time, which takes nothing from anybody.
          const one = step % Math.max(1, leaves.length);
          leaves[one]?.();
          if (model.includes(one)) model.splice(model.indexOf(one), 1);
        }
        expect([...inOrder]).toEqual(model);
        expect(inOrder.size()).toBe(model.length);
      }
    }),
  );
});

test('allows removal of the next element and insertion during iteration', () => {
  const inOrder = createLinkedList<number>();
  const leaves = [0, 1, 2].map((n) => inOrder.add(n));
  const seen: number[] = [];
  for (const n of inOrder) {
    seen.push(n);
    if (n === 0) leaves[1]?.();
    if (n === 2) inOrder.add(3);
  }
  expect(seen).toEqual([0, 2, 3]);
});

test('allows removal of the current element during iteration', () => {
  const inOrder = createLinkedList<number>();
  const leaves = [0, 1, 2, 3].map((n) => inOrder.add(n));
  const seen: number[] = [];
  for (const n of inOrder) {
    seen.push(n);
    if (n !== 2) leaves[n]?.();
  }
  expect(seen).toEqual([0, 1, 2, 3]);
  expect([...inOrder]).toEqual([2]);
});

/** The most that was still there of 40 MB that came and went, 64 at a time, with collections of young objects only. */
const PROGRAM = `
const { createInOrder } = await import(process.env.IN_ORDER);
const kinds = {
  inOrder() {
    const all = createInOrder();
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
const kept = {};
for (const [kind, make] of Object.entries(kinds)) {
  const add = make();
  const here = [];
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 5_000; i++) {
    here.push(add({ much: new Array(1_000).fill(i) }));
    if (here.length > 64) here.shift()();
    if (i % 250 !== 0) continue;
    gc({ type: 'minor' });
    kept[kind] = Math.max(kept[kind] ?? 0, (process.memoryUsage().heapUsed - before) / 1e6);
  }
}
process.stdout.write(JSON.stringify(kept));
`;

test('releases removed elements for young collections', () => {
  const answer = execFileSync(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=16', '--input-type=module', '--eval', PROGRAM],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        IN_ORDER: pathToFileURL(join(import.meta.dirname, 'in-order.ts')).href,
      },
      timeout: 60_000,
    },
  );
  const kept = JSON.parse(answer) as { inOrder: number; set: number };
  expect(kept.inOrder).toBeLessThan(4);
  // Or this test says nothing, and a Set would do.
  expect(kept.set).toBeGreaterThan(10);
});
