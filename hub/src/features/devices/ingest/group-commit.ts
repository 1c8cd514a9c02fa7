// Group commit: batches of a tenant that arrive within a few milliseconds become a single transaction.
import { isDatabaseAway } from '../../../platform/db/database.ts';
import { isLockFailure } from '../../../platform/db/lock-timeout-retry.ts';

/** The result of an item: its error does not affect the other items. */
export type Outcome<Result> = { value: Result } | { error: unknown };

export interface GroupCommitter<Item, Result> {
  /** Resolves when the transaction that held the item has committed; rejects with the item's own error. */
  submit(tenantId: string, item: Item): Promise<Result>;
}

interface QueuedItem<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** How often a group that others held up is stored again. */
const LOCK_RETRIES = 3;

interface Queue<Item, Result> {
  since: number;
  waiting: QueuedItem<Item, Result>[];
  weight: number;
}

/**
 * `run` stores one group in one transaction. A group's time has come after `waitMs`; while more is coming, which costs less
 * together, after `maxWaitMs`. It ends with the item that brings it to `maxItems` or `maxWeight`:
 * while the database stores a heavy one, this process prepares the next. At most `inFlight` of them run at once; meanwhile
 * the next ones fill, and what is left behind a full one goes with the next free place. `onBroken` hears of a group of
 * several that could not be stored together: it should not happen.
 */
export function createGroupCommitter<Item, Result>(options: {
  waitMs: number;
  maxWaitMs: number;
  isMoreComing(): boolean;
  nowMs(): number;
  maxItems: number;
  maxWeight: number;
  weightOf(item: Item): number;
  inFlight: number;
  run(tenantId: string, items: readonly Item[]): Promise<Outcome<Result>[]>;
  onBroken(error: unknown, size: number): void;
}): GroupCommitter<Item, Result> {
  const queues = new Map<string, Queue<Item, Result>>();
  /** Tenants whose time has come, in the order in which it came. */
  const due = new Set<string>();
  let running = 0;
  const isFull = ({ waiting, weight }: Queue<Item, Result>) =>
    waiting.length >= options.maxItems || weight >= options.maxWeight;
  const takeFrom = (queue: Queue<Item, Result>): QueuedItem<Item, Result>[] => {
    let weight = 0;
    let count = 0;
    for (const { item } of queue.waiting) {
      weight += options.weightOf(item);
      count++;
      if (count >= options.maxItems || weight >= options.maxWeight) break;
    }
    queue.weight -= weight;
    return queue.waiting.splice(0, count);
  };

  const dispatch = () => {
    for (const tenantId of due) {
      if (running >= options.inFlight) return;
      due.delete(tenantId);
      const queue = queues.get(tenantId);
      if (queue === undefined) continue;
      const group = takeFrom(queue);
      if (queue.waiting.length === 0) queues.delete(tenantId);
      else due.add(tenantId);
      void commitGroup(tenantId, group);
    }
  };
  const flushWhenDue = (tenantId: string, queue: Queue<Item, Result>) => {
    // Else all of it has gone already.
    if (queues.get(tenantId) !== queue) return;
    const left = options.maxWaitMs - (options.nowMs() - queue.since);
    if (options.isMoreComing() && left > 0) {
      setTimeout(flushWhenDue, Math.min(options.waitMs, left), tenantId, queue);
      return;
    }
    due.add(tenantId);
    dispatch();
  };
  const commitGroup = async (tenantId: string, group: readonly QueuedItem<Item, Result>[]) => {
    running++;
    try {
      await commitWithRetries(tenantId, group);
    } finally {
      running--;
      dispatch();
    }
  };
  const commitWithRetries = async (
    tenantId: string,
    group: readonly QueuedItem<Item, Result>[],
    again = LOCK_RETRIES,
  ): Promise<void> => {
    try {
      const outcomes = await options.run(
        tenantId,
        group.map((item) => item.item),
      );
      group.forEach((item, i) => {
        const outcome = outcomes[i];
        if (outcome === undefined) item.reject(new Error('a group gave no outcome for an item'));
        else if ('error' in outcome) item.reject(outcome.error);
        else item.resolve(outcome.value);
      });
    } catch (error) {
      if (isLockFailure(error) && again > 0) return commitWithRetries(tenantId, group, again - 1);
      if (group.length === 1 || isDatabaseAway(error)) {
        for (const item of group) item.reject(error);
        return;
      }
      // Nothing of the group was stored. One of them may be the cause, or that they are so many: each half is tried.
      options.onBroken(error, group.length);
      const half = Math.ceil(group.length / 2);
      await commitWithRetries(tenantId, group.slice(0, half));
      await commitWithRetries(tenantId, group.slice(half));
    }
  };
  return {
    submit(tenantId, item) {
      return new Promise<Result>((resolve, reject) => {
        const queue = queues.get(tenantId);
        const element = { item, resolve, reject };
        const weight = options.weightOf(item);
        if (queue === undefined) {
          const made = { since: options.nowMs(), waiting: [element], weight };
          queues.set(tenantId, made);
          setTimeout(flushWhenDue, options.waitMs, tenantId, made);
        } else {
          queue.waiting.push(element);
          queue.weight += weight;
          if (!isFull(queue)) return;
          due.add(tenantId);
          dispatch();
        }
      });
    },
  };
}
