// A tenant's overrides as a hub process caches them, and their scopes. Pure rules; loading is
// snapshots.ts, what a device is sent of it pages.ts. Ten thousand devices that poll after a change cost one query, and
// none when nothing is new.
import { createHash } from 'node:crypto';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { DiscoveryScopeInput } from '@gatewarden/shared/wire/console/discovery-scope.ts';
import type { TraySettingInput } from '@gatewarden/shared/wire/console/tray-setting.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { EnforcementCeiling, ScopeKind } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Membership } from '../groups/index.ts';

export interface StoredOverride extends WireOverride {
  /** The group, subscriber or device; empty for the tenant. */
  scope_id: string;
  rollout_percent: number;
}

/** Since `revision`, the override no longer aims at this scope, of which the rollout had admitted so much. */
export interface ScopeExit {
  revision: number;
  override_id: string;
  scope_kind: ScopeKind;
  scope_id: string;
  rollout_percent: number;
}

export interface Snapshot {
  /** The feed number up to which this is complete. */
  n: number;
  /** Scope exits up to this number are pruned: a cursor below it cannot be answered. */
  floor: number;
  /** For erased people, by hash: the last feed number of an override in their scope. */
  erased: Readonly<Record<string, number>>;
  /** Every override, deleted ones too, in order of revision. */
  overrides: readonly StoredOverride[];
  scopeExits: readonly ScopeExit[];
  /** The groups that each device is in, and those that it ever left. */
  members: ReadonlyMap<string, readonly Membership[]>;
  leavers: ReadonlyMap<string, readonly Membership[]>;
  maxEnforcement: EnforcementCeiling;
  /** The discovery scope of devices. */
  discovery: DiscoveryScopeInput;
  tray: TraySettingInput;
}

export const EMPTY_SNAPSHOT: Snapshot = {
  n: 0,
  floor: 0,
  erased: {},
  overrides: [],
  scopeExits: [],
  members: new Map(),
  leavers: new Map(),
  maxEnforcement: 'enforce',
  discovery: { personal_homes: true, browser_profiles: true },
  tray: { pause_minutes: 0, contact: null },
};

/** The attributes of a device that scopes compare. */
export interface Audience {
  deviceId: string;
  subscriberId: string;
  groupIds: readonly string[];
}

export function audienceOf(snapshot: Snapshot, deviceId: string, subscriberId: string): Audience {
  const groups = snapshot.members.get(deviceId) ?? [];
  return { deviceId, subscriberId, groupIds: groups.map((group) => group.group_id) };
}

/** The changes of a tenant's overrides after a snapshot. */
export interface Changes {
  n: number;
  floor: number;
  erased: Readonly<Record<string, number>>;
  maxEnforcement: EnforcementCeiling;
  discovery: DiscoveryScopeInput;
  tray: TraySettingInput;
  overrides: readonly StoredOverride[];
  scopeExits: readonly ScopeExit[];
  joined: readonly Membership[];
  left: readonly Membership[];
}

/** Hashes a person's name, so that only a party that knows the name can recognize it; the audit trail uses the same hash. */
export const hashSubscriber = (subscriberId: string): string =>
  createHash('sha256').update(subscriberId).digest('hex');

/** From where to read on: from nothing where this is so old that what left it is forgotten meanwhile. */
export function baseSnapshot(before: Snapshot, floor: number): Snapshot {
  return before.n < floor ? EMPTY_SNAPSHOT : before;
}

/** Returns the snapshot after these changes. The previous snapshot is not modified, because requests can still read it. */
export function applyChanges(before: Snapshot, changes: Changes): Snapshot {
  const changed = new Set(changes.overrides.map((override) => override.override_id));
  return {
    n: changes.n,
    floor: changes.floor,
    erased: changes.erased,
    maxEnforcement: changes.maxEnforcement,
    discovery: changes.discovery,
    tray: changes.tray,
    overrides: [
      ...before.overrides.filter((override) => !changed.has(override.override_id)),
      ...changes.overrides,
    ].sort((a, b) => a.revision - b.revision),
    scopeExits: newerThan(changes.floor, [...before.scopeExits, ...changes.scopeExits]),
    ...applyMembershipChanges(before, changes),
  };
}

/** Without what is forgotten. Sorted by revision, so mostly there is nothing to look at. */
function newerThan<T extends { revision: number }>(
  floor: number,
  list: readonly T[],
): readonly T[] {
  const first = list[0];
  if (first === undefined || first.revision > floor) return list;
  return list.filter((item) => item.revision > floor);
}

function applyMembershipChanges(
  before: Snapshot,
  { joined, left, floor }: Changes,
): Pick<Snapshot, 'members' | 'leavers'> {
  if (joined.length + left.length === 0 && floor === before.floor) {
    return { members: before.members, leavers: before.leavers };
  }
  const members = new Map(before.members);
  const leavers = new Map(before.leavers);
  if (floor !== before.floor) {
    for (const [deviceId, moves] of leavers) {
      const kept = newerThan(floor, moves);
      if (kept.length === 0) leavers.delete(deviceId);
      else leavers.set(deviceId, kept);
    }
  }
  for (const membership of left) {
    const now = members.get(membership.device_id) ?? [];
    const rest = now.filter((other) => other.group_id !== membership.group_id);
    if (rest.length === 0) members.delete(membership.device_id);
    else members.set(membership.device_id, rest);
    leavers.set(membership.device_id, [...(leavers.get(membership.device_id) ?? []), membership]);
  }
  // After the departures: who left and came back was read once as each, and is in the group.
  for (const membership of joined) {
    const rest = (members.get(membership.device_id) ?? []).filter(
      (m) => m.group_id !== membership.group_id,
    );
    members.set(membership.device_id, [...rest, membership]);
  }
  return { members, leavers };
}

/** True when the scope names the device and the rollout admits it. */
export function aimsAt(
  override: Pick<StoredOverride, 'override_id' | 'scope_kind' | 'scope_id' | 'rollout_percent'>,
  audience: Audience,
): boolean {
  return (
    scopeIncludes(override, audience) &&
    rolloutAdmits(override.override_id, audience.deviceId, override.rollout_percent)
  );
}

function scopeIncludes(
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
  if (percent <= 0) return false;
  const hash = createHash('sha256').update(`${overrideId}\0${deviceId}`).digest();
  return hash.readUInt32BE(0) % 100 < percent;
}

/** The digest that a device reports when it holds exactly what it should. */
export function expectedDigest(snapshot: Snapshot, audience: Audience, since: number): string {
  return appliedDigest(overridesAppliedBy(snapshot, audience, since));
}

/** The overrides that a device of this audience holds once it has followed the feed from a pull of `since` on. */
export function overridesAppliedBy(
  snapshot: Snapshot,
  audience: Audience,
  since: number,
): StoredOverride[] {
  return snapshot.overrides.filter(
    (override) => !override.deleted && aimsAt(override, audience) && !hasExpiredBy(override, since),
  );
}

/** True where it counted no more at that time, in milliseconds. */
export function hasExpiredBy({ expires_at: end }: Pick<StoredOverride, 'expires_at'>, at: number) {
  return end !== null && Date.parse(end) <= at;
}
