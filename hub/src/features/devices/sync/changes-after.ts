// Changes that a device is sent after its cursor. Pure.
//
// Each override counts once, at one revision. An override that reaches the device counts at its own last change, or at the
// device's joining of the group. An override that left counts at the first event after the cursor by which it left: it was
// deleted, its scope or rollout shrank, or the device left the group. The first event counts, so that a page which ends
// before a later event has sent it already. Overrides with equal revisions are ordered by id.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Membership } from '../groups/index.ts';
import { completeThrough, completeThroughFor, type DeltaCursor } from './delta-cursor.ts';
import {
  type Audience,
  aimsAt,
  hasExpiredBy,
  type ScopeExit,
  type Snapshot,
  type StoredOverride,
} from './snapshot.ts';

/** An override that came to a device or left it. */
export interface Change {
  /** Feed revision of the change: see the head comment. */
  number: number;
  override: WireOverride;
}

/** Returns the changes after the cursor for a device, in order of the feed. */
export function changesAfter(
  snapshot: Snapshot,
  audience: Audience,
  cursor: DeltaCursor,
): Change[] {
  const seen = completeThrough(cursor);
  const joined = (snapshot.members.get(audience.deviceId) ?? []).filter((m) => m.revision > seen);
  const left = (snapshot.leavers.get(audience.deviceId) ?? []).filter((m) => m.revision > seen);
  const scopeExits = snapshot.scopeExits.slice(firstAfter(snapshot.scopeExits, seen));
  const changes: Change[] = [];
  for (const override of candidates(snapshot, seen, scopeExits, [...joined, ...left])) {
    const after = completeThroughFor(cursor, override);
    const isApplied = aimsAt(override, audience) && !override.deleted;
    if (isApplied && hasExpiredBy(override, cursor.resyncedAt)) continue;
    const change = isApplied
      ? arrivalOf(override, joined, after)
      : tombstoneOf(override, {
          audience,
          left,
          scopeExits,
          after: Math.max(after, cursor.phase === 'resync' ? cursor.startRevision : 0),
        });
    if (change !== null) changes.push(change);
  }
  return changes.sort(
    (a, b) => a.number - b.number || (a.override.override_id < b.override.override_id ? -1 : 1),
  );
}

/** Returns overrides that may have changed for the device: changed ones, and those of groups that it joined or left. */
function candidates(
  snapshot: Snapshot,
  seen: number,
  scopeExits: readonly ScopeExit[],
  moves: readonly Membership[],
): Iterable<StoredOverride> {
  const moved = snapshot.overrides.slice(firstAfter(snapshot.overrides, seen));
  const ids = new Set(scopeExits.map((scopeExit) => scopeExit.override_id));
  const groups = new Set(moves.map((move) => move.group_id));
  if (ids.size + groups.size === 0) return moved;
  const affected = snapshot.overrides.filter(
    (override) =>
      ids.has(override.override_id) ||
      (override.scope_kind === 'group' && groups.has(override.scope_id)),
  );
  return new Set([...moved, ...affected]);
}

function arrivalOf(
  override: StoredOverride,
  joined: readonly Membership[],
  after: number,
): Change | null {
  const joining = joined.find((membership) => isOfGroup(override, membership));
  const number = Math.max(override.revision, joining?.revision ?? 0);
  return number > after ? { number, override: asWire(override, false) } : null;
}

/** The events that can remove an override from a device: memberships that ended after `after`, and scope exits. */
interface Departures {
  audience: Audience;
  left: readonly Membership[];
  scopeExits: readonly ScopeExit[];
  after: number;
}

/** Returns the tombstone of an override that no longer reaches the device, at the lowest revision that removed it. */
function tombstoneOf(override: StoredOverride, departures: Departures): Change | null {
  const { left, after } = departures;
  const ended = left.filter((membership) => membership.revision > after);
  const numbers = [
    ...deletionsOf(override, { ...departures, left: ended }),
    ...scopeExitsOf(override, { ...departures, left: ended }),
  ];
  if (numbers.length === 0) return null;
  const number = Math.min(...numbers);
  return { number, override: { ...asWire(override, true), revision: number } };
}

/** Returns the revisions at which the override was deleted, or the device left the override's group. */
function deletionsOf(override: StoredOverride, { audience, left, after }: Departures): number[] {
  if (override.deleted && override.revision <= after) return [];
  const deletion = override.deleted ? [override.revision] : [];
  const direct = override.deleted && aimsAt(override, audience) ? deletion : [];
  const byGroup = left
    .filter((membership) => reachedBy(override, audience, membership))
    .flatMap((membership) => [membership.revision, ...deletion]);
  return [...direct, ...byGroup];
}

/** Returns the revisions at which the override's scope stopped covering the device. */
function scopeExitsOf(
  override: StoredOverride,
  { audience, left, scopeExits, after }: Departures,
): number[] {
  return scopeExits
    .filter((exit) => exit.override_id === override.override_id && exit.revision > after)
    .flatMap((exit) => [
      ...(aimsAt(exit, audience) ? [exit.revision] : []),
      ...left
        .filter((membership) => reachedBy(exit, audience, membership))
        .map((membership) => Math.min(exit.revision, membership.revision)),
    ]);
}

/** Returns whether the scope covered the device because of a membership that ended. */
const reachedBy = (
  scope: Parameters<typeof aimsAt>[0] & Pick<StoredOverride, 'scope_kind' | 'scope_id'>,
  audience: Audience,
  membership: Membership,
): boolean => isOfGroup(scope, membership) && aimsAt(scope, withGroup(audience, membership));

function isOfGroup(
  scope: Pick<StoredOverride, 'scope_kind' | 'scope_id'>,
  group: Membership,
): boolean {
  return scope.scope_kind === 'group' && scope.scope_id === group.group_id;
}

/** Returns the audience as it was before the device left the group. */
function withGroup(audience: Audience, group: Membership): Audience {
  return { ...audience, groupIds: [...audience.groupIds, group.group_id] };
}

/** Returns the index of the first element after a revision by binary search; `list` is sorted by revision. */
function firstAfter(list: readonly { revision: number }[], revision: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.revision ?? 0) > revision) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the override as devices receive it. */
export function asWire(override: StoredOverride, deleted: boolean): WireOverride {
  const { scope_id: _scope, rollout_percent: _rollout, ...wire } = override;
  return { ...wire, deleted };
}
