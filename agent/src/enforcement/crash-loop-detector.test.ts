// Three unexpected ends in ten minutes make the next run monitor only, until a run lasts.
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { openState } from '../store/state-store.ts';
import { openStore } from '../store/store-database.ts';
import { CRASH_WINDOW_MS, detectCrashLoop } from './crash-loop-detector.ts';

test('counts unexpected ends, expires them, and resets after a lasting run', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  let ms = 1_000_000;
  const loops = () => undefined;
  const start = (limit = 3) =>
    detectCrashLoop({ state, limit, now: () => ms, monotonicMs: () => ms, loops });
  for (const looping of [false, false, false, true]) {
    ms += 1000;
    expect(start().isLooping()).toBe(looping);
  }
  const run = start();
  expect(run.isLooping()).toBe(true);
  expect(start(0).isLooping()).toBe(false);
  ms += CRASH_WINDOW_MS;
  expect(run.isLooping()).toBe(false);
  run.end();
  expect(start().isLooping()).toBe(false);
  db.close();
});

test('ignores an orderly end', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  for (let runs = 0; runs < 10; runs++) {
    const run = detectCrashLoop({
      ...{ state, limit: 3, now: () => 1000 + runs, monotonicMs: () => 0 },
      loops: () => undefined,
    });
    expect(run.isLooping()).toBe(false);
    run.end();
  }
  db.close();
});

test('reports a crash loop once, and the next loop again', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  let ms = 1_000_000;
  let reportCount = 0;
  const start = () => {
    ms += 1000;
    const loops = () => {
      reportCount++;
    };
    return detectCrashLoop({ state, limit: 1, now: () => ms, monotonicMs: () => ms, loops });
  };
  for (const after of [0, 1, 1]) {
    start();
    expect(reportCount).toBe(after);
  }
  const last = start();
  ms += CRASH_WINDOW_MS;
  expect([last.isLooping(), reportCount]).toEqual([false, 1]);
  last.end();
  start();
  start();
  expect(reportCount).toBe(2);
  ms += 2 * CRASH_WINDOW_MS;
  start();
  start();
  expect(reportCount).toBe(3);
  db.close();
});
