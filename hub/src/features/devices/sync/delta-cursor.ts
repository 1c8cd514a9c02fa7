// The cursor of a device in the feed of overrides: the place up to which the device was sent changes. Pure.
//
// Phases: `resync` (a pull without a cursor; older deletions are omitted) -> `incremental` (changes in order of the feed).
// A device that moves to another subscriber goes from `incremental` to `ownerChange` and back. An owner change during a
// resync or during another owner change ends the cursor: the device resyncs.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { type Audience, hashSubscriber, type Snapshot } from './snapshot.ts';

interface CursorBase {
  /** Feed revision up to which everything was sent. */
  revision: number;
  /** Set between pages: of `revision` itself, only overrides up to this id were sent. */
  overrideId?: string;
  /** Feed revision of the snapshot that the last page was made from. */
  snapshotRevision: number;
  /** Start of the last resync in milliseconds. Overrides that had expired by then were not sent. */
  resyncedAt: number;
  /** The user of the device when it last received overrides. */
  subscriberId: string;
}

export interface IncrementalCursor extends CursorBase {
  phase: 'incremental';
}

export interface ResyncCursor extends CursorBase {
  phase: 'resync';
  /** Feed revision at which the resync began; deletions up to it are not sent. */
  startRevision: number;
}

export interface OwnerChangeCursor extends CursorBase {
  phase: 'ownerChange';
  /** The previous subscriber, and the override id up to which its overrides were withdrawn. */
  previous: { subscriberId: string; throughOverrideId: string };
}

export type DeltaCursor = IncrementalCursor | ResyncCursor | OwnerChangeCursor;

export interface DeltaPage {
  overrides: WireOverride[];
  /** Cursor after this page. */
  cursor: DeltaCursor;
  hasMore: boolean;
}

/** Returns the cursor of a device without one: a resync from the beginning. */
export const startResync = (
  snapshot: Snapshot,
  { subscriberId }: Audience,
  now: number,
): ResyncCursor => ({
  phase: 'resync',
  revision: 0,
  snapshotRevision: 0,
  startRevision: snapshot.n,
  resyncedAt: now,
  subscriberId,
});

/** Returns the revision up to which every override was sent. */
export const completeThrough = ({ revision, overrideId }: DeltaCursor): number =>
  overrideId === undefined ? revision : revision - 1;

/** Returns the revision up to which this override was sent. */
export const completeThroughFor = (
  { revision, overrideId }: DeltaCursor,
  override: { override_id: string },
): number =>
  overrideId === undefined || override.override_id <= overrideId ? revision : revision - 1;

const tombstonesThrough = (cursor: DeltaCursor): number =>
  cursor.phase === 'resync' ? cursor.startRevision : completeThrough(cursor);

/** Returns true if tombstones after the cursor are pruned. The device must resync. */
export const isBelowFloor = (snapshot: Snapshot, cursor: DeltaCursor): boolean =>
  tombstonesThrough(cursor) < snapshot.floor;

/** Returns true if the owner changed during a resync or during an earlier owner change. The device must resync. */
export const spansOwnerChange = (cursor: DeltaCursor, { subscriberId }: Audience): boolean =>
  cursor.subscriberId !== subscriberId && cursor.phase !== 'incremental';

/**
 * Returns true if a subscriber of the cursor was erased before all of that subscriber's overrides were withdrawn. The hub
 * cannot identify them any more, so the device must resync.
 */
export function involvesErasedSubscriber({ erased }: Snapshot, cursor: DeltaCursor): boolean {
  const previous = cursor.phase === 'ownerChange' ? [cursor.previous.subscriberId] : [];
  return [cursor.subscriberId, ...previous].some(
    (subscriberId) => tombstonesThrough(cursor) < (erased[hashSubscriber(subscriberId)] ?? 0),
  );
}
