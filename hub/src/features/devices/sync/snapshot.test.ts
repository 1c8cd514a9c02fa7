// Deltas sent to a device follow any history with any page size: the device ends with the same overrides as after a
// full pull.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { decide, type PolicyOverride, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  audience,
  caughtUp,
  EVERYBODY,
  newFollower,
  pull,
  pullAll,
  type Scope,
  STAFF,
  sent,
  Tenant,
  tenantOf,
} from '../../../../../test/support/governance-history.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { EMPTY_SNAPSHOT, expectedDigest, hasExpiredBy, overridesAppliedBy } from './snapshot.ts';

const ENTITY = { name: 'demo', version: '1', publisher: 'Example' } as const;
const PROCESSES: ProcessFacts[] = (['ai_tool', 'package'] as const).flatMap((kind) =>
  ['b', 'x'].map((letter) => ({
    name: letter === 'x' ? 'demo' : 'other',
    application_name: null,
    publisher: null,
    sha256: null,
    entities: [{ ...ENTITY, kind, entity_id: letter.repeat(64) }],
  })),
);
const DEVICE = { platform: 'linux' } as const;

const scope = fc.record({
  scope: fc.constantFrom<Pick<Scope, 'scope_kind' | 'scope_id'>>(
    { scope_kind: 'tenant', scope_id: '' },
    // Often, for here the history is longest.
    { scope_kind: 'group', scope_id: 'staff' },
    { scope_kind: 'group', scope_id: 'staff' },
    { scope_kind: 'group', scope_id: 'guests' },
    { scope_kind: 'subscriber', scope_id: 'alice' },
    { scope_kind: 'subscriber', scope_id: 'bob' },
    { scope_kind: 'device', scope_id: 'laptop' },
    { scope_kind: 'device', scope_id: 'desktop' },
  ),
  rollout_percent: fc.constantFrom(0, 50, 100, 100),
});
const group = fc.constantFrom('staff', 'guests');
const device = fc.constantFrom('laptop', 'laptop', 'desktop');
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const write = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    id,
    to: scope,
    endsAfter: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 1 }),
  }),
  fc.record({ do: fc.constant('move' as const), owner: fc.constantFrom('alice', 'bob') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('delete' as const), id }),
  fc.record({ do: fc.constant('join' as const), group, device }),
  fc.record({ do: fc.constant('leave' as const), group, device }),
  fc.record({ do: fc.constant('disband' as const), group }),
);
const step = fc.oneof(
  // A page from the hub process that reads at once, or from the one that lags behind.
  fc.record({
    do: fc.constant('pull' as const),
    limit: fc.integer({ min: 1, max: 4 }),
    lags: fc.boolean(),
  }),
  fc.record({ do: fc.constant('read' as const) }),
  fc.record({ do: fc.constant('forget' as const), percent: fc.integer({ min: 0, max: 100 }) }),
  { arbitrary: write, weight: 3 },
);

function apply(tenant: Tenant, item: typeof write extends fc.Arbitrary<infer T> ? T : never): void {
  switch (item.do) {
    case 'put':
      tenant.override(
        item.id,
        { ...item.to.scope, rollout_percent: item.to.rollout_percent },
        false,
        item.endsAfter,
      );
      break;
    case 'move':
      tenant.owner = item.owner;
      break;
    case 'wait':
      tenant.now += item.ms;
      break;
    case 'delete':
      tenant.override(item.id, EVERYBODY, true);
      break;
    case 'join':
      tenant.join(item.group, item.device);
      break;
    case 'leave':
      tenant.leave(item.group, item.device);
      break;
    case 'disband':
      tenant.disband(item.group);
      break;
  }
}

test('converges with a fresh pull over any history, page size and hub process', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      (steps, limit) => {
        const follower = newFollower();
        const tenant = new Tenant();
        let prompt = EMPTY_SNAPSHOT;
        let lagging = EMPTY_SNAPSHOT;
        for (const item of steps) {
          if (item.do === 'read') lagging = caughtUp(lagging, tenant);
          // Without a notification the next read finds the change.
          else if (item.do === 'forget') tenant.forget(item.percent);
          else if (item.do === 'pull') {
            // A process with an older snapshot than the device's cursor reads again before it answers.
            if ((follower.cursor?.revision ?? 0) > lagging.n) {
              lagging = caughtUp(lagging, tenant);
            }
            pull(follower, item.lags ? lagging : prompt, item.limit, tenant);
          } else {
            apply(tenant, item);
            prompt = caughtUp(prompt, tenant);
          }
        }
        prompt = caughtUp(prompt, tenant);
        expect(caughtUp(lagging, tenant)).toEqual(prompt);
        const held = pullAll(follower, prompt, limit, tenant);
        // What ended since it began may still be held, and counts for nothing.
        const counts = held.filter((row) => !hasExpiredBy(row, tenant.now));
        expect(counts).toEqual(pullAll(newFollower(), tenant.fresh(), 500, tenant));
        const since = follower.cursor?.resyncedAt ?? 0;
        const whom = audience(prompt, tenant.owner);
        expect(appliedDigest(held)).toBe(expectedDigest(prompt, whom, since));
        // What the device decides by what it holds is what the hub previews by what it knows.
        for (const process of PROCESSES) {
          const there = decide(DEVICE, process, held, tenant.now);
          const known = overridesAppliedBy(prompt, whom, 0);
          const here = decide<PolicyOverride>(DEVICE, process, known, tenant.now);
          expect([there.policy, there.override?.override_id]).toEqual([
            here.policy,
            here.override?.override_id,
          ]);
        }
      },
    ),
    { numRuns: propertyRuns(5_000) },
  );
});

