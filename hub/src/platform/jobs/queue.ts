// A queue of jobs that are asked for inside a transaction and run after its commit, by any hub process, at least once.
// idle → (a notice, a finished job, one that hangs, or the poll) → fetch → running jobs, each on its own → completed or
// tried again. pg-boss's own worker waits for a whole batch before it fetches again, so that one slow job would hold up
// the rest. Where work may hang, a job holds its slot for `afterMs` only: open it costs little, and others go on.
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Tx } from '../db/database.ts';
import { notify } from '../feed/feed.ts';
import type { Notifications } from '../feed/notifications.ts';
import { LaneYieldedError, type Turn, turnOf, turnsOf, yieldToOtherLanes } from './lanes.ts';

export interface QueueItem<Data> {
  data: Data;
  /** Of one group only `perGroup` jobs run at a time, over all hub processes. */
  group: string;
  /** While a job with this key waits, another one is not stored. */
  key: string;
  /** Whose work it is: of one owner only a fair share runs at a time, so that others' always may begin. */
  owner?: string;
  /** Somebody waits for it: it goes before others. */
  isAwaited?: boolean;
  startAfter?: Date;
}

/** For work that others may let hang. */
export interface Hanging {
  /** What has run for so long holds no slot any more, and its group takes no further one until it ends. */
  afterMs: number;
  /** So many hang at once; beyond them the signal of one ends with GaveWay. */
  most: number;
}

/** For groups that fail: they run one job at a time, by slots of their own. */
export interface Probes {
  slots: number;
  /** Which these are, as all hub processes know it. */
  failing(): Promise<ReadonlySet<string>>;
}

export interface QueueSpec<Data> {
  name: string;
  /** Jobs that run at once in this process, without those that hang. */
  concurrency: number;
  hanging?: Hanging;
  probes?: Probes;
  perGroup: number;
  /** After this time a running job counts as lost with its process, and another one takes it. */
  expireInSeconds: number;
  /** Must be safe to repeat. `signal` says that the hub stops and waits no longer, or that the job hung for too long. */
  run(data: Data, signal: AbortSignal): Promise<void>;
}

export interface Queue<Data> {
  /** Stored with the transaction or not at all. */
  enqueue(tx: Tx, items: readonly QueueItem<Data>[]): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MAX_MS = 5_000;
const STOP_GRACE_MS = 4_000;
/** What a hub of the release before says of a job whose group has failed; it names no owner. */
const SUSPECT = 'suspect';
const NONE: ReadonlySet<string> = new Set();

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

interface Fetched<Data> {
  id: string;
  data: Data;
  group: string;
  owner: string;
}

interface Running {
  owner: string;
  group: string;
  isProbe: boolean;
  hangs: boolean;
  cut: AbortController;
}

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
  // In the order in which they began.
  const running = new Map<Running, Promise<void>>();
  // The failing groups that had their turn, with their owners: an owner's round ends when all that have work had one.
  const probed = new Map<string, string>();
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
      const failing = (await spec.probes?.failing()) ?? NONE;
      // Jobs of a full group may have hidden others: only an empty answer says that nothing is left.
      again = (await takeFresh(failing)) || (await takeProbes()) || again;
    }
  }

  const open = (isProbe: boolean) =>
    [...running.keys()].filter((one) => one.isProbe === isProbe && !one.hangs);
  const hung = (what: 'owner' | 'group') =>
    new Set([...running.keys()].flatMap((one) => (one.hangs ? one[what] : [])));

  async function takeFresh(failing: ReadonlySet<string>): Promise<boolean> {
    for (const turn of turnsOf(open(false), spec.concurrency, hung('owner'))) {
      const jobs = await fetch(turn, spec.perGroup, [...failing, ...hung('group')]);
      for (const job of jobs) start(job, false);
      if (jobs.length > 0) return true;
    }
    return false;
  }

  /** Only once nothing else is waiting: pg-boss can be told which groups to leave out, not which to take from. */
  async function takeProbes(): Promise<boolean> {
    if (spec.probes === undefined) return false;
    const fresh = turnsOf(open(false), spec.concurrency, hung('owner')).at(-1);
    const turn = turnOf(open(true), spec.probes.slots);
    if (fresh === undefined || fresh.most === 0 || turn.most === 0) return false;
    const full = [...turn.full, ...fresh.full];
    const take = () => fetch({ ...turn, full }, 1, [...probed.keys(), ...hung('group')]);
    let jobs = await take();
    if (jobs.length === 0) {
      // Whoever has its share has its round before it still.
      const past = [...probed].filter(([, owner]) => !full.includes(owner));
      for (const [group] of past) probed.delete(group);
      if (past.length > 0) jobs = await take();
    }
    for (const job of jobs) {
      probed.set(job.group, job.owner);
      start(job, true);
    }
    return jobs.length > 0;
  }

  async function fetch(
    { most, full }: Turn,
    perGroup: number,
    ignoreGroups: string[],
  ): Promise<Fetched<Data>[]> {
    if (most === 0) return [];
    const jobs = await boss.fetch<Data>(name, {
      batchSize: most,
      ignoreGroups,
      groupConcurrency: {
        default: perGroup,
        // A job's tier is its owner: whoever has its share gets none.
        tiers: { ...Object.fromEntries(full.map((owner) => [owner, 0])), [SUSPECT]: 1 },
      },
    });
    return jobs.map(({ id, data, groupId, groupTier }) => ({
      ...{ id, data },
      group: groupId ?? '',
      // What names no owner is its group's.
      owner: (groupTier === SUSPECT ? null : groupTier) ?? groupId ?? '',
    }));
  }

  function start({ id, data, group, owner }: Fetched<Data>, isProbe: boolean): void {
    const one: Running = { owner, group, isProbe, hangs: false, cut: new AbortController() };
    const timer = spec.hanging && setTimeout(() => hang(one), spec.hanging.afterMs).unref();
    const work = spec
      .run(data, AbortSignal.any([cut.signal, one.cut.signal]))
      .then(
        () => boss.complete(name, id),
        (error: unknown) => {
          deps.complain(error);
          return boss.fail(name, id);
        },
      )
      .then(() => undefined)
      .catch(deps.complain)
      .finally(() => {
        clearTimeout(timer);
        running.delete(one);
        pump();
      });
    running.set(one, work);
  }

  function hang(one: Running): void {
    one.hangs = true;
    const hanging = [...running.keys()].filter((each) => each.hangs && !each.cut.signal.aborted);
    for (const other of yieldToOtherLanes(hanging, spec.hanging?.most ?? hanging.length)) {
      other.cut.abort(new LaneYieldedError());
    }
    pump();
  }

  const unsubscribe = deps.notifications.onNotice((notice) => {
    if (notice.kind === 'job' && notice.queue === name) pump();
  });
  const stopPolling = startPolling(pump);
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
      const jobs = items.map(({ data, group, key, owner, startAfter, isAwaited }) => ({
        data,
        group: { id: group, ...(owner === undefined ? {} : { tier: owner }) },
        ...(isAwaited === true ? { priority: 1 } : {}),
        singletonKey: key,
        ...(startAfter === undefined ? {} : { startAfter: startAfter.toISOString() }),
      }));
      await boss.insert(name, jobs, { db });
      await notify(tx, { kind: 'job', queue: name });
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      stopPolling();
      await fetching;
      const late = new AbortController();
      const limit = sleep(STOP_GRACE_MS, undefined, { signal: late.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running.values()), limit]);
      late.abort();
      cut.abort();
      await Promise.all(running.values());
    },
  };
}
