// The next page of overrides for a device, by the phase of its cursor. Pure.
import { type DeltaCursor, type DeltaPage, startResync } from './delta-cursor.ts';
import { incrementalPage } from './incremental-page.ts';
import { ownerChangePage } from './owner-change-page.ts';
import { resyncPage } from './resync-page.ts';
import type { Audience, Snapshot } from './snapshot.ts';

/** Returns at most `limit` overrides after the cursor; null starts a resync. `now` is in milliseconds. */
export function deltaPage(
  snapshot: Snapshot,
  audience: Audience,
  from: DeltaCursor | null,
  limit: number,
  now: number,
): DeltaPage {
  const cursor = from ?? startResync(snapshot, audience, now);
  if (cursor.phase === 'resync') return resyncPage(snapshot, audience, cursor, limit);
  return (
    ownerChangePage(snapshot, audience, cursor, limit) ??
    incrementalPage(snapshot, audience, cursor, limit)
  );
}
