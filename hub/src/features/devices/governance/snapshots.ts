// Keeps each tenant's snapshot up to date: told by the feed, read by what changed since, shared by all requests.
import type { Db } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import type { Snapshot } from './snapshot.ts';
import { selectChanges, selectGovernanceState } from './store.ts';

export interface Snapshots {
  /** Complete up to every change that was told before the call. */
  of(tenantId: string): Promise<Snapshot>;
  /** In the process that changed it, before the notice comes round. */
  touch(tenantId: string): void;
}

interface Entry {
  snapshot: Snapshot | null;
  /** Raised by each notice; a load that began before it does not make the entry fresh. */
  wanted: number;
  have: number;
  loading: Promise<Snapshot> | null;
}

const MAX_TENANTS = 1_000;

export function createSnapshots(db: Db, notifications: Notifications): Snapshots {
  const entries = new Map<string, Entry>();
  const touch = (tenantId: string) => {
    const entry = entries.get(tenantId);
    if (entry !== undefined) entry.wanted++;
  };
  notifications.onNotice((notice) => {
    if (notice.kind === 'feed' && notice.topic === 'governance') touch(notice.tenant);
  });
  notifications.onLost(() => entries.clear());

  const load = async (tenantId: string, entry: Entry): Promise<Snapshot> => {
    const target = entry.wanted;
    // The number first: what commits between the two reads is only read again.
    const state = await selectGovernanceState(db, tenantId);
    const before = entry.snapshot;
    const n = state?.n ?? 0;
    const changes = await selectChanges(db, tenantId, before?.n ?? 0);
    const changed = new Set(changes.overrides.map((one) => one.override_id));
    const snapshot: Snapshot = {
      n,
      ceiling: state?.ceiling ?? 'enforce',
      overrides: [
        ...(before?.overrides ?? []).filter((one) => !changed.has(one.override_id)),
        ...changes.overrides.filter((one) => one.revision <= n),
      ],
      departures: [
        ...(before?.departures ?? []),
        ...changes.departures.filter((one) => one.revision <= n),
      ],
    };
    // An override that moved beyond `n` while we read is kept as it was until the next load.
    for (const late of changes.overrides.filter((one) => one.revision > n)) {
      const old = before?.overrides.find((one) => one.override_id === late.override_id);
      if (old !== undefined) snapshot.overrides.push(old);
      entry.wanted++;
    }
    snapshot.overrides.sort((a, b) => a.revision - b.revision);
    entry.snapshot = snapshot;
    entry.have = target;
    return snapshot;
  };

  return {
    touch,
    async of(tenantId) {
      const entry = entries.get(tenantId) ?? { snapshot: null, wanted: 1, have: 0, loading: null };
      entries.delete(tenantId);
      if (notifications.isLive) entries.set(tenantId, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_TENANTS) break;
        entries.delete(oldest);
      }
      while (entry.snapshot === null || entry.have < entry.wanted) {
        const wanted = entry.wanted;
        entry.loading ??= load(tenantId, entry).finally(() => {
          entry.loading = null;
        });
        const snapshot = await entry.loading;
        // Good enough for this call: it holds everything told before the call.
        if (entry.have >= wanted) return snapshot;
      }
      return entry.snapshot;
    },
  };
}
