// A tenant's governance as its stores keep it, and an agent that follows it: for property tests of what devices are sent.

import type { Membership } from '@gatewarden/hub/src/features/devices/groups/index.ts';
import { mayLeaveScope } from '@gatewarden/hub/src/features/devices/overrides/override-rules.ts';
import {
  type DeltaCursor,
  isBelowFloor,
  spansOwnerChange,
} from '@gatewarden/hub/src/features/devices/sync/delta-cursor.ts';
import { deltaPage } from '@gatewarden/hub/src/features/devices/sync/delta-page.ts';
import {
  applyChanges,
  audienceOf,
  baseSnapshot,
  type Changes,
  EMPTY_SNAPSHOT,
  type ScopeExit,
  type Snapshot,
  type StoredOverride,
} from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import type { OverrideMatch, WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { type EnforcementCeiling, EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { expect } from 'vitest';

export type Scope = Pick<StoredOverride, 'scope_kind' | 'scope_id' | 'rollout_percent'>;
export const EVERYBODY: Scope = { scope_kind: 'tenant', scope_id: '', rollout_percent: 100 };
export const STAFF: Scope = { scope_kind: 'group', scope_id: 'staff', rollout_percent: 100 };

const MATCHES: Record<string, OverrideMatch> = {
  a: { name: 'demo' },
  b: { entity_id: 'b'.repeat(64) },
  c: { kind: 'ai_tool' },
  d: { publisher: 'Example' },
  e: { name: 'demo', platform: 'linux' },
};
/** The tenant's rows as the stores keep them. */
export class Tenant {
  n = 0;
  floor = 0;
  /** Milliseconds. */
  now = 1;
  owner = 'alice';
  ceiling: EnforcementCeiling = 'enforce';
  overrides: StoredOverride[] = [];
  departures: ScopeExit[] = [];
  members: Membership[] = [];
  leavers: Membership[] = [];

  override(id: string, to: Scope, deleted = false, endsAfter: number | null = null): void {
    const old = this.overrides.find((override) => override.override_id === id);
    // A deleted override stays deleted, and only an existing override can be deleted.
    if (old?.deleted === true || (old === undefined && deleted)) return;
    const revision = ++this.n;
    const { scope_kind, scope_id, rollout_percent } = deleted && old !== undefined ? old : to;
    const override: StoredOverride = {
      override_id: id,
      revision,
      deleted,
      match: MATCHES[id] ?? { name: 'demo' },
      approval_status: 'blocked',
      // Whatever it was, each write changes it, so that an old form would decide otherwise.
      execution_policy: EXECUTION_POLICIES[revision % EXECUTION_POLICIES.length] ?? 'block',
      severity: 'high',
      reason: null,
      effective_at: null,
      // Some end: a change sets an end that is still to come.
      expires_at: endsAfter === null ? null : new Date(this.now + endsAfter).toISOString(),
      scope_kind,
      scope_id,
      rollout_percent,
    };
    this.store(override);
  }

  /** Stores the override as the hub's stores do, and records the exit from its former scope. */
  store(override: StoredOverride): void {
    const { override_id, revision } = override;
    const old = this.overrides.find((override) => override.override_id === override_id);
    if (old !== undefined && !override.deleted && mayLeaveScope(old, override)) {
      const { scope_kind, scope_id, rollout_percent } = old;
      this.departures.push({ revision, override_id, scope_kind, scope_id, rollout_percent });
    }
    this.overrides = [...this.overrides.filter((override) => override !== old), override];
  }

  join(group_id: string, device_id: string): void {
    if (this.memberOf(group_id, device_id)) return;
    this.members.push({ revision: ++this.n, group_id, device_id });
  }

  leave(group_id: string, device_id: string): void {
    const member = this.memberOf(group_id, device_id);
    if (member === undefined) return;
    this.members = this.members.filter((membership) => membership !== member);
    this.leavers.push({ revision: ++this.n, group_id, device_id });
  }

  /** Deletes a group: all memberships end with a single revision. */
  disband(group_id: string): void {
    if (this.overrides.some((override) => !override.deleted && override.scope_id === group_id))
      return;
    const revision = ++this.n;
    const ended = this.members.filter((member) => member.group_id === group_id);
    this.members = this.members.filter((member) => member.group_id !== group_id);
    this.leavers.push(...ended.map((membership) => ({ ...membership, revision })));
  }

  /** Prunes exits and ended memberships up to a share of all revisions, as the hub's job does. */
  forget(percent: number): void {
    this.floor = Math.max(this.floor, Math.floor((this.n * percent) / 100));
    this.departures = this.departures.filter((departure) => departure.revision > this.floor);
    this.leavers = this.leavers.filter((leaver) => leaver.revision > this.floor);
  }

  private memberOf(group_id: string, device_id: string): Membership | undefined {
    return this.members.find(
      (member) => member.group_id === group_id && member.device_id === device_id,
    );
  }

  changesAfter(n: number): Changes {
    const later = <T extends { revision: number }>(list: T[]) =>
      list.filter((item) => item.revision > n);
    return {
      n: this.n,
      floor: this.floor,
      maxEnforcement: this.ceiling,
      erased: {},
      discovery: EMPTY_SNAPSHOT.discovery,
      tray: EMPTY_SNAPSHOT.tray,
      overrides: later(this.overrides),
      scopeExits: later(this.departures),
      joined: later(this.members),
      left: later(this.leavers),
    };
  }

  fresh(): Snapshot {
    return applyChanges(EMPTY_SNAPSHOT, this.changesAfter(0));
  }
}

export const caughtUp = (before: Snapshot, tenant: Tenant): Snapshot => {
  const from = baseSnapshot(before, tenant.floor);
  return applyChanges(from, tenant.changesAfter(from.n));
};

export const audience = (snapshot: Snapshot, owner = 'alice') =>
  audienceOf(snapshot, 'laptop', owner);

export interface Follower {
  held: Map<string, WireOverride>;
  cursor: DeltaCursor | null;
}

export const newFollower = (): Follower => ({ held: new Map(), cursor: null });

/** Pulls a page and applies it as an agent does: a lower revision never deletes or replaces a higher one. */
export function pull(
  follower: Follower,
  snapshot: Snapshot,
  limit: number,
  { owner = 'alice', now = 0 } = {},
): boolean {
  const { cursor } = follower;
  const asked = audience(snapshot, owner);
  const isOver =
    cursor !== null && (isBelowFloor(snapshot, cursor) || spansOwnerChange(cursor, asked));
  if (isOver) Object.assign(follower, newFollower());
  const page = deltaPage(snapshot, asked, follower.cursor, limit, now);
  expect(page.overrides.length).toBeLessThanOrEqual(limit);
  expect(new Set(page.overrides.map((override) => override.override_id)).size).toBe(
    page.overrides.length,
  );
  for (const override of page.overrides) {
    const stored = follower.held.get(override.override_id);
    if (stored !== undefined && stored.revision > override.revision) continue;
    if (override.deleted) follower.held.delete(override.override_id);
    else follower.held.set(override.override_id, override);
  }
  follower.cursor = page.cursor;
  return page.hasMore;
}

export function pullAll(
  follower: Follower,
  snapshot: Snapshot,
  limit: number,
  as: { owner?: string; now?: number } = {},
): WireOverride[] {
  // Each page goes on, so there are never more pages than changes.
  for (let pages = 0; pull(follower, snapshot, limit, as); pages++) {
    expect(pages).toBeLessThanOrEqual(500);
  }
  return [...follower.held.values()].sort((a, b) => a.revision - b.revision);
}

export function tenantOf(build: (tenant: Tenant) => void): { tenant: Tenant; follower: Follower } {
  const tenant = new Tenant();
  build(tenant);
  const follower = newFollower();
  pullAll(follower, tenant.fresh(), 500);
  return { tenant, follower };
}

export const sent = (follower: Follower, tenant: Tenant, limit = 10) => {
  const snapshot = tenant.fresh();
  return deltaPage(snapshot, audience(snapshot), follower.cursor, limit, 0);
};
