// Phase `resync`: everything that a device without a cursor has to apply. Its last page leads to phase `incremental`. Pure.
import { changesAfter } from './changes-after.ts';
import type { DeltaPage, ResyncCursor } from './delta-cursor.ts';
import type { Audience, Snapshot } from './snapshot.ts';

/** Returns the next page of a resync. */
export function resyncPage(
  snapshot: Snapshot,
  audience: Audience,
  cursor: ResyncCursor,
  limit: number,
): DeltaPage {
  const changes = changesAfter(snapshot, audience, cursor);
  const page = changes.slice(0, limit);
  const last = page.at(-1);
  const overrides = page.map((change) => change.override);
  const { resyncedAt } = cursor;
  const { subscriberId } = audience;
  const shared = { snapshotRevision: snapshot.n, resyncedAt, subscriberId };
  if (changes.length <= limit || last === undefined) {
    return {
      overrides,
      cursor: { phase: 'incremental', revision: snapshot.n, ...shared },
      hasMore: false,
    };
  }
  return {
    overrides,
    cursor: {
      phase: 'resync',
      revision: last.number,
      overrideId: last.override.override_id,
      // A hub process with an older snapshot sent an older state: deletions since then are still to be sent.
      startRevision: Math.min(cursor.startRevision, snapshot.n),
      ...shared,
    },
    hasMore: true,
  };
}
