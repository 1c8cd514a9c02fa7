// A queue of jobs that are asked for inside a transaction and run after its commit, by any hub process, at least once.
// idle → (a notice, a finished job, or the poll) → fetch → running jobs, each on its own → completed or tried again.
// pg-boss's own worker waits for a whole batch before it fetches again, so that one slow job would hold up the rest.
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../db/database.ts';
import { notify } from '../feed/feed.ts';
import type { Notifications } from '../feed/notifications.ts';

export interface QueueItem<Data> {
  data: Data;
  /** Of one group only `perGroup` jobs run at a time, over all hub processes. */
  group: string;
  /** While a job with this key waits, another one is not stored. */
  key: string;
  startAfter?: Date;
  /** Its group has failed lately: it runs only while no other job of the group does, and so takes up little. */
  isSuspect?: boolean;
}

export interface QueueSpec<Data> {
  name: string;
  /** Jobs that run at once in this process. */
  concurrency: number;
  perGroup: number;
  /** After this time a running job counts as lost with its process, and another one takes it. */
  expireInSeconds: number;
  /** Must be safe to repeat. `signal` says that the hub stops and waits no longer. */
  run(data: Data, signal: AbortSignal): Promise<void>;
}

export interface Queue<Data> {
  /** Stored with the transaction or not at all. */
  enqueue(tx: Tx, items: readonly QueueItem<Data>[]): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 5_000;
const STOP_GRACE_MS = 4_000;
const FETCHED_AT_ONCE = 20;
const SUSPECT = 'suspect';

export async function openQueue<Data extends object>(
  boss: PgBoss,
  deps: { notifications: Notifications; complain(error: unknown): void },
  spec: QueueSpec<Data>,
): Promise<Queue<Data>> {
  const { name } = spec;
  await boss.createQueue(name, {
    policy: 'short',
    expireInSeconds: spec.expireInSeconds,
    retryLimit: 3,
    retryBackoff: true,
    // Finished jobs say nothing that the work's own rows do not say.
    deleteAfterSeconds: 3_600,
  });
  const stopping = new AbortController();
  const cut = new AbortController();
  const running = new Set<Promise<void>>();
  let fetching: Promise<void> | null = null;
  let again = false;

  const pump = () => {
    if (stopping.signal.aborted) return;
    again = true;
    fetching ??= fetchAll()
      .catch(deps.complain)
      .finally(() => {
        fetching = null;
      });
  };

  async function fetchAll(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false;
      const free = spec.concurrency - running.size;
      if (free <= 0) return;
      const jobs = await boss.fetch<Data>(name, {
        batchSize: Math.min(free, FETCHED_AT_ONCE),
        groupConcurrency: { default: spec.perGroup, tiers: { [SUSPECT]: 1 } },
      });
      // Jobs of a full group may have hidden others: only an empty answer says that nothing is left.
      if (jobs.length > 0) again = true;
      for (const job of jobs) start(job);
    }
  }

  function start(job: { id: string; data: Data }): void {
    const one = spec
      .run(job.data, cut.signal)
      .then(
        () => boss.complete(name, job.id),
        (error: unknown) => {
          deps.complain(error);
          return boss.fail(name, job.id);
        },
      )
      .then(() => undefined)
      .catch(deps.complain)
      .finally(() => {
        running.delete(one);
        pump();
      });
    running.add(one);
  }

  const unsubscribe = deps.notifications.onNotice((notice) => {
    if (notice.kind === 'job' && notice.queue === name) pump();
  });
  const poll = setInterval(pump, POLL_MS).unref();
  pump();

  return {
    async enqueue(tx, items) {
      if (items.length === 0) return;
      const db = {
        executeSql: async (text: string, values: unknown[] = []) => {
          const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
          return { rows };
        },
      };
      const jobs = items.map(({ data, group, key, startAfter, isSuspect }) => ({
        data,
        group: { id: group, ...(isSuspect === true ? { tier: SUSPECT } : {}) },
        singletonKey: key,
        ...(startAfter === undefined ? {} : { startAfter: startAfter.toISOString() }),
      }));
      await boss.insert(name, jobs, { db });
      await notify(tx, { kind: 'job', queue: name });
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      clearInterval(poll);
      await fetching;
      const late = new AbortController();
      const limit = sleep(STOP_GRACE_MS, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), limit]);
      late.abort();
      cut.abort();
      await Promise.all(running);
    },
  };
}
