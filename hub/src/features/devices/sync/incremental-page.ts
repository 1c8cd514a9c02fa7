// Phase `incremental`: changes in order of the feed, up to the newest revision. Pure.
import { changesAfter } from './changes-after.ts';
import type { DeltaCursor, DeltaPage } from './delta-cursor.ts';
import type { Audience, Snapshot } from './snapshot.ts';

/** Returns the next page after a cursor that is not in a resync. */
export function incrementalPage(
  snapshot: Snapshot,
  audience: Audience,
  cursor: Exclude<DeltaCursor, { phase: 'resync' }>,
  limit: number,
): DeltaPage {
  const changes = changesAfter(snapshot, audience, cursor);
  const page = changes.slice(0, limit);
  const last = page.at(-1);
  const hasMore = changes.length > limit && last !== undefined;
  const { resyncedAt } = cursor;
  const { subscriberId } = audience;
  const place = hasMore
    ? { revision: last.number, overrideId: last.override.override_id }
    : { revision: snapshot.n };
  return {
    overrides: page.map((change) => change.override),
    cursor: {
      phase: 'incremental',
      ...place,
      snapshotRevision: snapshot.n,
      resyncedAt,
      subscriberId,
    },
    hasMore,
  };
}
