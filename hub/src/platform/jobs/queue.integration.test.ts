// The queue selects the next job while some jobs hang and others fail.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { someJobs } from '../../../../test/support/job-bench.ts';
import { awaitThat } from '../../../../test/support/waiting.ts';
import { transact } from '../db/database.ts';
import { LaneYieldedError } from './lanes.ts';
import type { Hanging, Probes } from './queue.ts';

interface Job {
  name: string;
}
type Asked = { name: string; group?: string; owner?: string; isAwaited?: boolean };

/** A queue whose jobs run until they are let go or told to stop. */
async function aQueue(concurrency: number, given: { hanging?: Hanging; probes?: Probes } = {}) {
  const { jobs, database } = await someJobs();
  const begun: string[] = [];
  const cut: string[] = [];
  const open = new Map<string, () => void>();
  let lets = false;
  const queue = await jobs.openQueue<Job>({
    ...{ name: 'some-work', concurrency, perGroup: 4, expireInSeconds: 60 },
    hanging: { afterMs: 60_000, most: 100, ...given.hanging },
    ...(given.probes === undefined ? {} : { probes: given.probes }),
    run: ({ name }, signal) =>
      new Promise((resolve) => {
        begun.push(name);
        if (lets) return resolve();
        open.set(name, resolve);
        signal.addEventListener('abort', () => {
          if (signal.reason instanceof LaneYieldedError) cut.push(name);
          resolve();
        });
      }),
  });
  return {
    begun,
    cut,
    async ask(...asked: Asked[]) {
      const items = asked.map(({ name, group, ...rest }) => ({
        ...{ data: { name }, group: group ?? name, key: randomUUID(), ...rest },
      }));
      await transact(database.db, (tx) => queue.enqueue(tx, items));
    },
    /** What runs ends, and so does at once whatever begins from now on. */
    letGo() {
      lets = true;
      for (const end of open.values()) end();
    },
    until: (what: string, holds: () => boolean) =>
      awaitThat(
        what,
        async () => holds(),
        () => JSON.stringify({ begun, cut }),
      ),
  };
}

const named = (prefix: string, count: number, owner = prefix): Asked[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, owner }));

test('limits a busy owner to half of the slots, and starts another beside it', async () => {
  const { begun, ask, until, letGo } = await aQueue(8);
  await ask(...named('a', 20));
  await until('a has its share', () => begun.length === 4);
  await ask(...named('b', 1));
  await until('b runs', () => begun.includes('b0'));
  expect(begun).toHaveLength(5);
  letGo();
  await until('all run', () => begun.length === 21);
});

test('frees slots of hanging jobs, delays their group only, and aborts the oldest excess', async () => {
  const { begun, cut, ask, until } = await aQueue(2, { hanging: { afterMs: 50, most: 3 } });
  await ask({ name: 'first', group: 'one' });
  await until('the first runs', () => begun.length === 1);
  await ask(...named('other', 1));
  await until('another runs', () => begun.length === 2);
  // Both slots were taken.
  await ask(...named('more', 1));
  await until('the next runs', () => begun.length === 3);
  expect(cut).toEqual([]);
  await ask({ name: 'second of one', group: 'one' }, { name: 'last', owner: 'last' });
  // Not before one of more than three gave way, which is the one that its group waited for.
  await until('its group goes on', () => begun.includes('second of one'));
  expect(cut[0]).toBe('first');
  expect(begun.at(-2)).toBe('last');
});

test('runs a single job of each failing group in separate slots, in turn', async () => {
  const groups = ['a', 'b', 'c', 'd'];
  const { begun, ask, until, letGo } = await aQueue(4, {
    probes: { slots: 2, failing: async () => new Set(groups) },
  });
  // All of one person, of whom no more than one runs at once.
  for (const group of groups) {
    await ask(...[0, 1, 2].map((at) => ({ name: `${group}${at}`, group, owner: 'o' })));
  }
  await until('one tries', () => begun.length === 1);
  await ask(...named('well', 2));
  await until('what is well goes on', () => begun.length === 3);
  expect(begun[0]?.[0]).toBe('a');
  letGo();
  await until('all run', () => begun.length === 14);
  const failing = begun.filter((name) => !name.startsWith('well')).map((name) => name[0]);
  // In rounds: nobody's second before everybody's first.
  expect(new Set(failing.slice(0, 4))).toEqual(new Set(groups));
  expect(new Set(failing.slice(4, 8))).toEqual(new Set(groups));
});

test('prefers a job that a user waits for', async () => {
  const { begun, ask, until, letGo } = await aQueue(2);
  await ask(...named('a', 1), ...named('b', 1));
  await until('all slots are taken', () => begun.length === 2);
  await ask(...named('c', 2), { name: 'awaited', owner: 'd', isAwaited: true });
  letGo();
  await until('all run', () => begun.length === 5);
  expect(begun[2]).toBe('awaited');
});
