// A queue of background jobs: enqueued inside a transaction, and run at least once after its commit by any hub process.
// Main types: `QueueSpec`, `Queue`. A job is waiting → running → completed or retried; a running job may become hanging.
// Invariants: a job is stored with its transaction or not at all; a concurrency key never exceeds its limit; a hanging job
// releases its slot after `afterMs`. pg-boss's own worker would wait for a whole batch before it fetches again.
// Depends on pg-boss, feed/ (wake-up notices) and fair-share.ts. Start reading at `openQueue`.
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../db/database.ts';
import { notify } from '../feed/feed.ts';
import type { Notifications } from '../feed/notifications.ts';
import {
  type FetchPlan,
  JobEvictedError,
  planFetch,
  planFetches,
  selectEvictions,
} from './fair-share.ts';

export interface QueueItem<Data> {
  data: Data;
  /** At most `perConcurrencyKey` jobs with the same key run at a time, over all hub processes. */
  concurrencyKey: string;
  /** While a job with this key is waiting, no second job with the key is stored. */
  deduplicationKey: string;
  /** Owners share the slots fairly, so that jobs of every owner can start. */
  owner?: string;
  /** A user is waiting for the job, so it takes precedence. */
  isAwaited?: boolean;
  startAfter?: Date;
}

/** Limits for jobs that may hang, because they call external systems. */
export interface HangLimits {
  /** A job that runs longer releases its slot, and its concurrency key starts no further job until it ends. */
  afterMs: number;
  /** Maximum of hanging jobs. Beyond it a job is aborted with JobEvictedError. */
  max: number;
}

/** Settings for failing concurrency keys. They run a single job at a time, in separate slots. */
export interface Probes {
  slots: number;
  /** Returns the failing keys, as all hub processes know them. */
  failingKeys(): Promise<ReadonlySet<string>>;
}

export interface QueueSpec<Data> {
  name: string;
  /** Maximum of running jobs in this process, without hanging jobs. */
  concurrency: number;
  hanging?: HangLimits;
  probes?: Probes;
  perConcurrencyKey: number;
  /** A job that runs longer counts as lost with its process, and another process runs it again. */
  expireInSeconds: number;
  /** Runs a job; must be idempotent. `signal` aborts when the hub stops or the job has hung too long. */
  run(data: Data, signal: AbortSignal): Promise<void>;
}

export interface Queue<Data> {
  /** Stores jobs in a transaction. */
  enqueue(tx: Tx, items: readonly QueueItem<Data>[]): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MAX_MS = 5_000;
const STOP_GRACE_MS = 4_000;
/** The previous release sets this tier, instead of an owner, for jobs of a failing concurrency key. */
const SUSPECT_TIER = 'suspect';
const NO_KEYS: ReadonlySet<string> = new Set();

/**
 * Calls `poll` again and again, with a random delay of 2.5 to 5 seconds. With a fixed delay two hubs would poll in a fixed
 * order, and a job that the first hub always postpones would never be due when the second hub polls. Returns how to stop.
 */
function startPolling(poll: () => void): () => void {
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const delayMs = (POLL_MAX_MS / 2) * (1 + Math.random());
    timer = setTimeout(() => {
      poll();
      schedule();
    }, delayMs).unref();
  };
  schedule();
  return () => clearTimeout(timer);
}

interface FetchedJob<Data> {
  id: string;
  data: Data;
  concurrencyKey: string;
  owner: string;
}

interface RunningJob {
  owner: string;
  concurrencyKey: string;
  isProbe: boolean;
  isHanging: boolean;
  abort: AbortController;
}

interface QueueDeps {
  notifications: Notifications;
  reportError(error: unknown): void;
}

/** Opens a queue and starts to run its jobs. */
export async function openQueue<Data extends object>(
  boss: PgBoss,
  deps: QueueDeps,
  spec: QueueSpec<Data>,
): Promise<Queue<Data>> {
  await boss.createQueue(spec.name, {
    policy: 'short',
    expireInSeconds: spec.expireInSeconds,
    retryLimit: 3,
    retryBackoff: true,
    // The feature's own rows record the result, so finished jobs are not needed.
    deleteAfterSeconds: 3_600,
  });
  const queue = new JobQueue(boss, deps, spec);
  queue.start();
  return queue;
}

