// The steps of a delivery: claim → send → hand over or settle.
// A job whose delivery is claimed elsewhere does nothing. A delivery that this hub's settings forbid is handed over to
// another hub. The result and the job of the next attempt are stored in the same transaction.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, isDatabaseAway, type Tx, transact } from '../db/database.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Peers } from '../peers.ts';
import type { Outcome } from './attempt.ts';
import {
  HAND_OVER_RETRY_MS,
  type HandedOverJob,
  handOverJob,
  isHandedOverBy,
} from './hand-over.ts';

export interface DeliveryJob extends HandedOverJob {
  tenant_id: string;
  delivery_id: string;
}

/** A kind of delivery. `Claim` is the claimed row with everything that an attempt needs. */
export interface DeliverySpec<Job extends DeliveryJob, Claim> {
  db: Db;
  peers: Peers;
  /** The queue of the jobs. A function, because a job can begin before the queue's owner has it. */
  queue(): Queue<Job>;
  /** Claims the delivery and counts the attempt. Returns null if it is not due, or claimed by another process. */
  claim(job: Job): Promise<Claim | null>;
  /** Makes an attempt. Never throws: a failure is an outcome. */
  send(claim: Claim, shutdown: AbortSignal): Promise<Outcome>;
  /** Ends the claim without an attempt. Returns false if the claim was lost meanwhile. */
  release(tx: Tx, claim: Claim): Promise<boolean>;
  /** Stores the result and the job of the next attempt. */
  settle(claim: Claim, outcome: Outcome): Promise<void>;
  /** Called when another hub takes the delivery. */
  onHandOver?(claim: Claim): void;
}

const SETTLE_ATTEMPTS_MAX = 30;
const SETTLE_RETRY_MS = 1_000;

/** Runs the job of a delivery. Throws if the database stays unavailable; the job is then repeated. */
export async function runDelivery<Job extends DeliveryJob, Claim>(
  spec: DeliverySpec<Job, Claim>,
  job: Job,
  shutdown: AbortSignal,
): Promise<void> {
  const { db, peers } = spec;
  if (isHandedOverBy(peers, job)) {
    const startAfter = new Date(Date.now() + HAND_OVER_RETRY_MS);
    return transact(db, (tx) => spec.queue().enqueue(tx, [{ ...toHandOverItem(job), startAfter }]));
  }
  const claim = await spec.claim(job);
  if (claim === null) return;
  const outcome = await spec.send(claim, shutdown);
  const handedOver = await handOverJob(peers, job, outcome);
  if (handedOver === null) return retryWhileDatabaseIsAway(() => spec.settle(claim, outcome));
  spec.onHandOver?.(claim);
  return transact(db, async (tx) => {
    if (await spec.release(tx, claim)) await spec.queue().enqueue(tx, [toHandOverItem(handedOver)]);
  });
}

/** A concurrency key of its own: the result proves nothing about the target. */
const toHandOverItem = <Job extends DeliveryJob>(job: Job) => ({
  data: job,
  concurrencyKey: `${job.delivery_id} left`,
  deduplicationKey: `${job.delivery_id} left`,
  owner: job.tenant_id,
});

/** Repeats a write, so that a short absence of the database does not cause a second message. */
async function retryWhileDatabaseIsAway(write: () => Promise<void>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || attempts === SETTLE_ATTEMPTS_MAX) throw error;
      await sleep(SETTLE_RETRY_MS);
    }
  }
}
