// What a device is sent of a snapshot: everything that may have changed for it since its position, in commit order. Pure.
//
// Each override counts once, by one number: that of the change by which it came to the device (its own last change, or
// the joining of its group), or of the first change after the position by which it left (deleted, moved to another scope
// or to a smaller rollout, the device's leaving of the group). The first, so that a page that ends before a later one
// has already told it. Where several share a number, the override's id orders them, and the position says how far.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Membership } from '../groups/index.ts';
import {
  type Audience,
  aimsAt,
  hasExpiredBy,
  hashSubscriber,
  type ScopeExit,
  type Snapshot,
  type StoredOverride,
} from './snapshot.ts';

/** Where a device stands. `bound` set: a pull from nothing, whose older deletions it need not hear of. */
export interface DeltaCursor {
  /** Everything up to this number was sent; */
  at: number;
  /** of this very number only up to this override, where it is set. */
  id?: string;
  /** The feed number when the pull began; null once it is over. */
  bound: number | null;
  /** Between pages: the feed number that whoever told the last one knew. */
  n?: number;
  /** When the pull from nothing began: what had ended by then was not sent, and is not held. */
  since?: number;
  /** The person whose device it was told as; */
  of?: string;
  /** while that changes: whose it was before, and up to which override it was told. */
  was?: { of: string; upTo: string };
}

export interface DeltaPage {
  overrides: WireOverride[];
  position: DeltaCursor;
  hasMore: boolean;
}

/** True where what left since then is forgotten: the device has to start again. A pull from nothing needs none of it. */
export function isBelowFloor(snapshot: Snapshot, position: DeltaCursor): boolean {
  return (position.bound ?? completeThrough(position)) < snapshot.floor;
}

/** True where the device came to another person in the midst of being told everything, or of being told of another. */
export function spansOwnerChange(
  { bound, of, was }: DeltaCursor,
  { subscriberId }: Audience,
): boolean {
  return of !== undefined && of !== subscriberId && (bound !== null || was !== undefined);
}

/**
 * True where it was told as somebody's who was erased since, and had not heard all that stood for them by then: which of
 * what it holds was theirs, nobody knows any more.
 */
export function involvesErasedSubscriber({ erased }: Snapshot, position: DeltaCursor): boolean {
  const heard = position.bound ?? completeThrough(position);
  return [position.of, position.was?.of].some(
    (person) => person !== undefined && heard < (erased[hashSubscriber(person)] ?? 0),
  );
}

/** What comes after `from` for this device, at most `limit`, in commit order; what another owner brings comes first. */
export function deltaPage(
  snapshot: Snapshot,
  audience: Audience,
  from: DeltaCursor | null,
  limit: number,
  now: number,
): DeltaPage {
  const { subscriberId: of } = audience;
  const start = from ?? { at: 0, bound: snapshot.n, since: now, of };
  const moved = ownerChangePage(snapshot, audience, start, limit);
  if (moved !== null) return moved;
  const kept = { ...(start.since === undefined ? {} : { since: start.since }), of };
  const changes = changesAfter(snapshot, audience, start);
  const page = changes.slice(0, limit);
  const hasMore = changes.length > limit;
  const last = page.at(-1);
  // A process that lags behind the one that began told an older state: what came since is still to be heard.
  const bound = start.bound === null ? null : Math.min(start.bound, snapshot.n);
  return {
    overrides: page.map((change) => change.override),
    position:
      hasMore && last !== undefined
        ? { at: last.number, id: last.override.override_id, bound, n: snapshot.n, ...kept }
        : { at: snapshot.n, bound: null, ...kept },
    hasMore,
  };
}

/**
 * The device is another person's than it was told as: what was that one's leaves it, what is this one's comes, in the
 * order of their ids, for no change of the feed brought it. Only of what stood at the position; what came after it
 * follows as ever. Null where there is nothing of it to tell.
 */
function ownerChangePage(
  snapshot: Snapshot,
  audience: Audience,
  start: DeltaCursor,
  limit: number,
): DeltaPage | null {
  const of = audience.subscriberId;
  const before = start.was?.of ?? start.of;
  if (before === undefined || before === of) return null;
  const past = { ...audience, subscriberId: before };
  const left = new Set(
    snapshot.scopeExits
      .filter(
        (departure) =>
          departure.revision > completeThrough(start) &&
          isScopedToSubscriber(departure, before) &&
          aimsAt(departure, past),
      )
      .map((departure) => departure.override_id),
  );
  const changes = snapshot.overrides
    .filter((override) => start.was === undefined || override.override_id > start.was.upTo)
    .flatMap((override) => {
      const isNew = override.revision > completeThroughFor(start, override);
      if (!override.deleted && aimsAt(override, audience)) {
        const comes = isScopedToSubscriber(override, of) && !isNew && !hadExpired(override, start);
        return comes ? [asWire(override, false)] : [];
      }
      const goes =
        isScopedToSubscriber(override, before) &&
        aimsAt(override, past) &&
        (!override.deleted || isNew);
      return goes || left.has(override.override_id) ? [asWire(override, true)] : [];
    })
    .sort((a, b) => (a.override_id < b.override_id ? -1 : 1));
  if (changes.length === 0) return null;
  const overrides = changes.slice(0, limit);
  const upTo = overrides.at(-1)?.override_id ?? '';
  const { was: _was, ...kept } = start;
  const isOver = changes.length <= limit;
  return {
    overrides,
    position: { ...kept, of, n: snapshot.n, ...(isOver ? {} : { was: { of: before, upTo } }) },
    // What happened meanwhile is still to be told.
    hasMore: true,
  };
}

