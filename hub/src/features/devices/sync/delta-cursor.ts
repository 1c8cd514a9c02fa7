// Where a device that polls stands: what its cursor says, whether it can be gone on from, and whether it holds what it should.

import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import {
  type DeltaCursor,
  involvesErasedSubscriber,
  isBelowFloor,
  spansOwnerChange,
} from './delta-page.ts';
import { type Audience, audienceOf, expectedDigest, type Snapshot } from './snapshot.ts';
import type { Snapshots } from './snapshot-cache.ts';

export interface Place {
  snapshot: Snapshot;
  audience: Audience;
  /** Null: it pulls from nothing. */
  from: DeltaCursor | null;
  state: Convergence | 'unknown';
}

/** Throws `cursor_expired` where the device has to start again without a cursor. */
export async function resolveCursor(
  deps: { cursors: CursorSealer; snapshots: Snapshots },
  who: {
    /** What its cursors are bound to. */
    binding: readonly unknown[];
    tenantId: string;
    deviceId: string;
    subscriberId: string;
  },
  said: { cursor?: string; applied?: string },
): Promise<Place> {
  const from = openPosition(deps.cursors, who.binding, said.cursor);
  const snapshot = await snapshotFor(deps.snapshots, who.tenantId, from);
  const audience = audienceOf(snapshot, who.deviceId, who.subscriberId);
  if (
    from !== null &&
    (spansOwnerChange(from, audience) || involvesErasedSubscriber(snapshot, from))
  ) {
    throw new HubError('cursor_expired');
  }
  const { applied } = said;
  const state = applied === undefined ? 'unknown' : convergence(snapshot, audience, from, applied);
  return { snapshot, audience, from, state };
}

/** A damaged, foreign or older cursor is 410: the device starts again without one. */
function openPosition(
  cursors: CursorSealer,
  binding: readonly unknown[],
  cursor: string | undefined,
): DeltaCursor | null {
  if (cursor === undefined) return null;
  const position = cursors.open(binding, cursor);
  if (position === null) throw new HubError('cursor_expired');
  return position as DeltaCursor;
}

/**
 * Another hub process may have told the device more than we know yet: then we look again before we say 410. Also between
 * two pages: what moved behind their end meanwhile would be in none of them, told by somebody who does not know it.
 */
async function snapshotFor(
  snapshots: Snapshots,
  tenantId: string,
  from: DeltaCursor | null,
): Promise<Snapshot> {
  let snapshot = await snapshots.get(tenantId);
  const known = from === null ? 0 : Math.max(from.at, from.n ?? 0);
  if (known > snapshot.n) {
    snapshots.invalidate(tenantId);
    snapshot = await snapshots.get(tenantId);
    if (known > snapshot.n) throw new HubError('cursor_expired');
  }
  if (from !== null && isBelowFloor(snapshot, from)) throw new HubError('cursor_expired');
  return snapshot;
}

type Convergence = 'applied' | 'applying' | 'diverged';

/** Applied: holds what it should. Applying: has not been sent everything yet. Else it went its own way. */
function convergence(
  snapshot: Snapshot,
  audience: Audience,
  from: DeltaCursor | null,
  applied: string,
): Convergence {
  if (applied === expectedDigest(snapshot, audience, from?.since ?? 0)) return 'applied';
  const isComplete =
    from !== null &&
    from.bound === null &&
    from.id === undefined &&
    from.at >= snapshot.n &&
    (from.of ?? audience.subscriberId) === audience.subscriberId &&
    from.was === undefined;
  return isComplete ? 'diverged' : 'applying';
}
