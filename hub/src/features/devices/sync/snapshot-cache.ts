// Keeps each tenant's snapshot current: invalidated by the feed, updated by the changes since, shared by all requests.
import { type Db, readConsistently } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { selectMembershipChanges } from '../groups/index.ts';
import { selectChanges, selectGovernanceState } from '../overrides/store.ts';
import { applyChanges, baseSnapshot, EMPTY_SNAPSHOT, type Snapshot } from './snapshot.ts';

export interface Snapshots {
  /** Complete up to every change that was notified before the call. */
  get(tenantId: string): Promise<Snapshot>;
  /** The same where it is at hand. */
  getIfCached(tenantId: string): Snapshot | null;
  /** In the process that changed it, before the notice comes round. */
  invalidate(tenantId: string): void;
}

interface CacheEntry {
  snapshot: Snapshot | null;
  /** Raised by each notice; a load that began before it does not make the entry fresh. */
  requestedVersion: number;
  loadedVersion: number;
  loading: Promise<Snapshot> | null;
}

const MAX_TENANTS = 1_000;

/** Brings the tenant's snapshot up to date. */
type ReadSnapshot = (tenantId: string, before: Snapshot) => Promise<Snapshot>;

export function createSnapshots(
  read: ReadSnapshot,
  notifications: Pick<Notifications, 'isLive' | 'onNotice' | 'onLost'>,
): Snapshots {
  const entries = new Map<string, CacheEntry>();
  const touch = (tenantId: string) => {
    const entry = entries.get(tenantId);
    if (entry !== undefined) entry.requestedVersion++;
  };
  notifications.onNotice(
    (notice) => {
      if (notice.kind === 'feed' && notice.topic === 'governance') touch(notice.tenant);
    },
    { again: true },
  );
  notifications.onLost(() => entries.clear());

  const load = async (tenantId: string, entry: CacheEntry): Promise<Snapshot> => {
    const target = entry.requestedVersion;
    const snapshot = await read(tenantId, entry.snapshot ?? EMPTY_SNAPSHOT);
    entry.snapshot = snapshot;
    entry.loadedVersion = target;
    return snapshot;
  };

  return {
    invalidate: touch,
    getIfCached(tenantId) {
      const entry = entries.get(tenantId);
      const isFresh =
        entry !== undefined &&
        entry.loadedVersion >= entry.requestedVersion &&
        notifications.isLive;
      return isFresh ? entry.snapshot : null;
    },
    async get(tenantId) {
      const entry = entries.get(tenantId) ?? {
        snapshot: null,
        requestedVersion: 1,
        loadedVersion: 0,
        loading: null,
      };
      entries.delete(tenantId);
      if (notifications.isLive) entries.set(tenantId, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_TENANTS) break;
        entries.delete(oldest);
      }
      while (entry.snapshot === null || entry.loadedVersion < entry.requestedVersion) {
        const wanted = entry.requestedVersion;
        entry.loading ??= load(tenantId, entry).finally(() => {
          entry.loading = null;
        });
        const snapshot = await entry.loading;
        // The snapshot includes everything that was notified before the call.
        if (entry.loadedVersion >= wanted) return snapshot;
      }
      return entry.snapshot;
    },
  };
}

/**
 * Updates a snapshot from a single consistent read: a writer keeps the row lock of its feed number until it commits, so
 * the read includes every write up to a number and none beyond.
 */
export function readSnapshot(db: Db, tenantId: string, before: Snapshot): Promise<Snapshot> {
  return readConsistently(db, async (tx) => {
    const state = await selectGovernanceState(tx, tenantId);
    const floor = state?.floor ?? 0;
    const from = baseSnapshot(before, floor);
    const changes = await selectChanges(tx, tenantId, from.n);
    const moves = await selectMembershipChanges(tx, tenantId, from.n);
    return applyChanges(from, {
      n: state?.n ?? 0,
      floor,
      erased: state?.erased ?? {},
      maxEnforcement: state?.ceiling ?? 'enforce',
      discovery: state?.discovery ?? EMPTY_SNAPSHOT.discovery,
      tray: state?.tray ?? EMPTY_SNAPSHOT.tray,
      ...changes,
      ...moves,
    });
  });
}
