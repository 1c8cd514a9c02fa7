// The job that creates and releases holds. Drift, reviews and the setting enqueue it in their own transaction, changes of
// policies by their notice, and a sweep finds approvals that ended by time. It may run in any hub at any time: it compares
// stored with required restrictions behind the feed's lock, and writes only the difference.
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, lockFeed, notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { selectMemberships } from '../groups/index.ts';
import { selectOverridesOfEntities } from '../overrides/store.ts';
import { selectDriftedEntities } from './drift-store.ts';
import {
  releaseHolds,
  selectDriftSetting,
  selectHolds,
  selectTenantsWithHolds,
  upsertHolds,
} from './hold-store.ts';
import { diffHolds, type Hold, holdsFor } from './holds.ts';

const ACTOR: Actor = { kind: 'hub', id: 'drift', email: null };
const NAME = 'Gatewarden';
const REASON =
  'The launch command or the permissions changed on this device after approval. It is waiting for review.';

const TENANTS_AT_ONCE = 2;
const JOB_SECONDS = 300;
/** Changes in a transaction. It locks the feed, and policies of administrators wait for that lock. */
const CHANGES_MAX = 200;

export interface DriftMonitor {
  /** Enqueues the job in a transaction that changes drift or the setting. */
  changed(tx: Tx, tenantId: string): Promise<void>;
  /** Reconciles every tenant that restricts drift: approvals may have ended by time, and devices may have been retired. */
  sweep(): Promise<void>;
  stop(): void;
}

/** Opens the queue and follows changes of policies. `reportError` receives errors that no caller waits for. */
export async function startDriftMonitor(
  { db, notifications, reportError }: HoldDeps,
  jobs: Jobs,
): Promise<DriftMonitor> {
  const queue = await jobs.openQueue<{ tenant_id: string }>({
    name: 'drift-holds',
    concurrency: TENANTS_AT_ONCE,
    perConcurrencyKey: 1,
    expireInSeconds: JOB_SECONDS,
    run: (job) => reconcileHolds(db, job.tenant_id),
  });
  const enqueue = (tx: Tx, tenantId: string, deduplicationKey: string) =>
    queue.enqueue(tx, [
      { data: { tenant_id: tenantId }, concurrencyKey: tenantId, deduplicationKey },
    ]);
  const enqueueAfterChange = async (tenantId: string) => {
    if (await isIdle(db, tenantId)) return;
    await transact(db, (tx) => enqueue(tx, tenantId, tenantId));
  };
  const unsubscribe = notifications.onNotice((notice) => {
    if (notice.kind !== 'feed' || notice.topic !== 'governance') return;
    enqueueAfterChange(notice.tenant).catch(reportError);
  });
  return {
    // A key of its own, because a waiting job may begin before this transaction has committed.
    changed: (tx, tenantId) => enqueue(tx, tenantId, crypto.randomUUID()),
    async sweep() {
      for (const tenantId of await selectTenantsWithHolds(db)) {
        await reconcileHolds(db, tenantId).catch(reportError);
      }
    },
    stop: unsubscribe,
  };
}

interface HoldDeps {
  db: Db;
  notifications: Notifications;
  reportError(error: unknown): void;
}

/** Returns true for a tenant that neither restricts drift nor has a restriction to release. */
async function isIdle(db: Db, tenantId: string): Promise<boolean> {
  const setting = await selectDriftSetting(db, tenantId);
  if (setting !== null && setting.policy !== 'approval') return false;
  return (await selectHolds(db, tenantId)).length === 0;
}

/** Writes all differences. Safe to repeat. */
async function reconcileHolds(db: Db, tenantId: string): Promise<void> {
  if (await isIdle(db, tenantId)) return;
  while ((await transact(db, (tx) => writeChanges(tx, tenantId))) === CHANGES_MAX);
}

/** Writes at most `CHANGES_MAX` changes, and returns their number. */
async function writeChanges(tx: Tx, tenantId: string): Promise<number> {
  await lockFeed(tx, tenantId, 'governance');
  const now = new Date();
  const { set, lift } = diffHolds(
    await selectHolds(tx, tenantId),
    await selectRequiredHolds(tx, tenantId, now),
  );
  // New restrictions come first, so that a replacement leaves no gap.
  const changes = [
    ...set.map((hold) => ({ hold, isLifted: false })),
    ...lift.map((hold) => ({ hold, isLifted: true })),
  ].slice(0, CHANGES_MAX);
  if (changes.length === 0) return 0;
  const last = await advanceFeed(tx, tenantId, 'governance', changes.length);
  const numbered = changes.map(({ hold, isLifted }, i) => ({
    ...hold,
    isLifted,
    revision: last - changes.length + 1 + i,
  }));
  const by = { name: NAME, reason: REASON, now };
  await upsertHolds(
    tx,
    tenantId,
    numbered.filter((change) => !change.isLifted),
    by,
  );
  await releaseHolds(
    tx,
    tenantId,
    numbered.filter((change) => change.isLifted),
    by,
  );
  for (const { hold, isLifted } of changes) await recordHold(tx, tenantId, hold, isLifted);
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
  return changes.length;
}

async function selectRequiredHolds(tx: Tx, tenantId: string, now: Date): Promise<Hold[]> {
  const policy = (await selectDriftSetting(tx, tenantId))?.policy ?? 'approval';
  const drifted = policy === 'approval' ? [] : await selectDriftedEntities(tx, tenantId);
  if (drifted.length === 0) return [];
  const idsOf = (key: 'entity_id' | 'device_id') => [...new Set(drifted.map((row) => row[key]))];
  return holdsFor(policy, drifted, now.getTime(), {
    overrides: await selectOverridesOfEntities(tx, tenantId, idsOf('entity_id')),
    groupIds: await selectMemberships(tx, tenantId, idsOf('device_id')),
  });
}

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
