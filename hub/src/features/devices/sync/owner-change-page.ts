// Phase `ownerChange`: the device moved to another subscriber since its cursor. Overrides of the previous subscriber are
// withdrawn and those of the new subscriber sent, in order of override id, because no change of the feed brought them. Only
// overrides up to the cursor's revision are sent; later changes follow in phase `incremental`. Pure.
import { asWire } from './changes-after.ts';
import {
  completeThrough,
  completeThroughFor,
  type DeltaCursor,
  type DeltaPage,
} from './delta-cursor.ts';
import {
  type Audience,
  aimsAt,
  hasExpiredBy,
  type Snapshot,
  type StoredOverride,
} from './snapshot.ts';

/** Returns the next page of an owner change; null if there is none, or nothing of it to send. */
export function ownerChangePage(
  snapshot: Snapshot,
  audience: Audience,
  cursor: Exclude<DeltaCursor, { phase: 'resync' }>,
  limit: number,
): DeltaPage | null {
  const { subscriberId } = audience;
  const isContinued = cursor.phase === 'ownerChange';
  const previousId = isContinued ? cursor.previous.subscriberId : cursor.subscriberId;
  if (previousId === subscriberId) return null;
  const through = isContinued ? cursor.previous.throughOverrideId : null;
  const changes = ownerChanges(snapshot, audience, previousId, cursor)
    .filter((change) => through === null || change.override_id > through)
    .sort((a, b) => (a.override_id < b.override_id ? -1 : 1));
  const overrides = changes.slice(0, limit);
  const last = overrides.at(-1);
  if (last === undefined) return null;
  const { revision, overrideId, resyncedAt } = cursor;
  const shared = {
    revision,
    ...(overrideId === undefined ? {} : { overrideId }),
    snapshotRevision: snapshot.n,
    resyncedAt,
    subscriberId,
  };
  const previous = { subscriberId: previousId, throughOverrideId: last.override_id };
  return {
    overrides,
    cursor:
      changes.length > limit
        ? { phase: 'ownerChange', ...shared, previous }
        : { phase: 'incremental', ...shared },
    // Changes of the feed since the cursor are still to be sent.
    hasMore: true,
  };
}

function ownerChanges(
  snapshot: Snapshot,
  audience: Audience,
  previousId: string,
  cursor: DeltaCursor,
) {
  const { subscriberId } = audience;
  const previousAudience = { ...audience, subscriberId: previousId };
  const isOfPrevious = (scope: Pick<StoredOverride, 'scope_kind' | 'scope_id'>) =>
    isScopedToSubscriber(scope, previousId);
  const exited = new Set(
    snapshot.scopeExits
      .filter((exit) => exit.revision > completeThrough(cursor))
      .filter((exit) => isOfPrevious(exit) && aimsAt(exit, previousAudience))
      .map((exit) => exit.override_id),
  );
  return snapshot.overrides.flatMap((override) => {
    const isChanged = override.revision > completeThroughFor(cursor, override);
    if (!override.deleted && aimsAt(override, audience)) {
      const isSent =
        isScopedToSubscriber(override, subscriberId) &&
        !isChanged &&
        !hasExpiredBy(override, cursor.resyncedAt);
      return isSent ? [asWire(override, false)] : [];
    }
    const isWithdrawn =
      isOfPrevious(override) &&
      aimsAt(override, previousAudience) &&
      (!override.deleted || isChanged);
    return isWithdrawn || exited.has(override.override_id) ? [asWire(override, true)] : [];
  });
}

const isScopedToSubscriber = (
  scope: Pick<StoredOverride, 'scope_kind' | 'scope_id'>,
  subscriberId: string,
) => scope.scope_kind === 'subscriber' && scope.scope_id === subscriberId;