const isScopedToSubscriber = (
  scope: Pick<StoredOverride, 'scope_kind' | 'scope_id'>,
  subscriberId: string,
) => scope.scope_kind === 'subscriber' && scope.scope_id === subscriberId;

/** True where it had ended before the device pulled everything. */
const hadExpired = (override: StoredOverride, { since = 0 }: Pick<DeltaCursor, 'since'>): boolean =>
  hasExpiredBy(override, since);

/** Up to this number everything was told; with an id, some of the position's own number is still to come. */
const completeThrough = ({ at, id }: DeltaCursor): number => (id === undefined ? at : at - 1);

/** The same for one override. */
const completeThroughFor = ({ at, id }: DeltaCursor, override: StoredOverride): number =>
  id === undefined || override.override_id <= id ? at : at - 1;

interface Change {
  number: number;
  override: WireOverride;
}

function changesAfter(snapshot: Snapshot, audience: Audience, start: DeltaCursor): Change[] {
  const seen = completeThrough(start);
  const joined = (snapshot.members.get(audience.deviceId) ?? []).filter((m) => m.revision > seen);
  const left = (snapshot.leavers.get(audience.deviceId) ?? []).filter((m) => m.revision > seen);
  const departures = snapshot.scopeExits.slice(firstAfter(snapshot.scopeExits, seen));
  const changes: Change[] = [];
  for (const override of candidates(snapshot, seen, departures, [...joined, ...left])) {
    const after = completeThroughFor(start, override);
    const isHeld = aimsAt(override, audience) && !override.deleted;
    if (isHeld && hadExpired(override, start)) continue;
    const change = isHeld
      ? arrivalOf(override, joined, after)
      : tombstoneOf(override, {
          audience,
          left,
          departures,
          after: Math.max(after, start.bound ?? 0),
        });
    if (change !== null) changes.push(change);
  }
  return changes.sort(
    (a, b) => a.number - b.number || (a.override.override_id < b.override.override_id ? -1 : 1),
  );
}

/** The overrides of which something may be new: what moved, and what stands in a group that the device joined or left. */
function candidates(
  snapshot: Snapshot,
  seen: number,
  departures: readonly ScopeExit[],
  moves: readonly Membership[],
): Iterable<StoredOverride> {
  const moved = snapshot.overrides.slice(firstAfter(snapshot.overrides, seen));
  const ids = new Set(departures.map((departure) => departure.override_id));
  const groups = new Set(moves.map((move) => move.group_id));
  if (ids.size + groups.size === 0) return moved;
  const others = snapshot.overrides.filter(
    (override) =>
      ids.has(override.override_id) ||
      (override.scope_kind === 'group' && groups.has(override.scope_id)),
  );
  return new Set([...moved, ...others]);
}

function arrivalOf(
  override: StoredOverride,
  joined: readonly Membership[],
  after: number,
): Change | null {
  const joining = joined.find((membership) => isOf(override, membership));
  const number = Math.max(override.revision, joining?.revision ?? 0);
  return number > after ? { number, override: asWire(override, false) } : null;
}

function tombstoneOf(
  override: StoredOverride,
  history: {
    audience: Audience;
    left: readonly Membership[];
    departures: readonly ScopeExit[];
    after: number;
  },
): Change | null {
  const { audience, departures, after } = history;
  const left = history.left.filter((membership) => membership.revision > after);
  const numbers: number[] = [];
  if (!override.deleted || override.revision > after) {
    if (override.deleted && aimsAt(override, audience)) numbers.push(override.revision);
    for (const leaving of left) {
      if (!aimsAt(override, withGroup(audience, leaving)) || !isOf(override, leaving)) continue;
      numbers.push(leaving.revision);
      if (override.deleted) numbers.push(override.revision);
    }
  }
  for (const departure of departures) {
    if (departure.override_id !== override.override_id || departure.revision <= after) continue;
    if (aimsAt(departure, audience)) numbers.push(departure.revision);
    for (const leaving of left) {
      if (!isOf(departure, leaving) || !aimsAt(departure, withGroup(audience, leaving))) continue;
      numbers.push(Math.min(departure.revision, leaving.revision));
    }
  }
  if (numbers.length === 0) return null;
  const number = Math.min(...numbers);
  return { number, override: { ...asWire(override, true), revision: number } };
}

function isOf(scope: Pick<StoredOverride, 'scope_kind' | 'scope_id'>, group: Membership): boolean {
  return scope.scope_kind === 'group' && scope.scope_id === group.group_id;
}

/** As it was while the device was still in that group. */
function withGroup(audience: Audience, group: Membership): Audience {
  return { ...audience, groupIds: [...audience.groupIds, group.group_id] };
}

/** Sorted by revision: what a device has seen is skipped without looking at it. */
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

function asWire(override: StoredOverride, deleted: boolean): WireOverride {
  const { scope_id: _scope, rollout_percent: _rollout, ...wire } = override;
  return { ...wire, deleted };
}
