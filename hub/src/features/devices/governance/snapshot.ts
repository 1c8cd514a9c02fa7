// A tenant's governance as one hub process holds it in memory, and what a device gets of it. Pure rules; loading is
// snapshots.ts. Ten thousand devices that poll after a change cost one query, and none when nothing is new.
import { createHash } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { EnforcementCeiling, ScopeKind } from '@gatewarden/shared/wire/vocabulary.ts';

export interface StoredOverride extends WireOverride {
  /** The group, subscriber or device; empty for the tenant. */
  scope_id: string;
  rollout_percent: number;
}

/** Since `revision`, the override no longer aims at this scope. */
export interface Departure {
  revision: number;
  override_id: string;
  scope_kind: ScopeKind;
  scope_id: string;
}

export interface Snapshot {
  /** The feed number up to which this is complete. */
  n: number;
  /** Every override, deleted ones too, in order of revision. */
  overrides: StoredOverride[];
  departures: Departure[];
  ceiling: EnforcementCeiling;
}

/** Whom a device is, as far as scopes ask. */
export interface Audience {
  deviceId: string;
  subscriberId: string;
  groupIds: readonly string[];
}

/** Where a device stands. `bound` set: a pull from nothing, whose older deletions it need not hear of. */
export interface Position {
  /** Everything up to this revision was sent. */
  at: number;
  /** The feed number when the pull began; null once it is over. */
  bound: number | null;
}

export interface DeltaPage {
  overrides: WireOverride[];
  position: Position;
  hasMore: boolean;
}

/** What comes after `from` for this device, at most `limit`, in commit order. */
export function deltaPage(
  snapshot: Snapshot,
  audience: Audience,
  from: Position | null,
  limit: number,
): DeltaPage {
  const start = from ?? { at: 0, bound: snapshot.n };
  const changes = changesAfter(snapshot, audience, start);
  const page = changes.slice(0, limit);
  const hasMore = changes.length > limit;
  const last = page.at(-1);
  return {
    overrides: page.map((change) => change.override),
    position:
      hasMore && last !== undefined
        ? { at: last.revision, bound: start.bound }
        : { at: snapshot.n, bound: null },
    hasMore,
  };
}

interface Change {
  /** Of the change: for a departure later than the override's own. */
  revision: number;
  override: WireOverride;
}

function changesAfter(snapshot: Snapshot, audience: Audience, start: Position): Change[] {
  const changes: Change[] = [];
  const isInitial = (revision: number) => start.bound !== null && revision <= start.bound;
  const first = firstAfter(snapshot.overrides, start.at);
  for (let i = first; i < snapshot.overrides.length; i++) {
    const override = snapshot.overrides[i];
    if (override === undefined || !aimsAt(override, audience)) continue;
    if (override.deleted && isInitial(override.revision)) continue;
    changes.push({ revision: override.revision, override: asWire(override, override.deleted) });
  }
  const gone = snapshot.departures.slice(firstAfter(snapshot.departures, start.at));
  for (const departure of gone) {
    if (isInitial(departure.revision) || !scopeHolds(departure, audience)) continue;
    const override = snapshot.overrides.find((one) => one.override_id === departure.override_id);
    if (override === undefined || aimsAt(override, audience)) continue;
    changes.push({
      revision: departure.revision,
      override: { ...asWire(override, true), revision: departure.revision },
    });
  }
  return changes.sort((a, b) => a.revision - b.revision);
}

/** Both lists are sorted by revision: what a device has seen is skipped without looking at it. */
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

/** True when the scope names the device and the rollout admits it. */
export function aimsAt(override: StoredOverride, audience: Audience): boolean {
  return (
    scopeHolds(override, audience) &&
    rolloutAdmits(override.override_id, audience.deviceId, override.rollout_percent)
  );
}

function scopeHolds(
  scope: { scope_kind: ScopeKind; scope_id: string },
  audience: Audience,
): boolean {
  switch (scope.scope_kind) {
    case 'tenant':
      return true;
    case 'device':
      return scope.scope_id === audience.deviceId;
    case 'subscriber':
      return scope.scope_id === audience.subscriberId;
    case 'group':
      return audience.groupIds.includes(scope.scope_id);
  }
}

/** Stable for a device: raising the percentage only ever adds devices. */
export function rolloutAdmits(overrideId: string, deviceId: string, percent: number): boolean {
  if (percent >= 100) return true;
  const hash = createHash('sha256').update(`${overrideId}\0${deviceId}`).digest();
  return hash.readUInt32BE(0) % 100 < percent;
}

/** The digest that a device reports when it holds exactly what it should. */
export function expectedDigest(snapshot: Snapshot, audience: Audience): string {
  return appliedDigest(snapshot.overrides.filter((one) => !one.deleted && aimsAt(one, audience)));
}

function asWire(override: StoredOverride, deleted: boolean): WireOverride {
  const { scope_id: _scope, rollout_percent: _rollout, ...wire } = override;
  return { ...wire, deleted };
}
