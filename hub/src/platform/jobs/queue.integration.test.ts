// The queue selects the next job while some jobs hang and others fail.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { someJobs } from '../../../../test/support/job-bench.ts';
import { awaitThat } from '../../../../test/support/waiting.ts';
import { transact } from '../db/database.ts';
import { JobEvictedError } from './fair-share.ts';
import type { HangLimits, Probes } from './queue.ts';

interface Job {
  name: string;
}
type JobSpec = { name: string; concurrencyKey?: string; owner?: string; isAwaited?: boolean };

/** Opens a queue whose jobs run until `finishAll` or until they are aborted. */
async function setUpQueue(
  concurrency: number,
  given: { hanging?: HangLimits; probes?: Probes } = {},
) {
  const { jobs, database } = await someJobs();
  const started: string[] = [];
  const evicted: string[] = [];
  const open = new Map<string, () => void>();
  let isFinishing = false;
  const queue = await jobs.openQueue<Job>({
    ...{ name: 'some-work', concurrency, perConcurrencyKey: 4, expireInSeconds: 60 },
    hanging: { afterMs: 60_000, max: 100, ...given.hanging },
    ...(given.probes === undefined ? {} : { probes: given.probes }),
    run: ({ name }, signal) =>
      new Promise((resolve) => {
        started.push(name);
        if (isFinishing) return resolve();
        open.set(name, resolve);
        signal.addEventListener('abort', () => {
          if (signal.reason instanceof JobEvictedError) evicted.push(name);
          resolve();
        });
      }),
  });
  return {
    started,
    evicted,
    async enqueue(...specs: JobSpec[]) {
      const items = specs.map(({ name, concurrencyKey, ...rest }) => ({
        ...{
          data: { name },
          concurrencyKey: concurrencyKey ?? name,
          deduplicationKey: randomUUID(),
          ...rest,
        },
      }));
      await transact(database.db, (tx) => queue.enqueue(tx, items));
    },
    /** Finishes running jobs, and from now on every started job at once. */
    finishAll() {
      isFinishing = true;
      for (const end of open.values()) end();
    },
    until: (description: string, condition: () => boolean) =>
      awaitThat(
        description,
        async () => condition(),
        () => JSON.stringify({ started, evicted }),
      ),
  };
}

const named = (prefix: string, count: number, owner = prefix): JobSpec[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, owner }));

test('limits a busy owner to half of the slots, and starts another beside it', async () => {
  const { started, enqueue, until, finishAll } = await setUpQueue(8);
  await enqueue(...named('a', 20));
  await until('owner a has its share', () => started.length === 4);
  await enqueue(...named('b', 1));
  await until('b runs', () => started.includes('b0'));
  expect(started).toHaveLength(5);
  finishAll();
  await until('all run', () => started.length === 21);
});

test('frees slots of hanging jobs, delays their group only, and aborts the oldest excess', async () => {
  const { started, evicted, enqueue, until } = await setUpQueue(2, {
    hanging: { afterMs: 50, max: 3 },
  });
  await enqueue({ name: 'first', concurrencyKey: 'shared' });
  await until('the first runs', () => started.length === 1);
  await enqueue(...named('next', 1));
  await until('the second job runs', () => started.length === 2);
  // Both slots are occupied by hanging jobs.
  await enqueue(...named('more', 1));
  await until('the next runs', () => started.length === 3);
  expect(evicted).toEqual([]);
  await enqueue(
    { name: 'second of shared', concurrencyKey: 'shared' },
    { name: 'last', owner: 'last' },
  );
  // The fourth hanging job evicts the first, for which its concurrency key is waiting.
  await until('the concurrency key continues', () => started.includes('second of shared'));
  expect(evicted[0]).toBe('first');
  expect(started.at(-2)).toBe('last');
});

test('runs a single job of each failing group in separate slots, in turn', async () => {
  const groups = ['a', 'b', 'c', 'd'];
  const { started, enqueue, until, finishAll } = await setUpQueue(4, {
    probes: { slots: 2, failingKeys: async () => new Set(groups) },
  });
  // All jobs belong to a single owner, who may run only a single job at once.
  for (const group of groups) {
    await enqueue(
      ...[0, 1, 2].map((at) => ({ name: `${group}${at}`, concurrencyKey: group, owner: 'o' })),
    );
  }
  await until('a probe runs', () => started.length === 1);
  await enqueue(...named('healthy', 2));
  await until('healthy jobs run', () => started.length === 3);
  expect(started[0]?.[0]).toBe('a');
  finishAll();
  await until('all run', () => started.length === 14);
  const failing = started.filter((name) => !name.startsWith('healthy')).map((name) => name[0]);
  // Probes run in rounds: no key runs its second job before every key has run its first.
  expect(new Set(failing.slice(0, 4))).toEqual(new Set(groups));
  expect(new Set(failing.slice(4, 8))).toEqual(new Set(groups));
});

test('prefers a job that a user waits for', async () => {
  const { started, enqueue, until, finishAll } = await setUpQueue(2);
  await enqueue(...named('a', 1), ...named('b', 1));
  await until('all slots are occupied', () => started.length === 2);
  await enqueue(...named('c', 2), { name: 'awaited', owner: 'd', isAwaited: true });
  finishAll();
  await until('all run', () => started.length === 5);
  expect(started[2]).toBe('awaited');
});
