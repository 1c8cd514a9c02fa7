// The job that holds what drifted, and lets it go. Drift, reviews and the setting ask for it in their own transaction;
// any other change of governance by its notice; what nobody told of is found by a sweep. Any hub process may do it at
// any time: it compares what stands with what should, behind the feed's lock, and changes only the difference.
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, lockFeed, notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Snapshot } from '../sync/snapshot.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { selectDriftedEntities } from './drift-store.ts';
import {
  releaseHolds,
  selectDriftSetting,
  selectHolds,
  selectTenantsWithHolds,
  upsertHolds,
} from './hold-store.ts';
import { diffHolds, type Hold, type HoldPolicy, holdsFor } from './holds.ts';

const ACTOR: Actor = { kind: 'hub', id: 'drift', email: null };
const NAME = 'Gatewarden';
const REASON =
  'The launch command or the permissions changed on this device after approval. It is waiting for review.';

const QUEUE = 'drift-holds';
const TENANTS_AT_ONCE = 2;
const JOB_SECONDS = 300;
/** Changes in one transaction: others wait for the feed's lock meanwhile. */
const CHANGES_MAX = 200;
const ATTEMPTS_MAX = 20;
const DEBOUNCE_MS = 250;

export interface DriftHolds {
  /** Drift, or what counts for it, changes in this transaction. */
  changed(tx: Tx, tenantId: string): Promise<void>;
  /** Finds what nobody told of: a decision that ended by time, a device that was retired. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface HoldDeps {
  db: Db;
  snapshots: Snapshots;
  notifications: Notifications;
  complain(error: unknown): void;
}

export async function startDriftHolds(deps: HoldDeps, jobs: Jobs): Promise<DriftHolds> {
  const { db, notifications } = deps;
  const queue = await jobs.openQueue<{ tenant_id: string }>({
    name: QUEUE,
    concurrency: TENANTS_AT_ONCE,
    perConcurrencyKey: 1,
    expireInSeconds: JOB_SECONDS,
    run: (job) => reconcileHolds(deps, job.tenant_id),
  });
  const changedTenants = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const reconcileChanged = async () => {
    for (const tenantId of changedTenants) {
      changedTenants.delete(tenantId);
      await reconcileHolds(deps, tenantId).catch(deps.complain);
    }
  };
  const later = () => {
    timer ??= setTimeout(() => {
      timer = null;
      running ??= reconcileChanged().finally(() => {
        running = null;
        if (changedTenants.size > 0) later();
      });
    }, DEBOUNCE_MS).unref();
  };
  const unsubscribe = notifications.onNotice((notice) => {
    if (notice.kind !== 'feed' || notice.topic !== 'governance') return;
    changedTenants.add(notice.tenant);
    later();
  });
  return {
    async changed(tx, tenantId) {
      // A key of its own: a job that waits already may begin before this transaction has ended.
      await queue.enqueue(tx, [
        {
          data: { tenant_id: tenantId },
          concurrencyKey: tenantId,
          deduplicationKey: crypto.randomUUID(),
        },
      ]);
    },
    async sweep() {
      for (const tenantId of await selectTenantsWithHolds(db)) {
        await reconcileHolds(deps, tenantId).catch(deps.complain);
      }
    },
    async stop() {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
      changedTenants.clear();
      await running;
    },
  };
}

/** Brings the tenant's holds in line. Safe to repeat. */
async function reconcileHolds(deps: HoldDeps, tenantId: string): Promise<void> {
  const { db, snapshots } = deps;
  for (let tried = 0; tried < ATTEMPTS_MAX; tried++) {
    const setting = await selectDriftSetting(db, tenantId);
    const isIdle = setting === null || setting.policy === 'approval';
    if (isIdle && (await selectHolds(db, tenantId)).length === 0) return;
    const snapshot = await snapshots.get(tenantId);
    const step = await transact(db, (tx) => reconcileHoldsOnce(tx, tenantId, snapshot));
    if (step === 'done') return;
    // Only where it has to be: answers to quiet devices stand on the snapshot as it is.
    snapshots.invalidate(tenantId);
    // A step of many has been taken: that does not count as a failed try.
    if (step === 'more') tried = 0;
  }
  throw new Error('governance changed faster than drift could be held');
}

/** `overtaken`: governance is further than the snapshot, so nothing was done. */
async function reconcileHoldsOnce(
  tx: Tx,
  tenantId: string,
  snapshot: Snapshot,
): Promise<'done' | 'more' | 'overtaken'> {
  if ((await lockFeed(tx, tenantId, 'governance')) !== snapshot.n) return 'overtaken';
  const now = new Date();
  const policy = holdPolicy((await selectDriftSetting(tx, tenantId))?.policy ?? 'approval');
  const drifted = policy === null ? [] : await selectDriftedEntities(tx, tenantId);
  const present = await selectHolds(tx, tenantId);
  const { set, lift } = diffHolds(present, holdsFor(policy, drifted, snapshot, now.getTime()));
  // What is held first: where one hold comes in the place of another, nothing is let go in between.
  const changes = [
    ...set.map((hold) => ({ hold, isLifted: false })),
    ...lift.map((hold) => ({ hold, isLifted: true })),
  ];
  const taken = changes.slice(0, CHANGES_MAX);
  if (taken.length === 0) return 'done';
  const last = await advanceFeed(tx, tenantId, 'governance', taken.length);
  const numbered = taken.map((item, i) => ({ ...item, revision: last - taken.length + 1 + i }));
  const by = { name: NAME, reason: REASON, now };
  const of = (isLifted: boolean) =>
    numbered
      .filter((item) => item.isLifted === isLifted)
      .map(({ hold, revision }) => ({ ...hold, revision }));
  await upsertHolds(tx, tenantId, of(false), by);
  await releaseHolds(tx, tenantId, of(true), by);
  for (const { hold, isLifted } of taken) await recordHold(tx, tenantId, hold, isLifted);
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
  return changes.length > taken.length ? 'more' : 'done';
}

const holdPolicy = (policy: 'approval' | HoldPolicy): HoldPolicy | null =>
  policy === 'approval' ? null : policy;

function recordHold(tx: Tx, tenantId: string, hold: Hold, isLifted: boolean): Promise<void> {
  const { override_id: id, ...detail } = hold;
  return recordAudit(tx, {
    tenantId,
    actor: ACTOR,
    operation: isLifted ? 'drift_hold.lift' : 'drift_hold.set',
    resource: { kind: 'override', id },
    requestId: null,
    detail,
  });
}
