// Opens the cursor of a poll, decides whether the device can continue from it, and whether the device has converged.
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import {
  type DeltaCursor,
  involvesErasedSubscriber,
  isBelowFloor,
  spansOwnerChange,
} from './delta-cursor.ts';
import { type Audience, audienceOf, expectedDigest, type Snapshot } from './snapshot.ts';
import type { Snapshots } from './snapshot-cache.ts';

export interface ResolvedCursor {
  snapshot: Snapshot;
  audience: Audience;
  /** Null starts a resync. */
  from: DeltaCursor | null;
  state: Convergence | 'unknown';
}

/**
 * `applied`: the device applies what it was sent, and everything was sent. `applying`: pages are still to be sent.
 * `diverged`: everything was sent, and the device applies something else.
 */
type Convergence = 'applied' | 'applying' | 'diverged';

/** Resolves the cursor of a poll. Throws `cursor_expired` (410) if the device has to resync. */
export async function resolveCursor(
  deps: { cursors: CursorSealer; snapshots: Snapshots },
  device: {
    /** Values that the cursor is sealed with. */
    binding: readonly unknown[];
    tenantId: string;
    deviceId: string;
    subscriberId: string;
  },
  query: { cursor?: string; applied?: string },
): Promise<ResolvedCursor> {
  const from = openCursor(deps.cursors, device.binding, query.cursor);
  const snapshot = await loadSnapshotFor(deps.snapshots, device.tenantId, from);
  const audience = audienceOf(snapshot, device.deviceId, device.subscriberId);
  const mustResync =
    from !== null && (spansOwnerChange(from, audience) || involvesErasedSubscriber(snapshot, from));
  if (mustResync) throw new HubError('cursor_expired');
  const { applied } = query;
  const state = applied === undefined ? 'unknown' : convergence(snapshot, audience, from, applied);
  return { snapshot, audience, from, state };
}

/** Opens a sealed cursor. Throws `cursor_expired` for a damaged cursor, or one of another device or feed epoch. */
function openCursor(
  cursors: CursorSealer,
  binding: readonly unknown[],
  sealed: string | undefined,
): DeltaCursor | null {
  if (sealed === undefined) return null;
  const cursor = cursors.open(binding, sealed);
  if (cursor === null) throw new HubError('cursor_expired');
  return cursor as DeltaCursor;
}

/**
 * Loads a snapshot at least as new as the one that the cursor's last page was made from. Another hub process may have sent
 * newer changes than this process has loaded. An older snapshot would omit what moved behind the cursor meanwhile.
 */
async function loadSnapshotFor(
  snapshots: Snapshots,
  tenantId: string,
  from: DeltaCursor | null,
): Promise<Snapshot> {
  let snapshot = await snapshots.get(tenantId);
  const required = from === null ? 0 : Math.max(from.revision, from.snapshotRevision);
  if (required > snapshot.n) {
    snapshots.invalidate(tenantId);
    snapshot = await snapshots.get(tenantId);
    if (required > snapshot.n) throw new HubError('cursor_expired');
  }
  if (from !== null && isBelowFloor(snapshot, from)) throw new HubError('cursor_expired');
  return snapshot;
}

function convergence(
  snapshot: Snapshot,
  audience: Audience,
  from: DeltaCursor | null,
  applied: string,
): Convergence {
  if (applied === expectedDigest(snapshot, audience, from?.resyncedAt ?? 0)) return 'applied';
  const isComplete =
    from?.phase === 'incremental' &&
    from.overrideId === undefined &&
    from.revision >= snapshot.n &&
    from.subscriberId === audience.subscriberId;
  return isComplete ? 'diverged' : 'applying';
}