class JobQueue<Data extends object> implements Queue<Data> {
  readonly #boss: PgBoss;
  readonly #deps: QueueDeps;
  readonly #spec: QueueSpec<Data>;
  readonly #stopping = new AbortController();
  /** Aborts running jobs at the end of the grace period. */
  readonly #abort = new AbortController();
  /** Running jobs, in the order of their start. */
  readonly #running = new Map<RunningJob, Promise<void>>();
  /** Failing keys that were probed in this round, with their owners. A round ends when all keys with jobs were probed. */
  readonly #probed = new Map<string, string>();
  #fetching: Promise<void> | null = null;
  #mustFetchAgain = false;
  #unsubscribe: () => void = () => undefined;
  #stopPolling: () => void = () => undefined;

  constructor(boss: PgBoss, deps: QueueDeps, spec: QueueSpec<Data>) {
    this.#boss = boss;
    this.#deps = deps;
    this.#spec = spec;
  }

  start(): void {
    this.#unsubscribe = this.#deps.notifications.onNotice((notice) => {
      if (notice.kind === 'job' && notice.queue === this.#spec.name) this.#dispatch();
    });
    this.#stopPolling = startPolling(() => this.#dispatch());
    this.#dispatch();
  }

  async enqueue(tx: Tx, items: readonly QueueItem<Data>[]): Promise<void> {
    if (items.length === 0) return;
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => {
        const { rows } = await tx.executeQuery(CompiledQuery.raw(text, values));
        return { rows };
      },
    };
    const jobs = items.map(({ data, concurrencyKey, owner, startAfter, ...item }) => ({
      data,
      group: { id: concurrencyKey, ...(owner === undefined ? {} : { tier: owner }) },
      ...(item.isAwaited === true ? { priority: 1 } : {}),
      singletonKey: item.deduplicationKey,
      ...(startAfter === undefined ? {} : { startAfter: startAfter.toISOString() }),
    }));
    await this.#boss.insert(this.#spec.name, jobs, { db });
    await notify(tx, { kind: 'job', queue: this.#spec.name });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    this.#stopPolling();
    await this.#fetching;
    const grace = new AbortController();
    const timeout = sleep(STOP_GRACE_MS, undefined, { signal: grace.signal }).catch(
      () => undefined,
    );
    await Promise.race([Promise.all(this.#running.values()), timeout]);
    grace.abort();
    this.#abort.abort();
    await Promise.all(this.#running.values());
  }

  /** Starts a fetch, or another one after the current fetch. */
  #dispatch(): void {
    if (this.#stopping.signal.aborted) return;
    this.#mustFetchAgain = true;
    this.#fetching ??= this.#fetchAll()
      .catch((error: unknown) => this.#deps.reportError(error))
      .finally(() => {
        this.#fetching = null;
      });
  }

  async #fetchAll(): Promise<void> {
    while (this.#mustFetchAgain && !this.#stopping.signal.aborted) {
      this.#mustFetchAgain = false;
      const failing = (await this.#spec.probes?.failingKeys()) ?? NO_KEYS;
      // Jobs of a full concurrency key may have hidden others: only an empty result proves that nothing is left.
      const hasStarted = (await this.#startHealthy(failing)) || (await this.#startProbes());
      this.#mustFetchAgain = hasStarted || this.#mustFetchAgain;
    }
  }

  #active(isProbe: boolean): RunningJob[] {
    return [...this.#running.keys()].filter((job) => job.isProbe === isProbe && !job.isHanging);
  }

  #hanging(property: 'owner' | 'concurrencyKey'): Set<string> {
    return new Set(
      [...this.#running.keys()].flatMap((job) => (job.isHanging ? job[property] : [])),
    );
  }

  #plans(): readonly FetchPlan[] {
    return planFetches(this.#active(false), this.#spec.concurrency, this.#hanging('owner'));
  }

  async #startHealthy(failing: ReadonlySet<string>): Promise<boolean> {
    const { perConcurrencyKey } = this.#spec;
    for (const plan of this.#plans()) {
      const ignored = [...failing, ...this.#hanging('concurrencyKey')];
      const jobs = await this.#fetch(plan, perConcurrencyKey, ignored);
      for (const job of jobs) this.#run(job, false);
      if (jobs.length > 0) return true;
    }
    return false;
  }

  /** Probes failing keys when no other job is waiting: pg-boss can exclude keys, but cannot select keys. */
  async #startProbes(): Promise<boolean> {
    const { probes } = this.#spec;
    if (probes === undefined) return false;
    const healthy = this.#plans().at(-1);
    const plan = planFetch(this.#active(true), probes.slots);
    if (healthy === undefined || healthy.max === 0 || plan.max === 0) return false;
    const exhausted = [...plan.exhausted, ...healthy.exhausted];
    const fetchProbes = () =>
      this.#fetch({ ...plan, exhausted }, 1, [
        ...this.#probed.keys(),
        ...this.#hanging('concurrencyKey'),
      ]);
    let jobs = await fetchProbes();
    if (jobs.length === 0) {
      // The round of an exhausted owner is not over yet.
      const finished = [...this.#probed].filter(([, owner]) => !exhausted.includes(owner));
      for (const [key] of finished) this.#probed.delete(key);
      if (finished.length > 0) jobs = await fetchProbes();
    }
    for (const job of jobs) {
      this.#probed.set(job.concurrencyKey, job.owner);
      this.#run(job, true);
    }
    return jobs.length > 0;
  }

  async #fetch(
    { max, exhausted }: FetchPlan,
    perConcurrencyKey: number,
    ignoreGroups: string[],
  ): Promise<FetchedJob<Data>[]> {
    if (max === 0) return [];
    const jobs = await this.#boss.fetch<Data>(this.#spec.name, {
      batchSize: max,
      ignoreGroups,
      groupConcurrency: {
        default: perConcurrencyKey,
        // The tier of a job is its owner. Exhausted owners get no further slot.
        tiers: {
          ...Object.fromEntries(exhausted.map((owner) => [owner, 0])),
          [SUSPECT_TIER]: 1,
        },
      },
    });
    return jobs.map(({ id, data, groupId, groupTier }) => ({
      ...{ id, data },
      concurrencyKey: groupId ?? '',
      // A job without an owner is owned by its concurrency key.
      owner: (groupTier === SUSPECT_TIER ? null : groupTier) ?? groupId ?? '',
    }));
  }

  #run({ id, data, concurrencyKey, owner }: FetchedJob<Data>, isProbe: boolean): void {
    const { name, hanging } = this.#spec;
    const abort = new AbortController();
    const job: RunningJob = { owner, concurrencyKey, isProbe, isHanging: false, abort };
    const timer = hanging && setTimeout(() => this.#markHanging(job), hanging.afterMs).unref();
    const work = this.#spec
      .run(data, AbortSignal.any([this.#abort.signal, abort.signal]))
      .then(
        () => this.#boss.complete(name, id),
        (error: unknown) => {
          this.#deps.reportError(error);
          return this.#boss.fail(name, id);
        },
      )
      .then(() => undefined)
      .catch((error: unknown) => this.#deps.reportError(error))
      .finally(() => {
        clearTimeout(timer);
        this.#running.delete(job);
        this.#dispatch();
      });
    this.#running.set(job, work);
  }

  #markHanging(job: RunningJob): void {
    job.isHanging = true;
    const hanging = [...this.#running.keys()].filter(
      ({ isHanging, abort }) => isHanging && !abort.signal.aborted,
    );
    const max = this.#spec.hanging?.max ?? hanging.length;
    for (const { abort } of selectEvictions(hanging, max)) abort.abort(new JobEvictedError());
    this.#dispatch();
  }
}
