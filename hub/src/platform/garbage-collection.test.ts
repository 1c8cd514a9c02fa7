import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { growingPercent } from './garbage-collection.ts';

/** Allocates short-lived buffers beside a heap like that of a hub, and counts major collections. */
const PROGRAM = `
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
const retained = Array.from({ length: 400_000 }, (_, i) => ({ i, name: String(i) }));
if (process.argv.includes('settled')) {
  (await import(process.env.COLLECTOR)).configureGarbageCollection();
}
let full = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full++;
  }
}).observe({ entryTypes: ['gc'] });
let sum = 0;
for (let round = 0; round < 400; round++) {
  for (let i = 0; i < 100; i++) sum += Buffer.allocUnsafeSlow(33_000).length;
  await setTimeout(0);
}
await setTimeout(20);
process.stdout.write(JSON.stringify({ full, retained: retained.length, sum }));
`;

function fullCollections(...words: string[]): number {
  const answer = execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, '--', ...words],
    {
      encoding: 'utf8',
      env: { ...process.env, COLLECTOR: join(import.meta.dirname, 'garbage-collection.ts') },
    },
  );
  return (JSON.parse(answer) as { full: number }).full;
}

test('scans the whole heap less often after short-lived buffers', () => {
  const usual = fullCollections();
  expect(usual).toBeGreaterThan(5);
  expect(fullCollections('settled')).toBeLessThan(usual / 2);
});

test('grows a heap that is smaller than the room by the room, and otherwise by its own size', () => {
  const MB = 1024 ** 2;
  expect(growingPercent(64 * MB, 256 * MB)).toBe(400);
  expect(growingPercent(256 * MB, 256 * MB)).toBe(100);
  expect(growingPercent(900 * MB, 256 * MB)).toBe(100);
  expect(growingPercent(64 * MB, 32 * MB)).toBe(100);
});
