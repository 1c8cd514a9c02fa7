// What a device is sent: followed through any history and with any page size, it ends with what it should hold.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayLeaveScope } from './rules.ts';
import {
  type Audience,
  deltaPage,
  expectedDigest,
  type Position,
  rolloutAdmits,
  type Snapshot,
  type StoredOverride,
} from './snapshot.ts';

const LAPTOP: Audience = { deviceId: 'laptop', subscriberId: 'alice', groupIds: ['staff'] };
const EMPTY: Snapshot = { n: 0, overrides: [], departures: [], ceiling: 'enforce' };

type Scope = Pick<StoredOverride, 'scope_kind' | 'scope_id' | 'rollout_percent'>;
const EVERYBODY: Scope = { scope_kind: 'tenant', scope_id: '', rollout_percent: 100 };

/** The tenant after one more write, as the store would keep it. */
function afterWrite(before: Snapshot, id: string, to: Scope, deleted = false): Snapshot {
  const n = before.n + 1;
  const { scope_kind, scope_id, rollout_percent } = to;
  const old = before.overrides.find((one) => one.override_id === id);
  const override: StoredOverride = {
    override_id: id,
    revision: n,
    deleted,
    match: { name: 'demo' },
    approval_status: 'blocked',
    execution_policy: 'block',
    severity: 'high',
    reason: null,
    effective_at: null,
    expires_at: null,
    scope_kind,
    scope_id,
    rollout_percent,
  };
  const left =
    old !== undefined && mayLeaveScope(old, override)
      ? [{ revision: n, override_id: id, scope_kind: old.scope_kind, scope_id: old.scope_id }]
      : [];
  return {
    ...before,
    n,
    overrides: [...before.overrides.filter((one) => one !== old), override],
    departures: [...before.departures, ...left],
  };
}

interface Follower {
  held: Map<string, WireOverride>;
  position: Position | null;
}

const newFollower = (): Follower => ({ held: new Map(), position: null });

/** One page, applied as an agent applies it. */
function pull(follower: Follower, snapshot: Snapshot, limit: number): boolean {
  const page = deltaPage(snapshot, LAPTOP, follower.position, limit);
  expect(page.overrides.length).toBeLessThanOrEqual(limit);
  for (const override of page.overrides) {
    if (override.deleted) follower.held.delete(override.override_id);
    else follower.held.set(override.override_id, override);
  }
  follower.position = page.position;
  return page.hasMore;
}

function pullAll(follower: Follower, snapshot: Snapshot, limit: number): WireOverride[] {
  // Each page goes on, so there are never more pages than changes.
  for (let pages = 0; pull(follower, snapshot, limit); pages++) {
    expect(pages).toBeLessThanOrEqual(snapshot.n);
  }
  return [...follower.held.values()].sort((a, b) => a.revision - b.revision);
}

const scope = fc.record({
  scope: fc.constantFrom<Pick<Scope, 'scope_kind' | 'scope_id'>>(
    { scope_kind: 'tenant', scope_id: '' },
    { scope_kind: 'group', scope_id: 'staff' },
    { scope_kind: 'group', scope_id: 'guests' },
    { scope_kind: 'subscriber', scope_id: 'alice' },
    { scope_kind: 'subscriber', scope_id: 'bob' },
    { scope_kind: 'device', scope_id: 'laptop' },
    { scope_kind: 'device', scope_id: 'desktop' },
  ),
  rollout_percent: fc.constantFrom(0, 30, 70, 100),
});
const step = fc.oneof(
  fc.record({ pull: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), to: scope, deleted: fc.boolean() }),
);

test('who follows a history with any page size holds what a fresh pull gives', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (steps, limit) => {
        const follower = newFollower();
        let tenant = EMPTY;
        for (const one of steps) {
          if ('pull' in one) {
            pull(follower, tenant, one.pull);
            continue;
          }
          const old = tenant.overrides.find(({ override_id }) => override_id === one.id);
          // What was deleted stays deleted, and was something before.
          if (old?.deleted === true || (old === undefined && one.deleted)) continue;
          const { scope: place, rollout_percent } = one.to;
          tenant =
            one.deleted && old !== undefined
              ? afterWrite(tenant, one.id, old, true)
              : afterWrite(tenant, one.id, { ...place, rollout_percent });
        }
        const held = pullAll(follower, tenant, limit);
        expect(held).toEqual(pullAll(newFollower(), tenant, 500));
        expect(appliedDigest(held)).toBe(expectedDigest(tenant, LAPTOP));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a first pull hears nothing of what was deleted before it began', () => {
  const tenant = afterWrite(afterWrite(EMPTY, 'a', EVERYBODY), 'a', EVERYBODY, true);
  expect(deltaPage(tenant, LAPTOP, null, 10).overrides).toEqual([]);
});

test('an override that no longer aims at the device arrives as deleted', () => {
  const before = afterWrite(EMPTY, 'a', EVERYBODY);
  const { position } = deltaPage(before, LAPTOP, null, 10);
  const after = afterWrite(before, 'a', {
    ...EVERYBODY,
    scope_kind: 'device',
    scope_id: 'desktop',
  });
  expect(deltaPage(after, LAPTOP, position, 10).overrides).toMatchObject([
    { override_id: 'a', revision: 2, deleted: true },
  ]);
});

test('who is up to date is sent nothing, and nobody is sent what is not of the wire', () => {
  const tenant = afterWrite(EMPTY, 'a', EVERYBODY);
  const first = deltaPage(tenant, LAPTOP, null, 10);
  expect(first.overrides[0]).not.toHaveProperty('scope_id');
  expect(first.overrides[0]).not.toHaveProperty('rollout_percent');
  expect(deltaPage(tenant, LAPTOP, first.position, 10)).toEqual({
    overrides: [],
    position: { at: 1, bound: null },
    hasMore: false,
  });
});

test('a rollout is stable and only grows with its percentage', () => {
  const percent = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), percent, percent, (override, device, a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(rolloutAdmits(override, device, low)).toBe(rolloutAdmits(override, device, low));
      if (rolloutAdmits(override, device, low)) {
        expect(rolloutAdmits(override, device, high)).toBe(true);
      }
      expect(rolloutAdmits(override, device, 0)).toBe(false);
      expect(rolloutAdmits(override, device, 100)).toBe(true);
    }),
  );
});

test('half a rollout admits about half of the devices', () => {
  const admitted = Array.from({ length: 2_000 }, (_, i) => rolloutAdmits('a', `device-${i}`, 50));
  const share = admitted.filter(Boolean).length / admitted.length;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
});