describe('group', () => {
  test("delivers a group's overrides to a new member, with their own revisions", () => {
    const { tenant, follower } = tenantOf((item) => {
      item.override('a', STAFF);
      item.override('b', STAFF);
      item.override('c', EVERYBODY);
    });
    expect([...follower.held.keys()]).toEqual(['c']);
    tenant.join('staff', 'laptop');
    expect(sent(follower, tenant).overrides).toMatchObject([
      { override_id: 'a', revision: 1, deleted: false },
      { override_id: 'b', revision: 2, deleted: false },
    ]);
  });

  test("removes a group's overrides from a leaving member, also across a page boundary", () => {
    const { tenant, follower } = tenantOf((item) => {
      item.join('staff', 'laptop');
      for (const name of ['a', 'b', 'c']) item.override(name, STAFF);
    });
    tenant.leave('staff', 'laptop');
    expect(sent(follower, tenant).overrides).toMatchObject(
      ['a', 'b', 'c'].map((override_id) => ({ override_id, revision: 5, deleted: true })),
    );
    expect(pull(follower, tenant.fresh(), 2)).toBe(true);
    tenant.override('d', EVERYBODY);
    expect(pullAll(follower, tenant.fresh(), 1).map((row) => row.override_id)).toEqual(['d']);
  });

  test('removes from a former member an override that changed later, in any page', () => {
    const { tenant, follower } = tenantOf((item) => {
      item.join('staff', 'laptop');
      item.override('a', STAFF);
      item.override('b', EVERYBODY);
    });
    tenant.leave('staff', 'laptop');
    tenant.override('b', { ...EVERYBODY, rollout_percent: 99 });
    tenant.override('a', { ...STAFF, scope_id: 'guests' });
    expect(pullAll(follower, tenant.fresh(), 1)).toEqual(
      pullAll(newFollower(), tenant.fresh(), 500),
    );
  });

  test('sends nothing about a group to a device that never joined it', () => {
    const { tenant, follower } = tenantOf((item) => item.override('a', STAFF));
    tenant.join('staff', 'desktop');
    tenant.override('a', STAFF, true);
    tenant.leave('staff', 'desktop');
    expect(sent(follower, tenant)).toEqual({
      overrides: [],
      cursor: {
        phase: 'incremental',
        revision: 4,
        snapshotRevision: 4,
        resyncedAt: 0,
        subscriberId: 'alice',
      },
      hasMore: false,
    });
  });
});

test('corrects on a first pull what a lagging hub process sent', () => {
  const { tenant } = tenantOf((item) => {
    item.override('a', STAFF);
    item.override('b', EVERYBODY);
    item.join('staff', 'laptop');
    item.override('c', EVERYBODY);
  });
  const lagging = tenant.fresh();
  tenant.leave('staff', 'laptop');
  const follower = newFollower();
  pull(follower, tenant.fresh(), 1);
  pull(follower, lagging, 1);
  expect([...follower.held.keys()]).toEqual(['b', 'a']);
  expect(pullAll(follower, tenant.fresh(), 1).map((row) => row.override_id)).toEqual(['b', 'c']);
});

test('sends no deletions from before a first pull', () => {
  const { tenant } = tenantOf((item) => {
    item.override('a', EVERYBODY);
    item.override('a', EVERYBODY, true);
  });
  expect(sent(newFollower(), tenant).overrides).toEqual([]);
});

test('sends a deletion for an override that no longer reaches the device', () => {
  const { tenant, follower } = tenantOf((item) => item.override('a', EVERYBODY));
  tenant.override('a', { ...EVERYBODY, scope_kind: 'device', scope_id: 'desktop' });
  expect(sent(follower, tenant).overrides).toMatchObject([
    { override_id: 'a', revision: 2, deleted: true },
  ]);
});

test('sends a smaller rollout only to devices of the larger rollout', () => {
  const { tenant, follower } = tenantOf((item) => {
    item.override('a', { ...EVERYBODY, rollout_percent: 0 });
  });
  tenant.override('a', { ...EVERYBODY, scope_kind: 'device', scope_id: 'desktop' });
  expect(sent(follower, tenant).overrides).toEqual([]);
});

test('sends nothing to a current device, and no internal fields to any device', () => {
  const { tenant, follower } = tenantOf((item) => item.override('a', EVERYBODY));
  const held = follower.held.get('a');
  expect(held).not.toHaveProperty('scope_id');
  expect(held).not.toHaveProperty('rollout_percent');
  expect(sent(follower, tenant)).toEqual({
    overrides: [],
    cursor: {
      phase: 'incremental',
      revision: 1,
      snapshotRevision: 1,
      resyncedAt: 0,
      subscriberId: 'alice',
    },
    hasMore: false,
  });
});
