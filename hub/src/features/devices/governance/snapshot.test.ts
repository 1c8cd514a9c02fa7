// What a device is sent: followed through any history and with any page size, it ends with what it should hold.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { decide, type PolicyOverride, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch, WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Membership } from '../groups/index.ts';
import { deltaPage, isForgotten, type Position } from './pages.ts';
import { mayLeaveScope } from './rules.ts';
import {
  audienceOf,
  type Changes,
  type Departure,
  EMPTY_SNAPSHOT,
  expectedDigest,
  heldBy,
  type Snapshot,
  type StoredOverride,
  startOf,
  withChanges,
} from './snapshot.ts';

type Scope = Pick<StoredOverride, 'scope_kind' | 'scope_id' | 'rollout_percent'>;
const EVERYBODY: Scope = { scope_kind: 'tenant', scope_id: '', rollout_percent: 100 };
const STAFF: Scope = { scope_kind: 'group', scope_id: 'staff', rollout_percent: 100 };

const MATCHES: Record<string, OverrideMatch> = {
  a: { name: 'demo' },
  b: { entity_id: 'b'.repeat(64) },
  c: { kind: 'ai_tool' },
  d: { publisher: 'Example' },
  e: { name: 'demo', platform: 'linux' },
};
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

/** The tenant's rows as the stores keep them. */
class Tenant {
  n = 0;
  floor = 0;
  overrides: StoredOverride[] = [];
  departures: Departure[] = [];
  members: Membership[] = [];
  leavers: Membership[] = [];

  override(id: string, to: Scope, deleted = false): void {
    const old = this.overrides.find((one) => one.override_id === id);
    // What was deleted stays deleted, and was something before.
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
      expires_at: null,
      scope_kind,
      scope_id,
      rollout_percent,
    };
    if (old !== undefined && !deleted && mayLeaveScope(old, override)) {
      this.departures.push({
        revision,
        override_id: id,
        scope_kind: old.scope_kind,
        scope_id: old.scope_id,
        rollout_percent: old.rollout_percent,
      });
    }
    this.overrides = [...this.overrides.filter((one) => one !== old), override];
  }

  join(group_id: string, device_id: string): void {
    if (this.memberOf(group_id, device_id)) return;
    this.members.push({ revision: ++this.n, group_id, device_id });
  }

  leave(group_id: string, device_id: string): void {
    const member = this.memberOf(group_id, device_id);
    if (member === undefined) return;
    this.members = this.members.filter((one) => one !== member);
    this.leavers.push({ revision: ++this.n, group_id, device_id });
  }

  /** As deleting a group does: all leave with one number. */
  disband(group_id: string): void {
    if (this.overrides.some((one) => !one.deleted && one.scope_id === group_id)) return;
    const revision = ++this.n;
    const gone = this.members.filter((one) => one.group_id === group_id);
    this.members = this.members.filter((one) => one.group_id !== group_id);
    this.leavers.push(...gone.map((one) => ({ ...one, revision })));
  }

  /** As the job does: what left up to some number is forgotten. */
  forget(percent: number): void {
    this.floor = Math.max(this.floor, Math.floor((this.n * percent) / 100));
    this.departures = this.departures.filter((one) => one.revision > this.floor);
    this.leavers = this.leavers.filter((one) => one.revision > this.floor);
  }

  private memberOf(group_id: string, device_id: string): Membership | undefined {
    return this.members.find((one) => one.group_id === group_id && one.device_id === device_id);
  }

  changesAfter(n: number): Changes {
    const later = <T extends { revision: number }>(list: T[]) =>
      list.filter((one) => one.revision > n);
    return {
      n: this.n,
      floor: this.floor,
      ceiling: 'enforce',
      discovery: EMPTY_SNAPSHOT.discovery,
      overrides: later(this.overrides),
      departures: later(this.departures),
      joined: later(this.members),
      left: later(this.leavers),
    };
  }

  fresh(): Snapshot {
    return withChanges(EMPTY_SNAPSHOT, this.changesAfter(0));
  }
}

const caughtUp = (before: Snapshot, tenant: Tenant): Snapshot => {
  const from = startOf(before, tenant.floor);
  return withChanges(from, tenant.changesAfter(from.n));
};

const audience = (snapshot: Snapshot) => audienceOf(snapshot, 'laptop', 'alice');

interface Follower {
  held: Map<string, WireOverride>;
  position: Position | null;
}

const newFollower = (): Follower => ({ held: new Map(), position: null });

/** One page, applied as an agent applies it: a lower revision never takes away or replaces a higher one. */
function pull(follower: Follower, snapshot: Snapshot, limit: number): boolean {
  const { position } = follower;
  if (position !== null && isForgotten(snapshot, position)) Object.assign(follower, newFollower());
  const page = deltaPage(snapshot, audience(snapshot), follower.position, limit);
  expect(page.overrides.length).toBeLessThanOrEqual(limit);
  expect(new Set(page.overrides.map((one) => one.override_id)).size).toBe(page.overrides.length);
  for (const override of page.overrides) {
    const held = follower.held.get(override.override_id);
    if (held !== undefined && held.revision > override.revision) continue;
    if (override.deleted) follower.held.delete(override.override_id);
    else follower.held.set(override.override_id, override);
  }
  follower.position = page.position;
  return page.hasMore;
}

function pullAll(follower: Follower, snapshot: Snapshot, limit: number): WireOverride[] {
  // Each page goes on, so there are never more pages than changes.
  for (let pages = 0; pull(follower, snapshot, limit); pages++) {
    expect(pages).toBeLessThanOrEqual(500);
  }
  return [...follower.held.values()].sort((a, b) => a.revision - b.revision);
}

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
  fc.record({ do: fc.constant('put' as const), id, to: scope }),
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

function apply(tenant: Tenant, one: typeof write extends fc.Arbitrary<infer T> ? T : never): void {
  switch (one.do) {
    case 'put':
      tenant.override(one.id, { ...one.to.scope, rollout_percent: one.to.rollout_percent });
      break;
    case 'delete':
      tenant.override(one.id, EVERYBODY, true);
      break;
    case 'join':
      tenant.join(one.group, one.device);
      break;
    case 'leave':
      tenant.leave(one.group, one.device);
      break;
    case 'disband':
      tenant.disband(one.group);
      break;
  }
}

test('who follows a history with any page size, of any hub process, holds what a fresh pull gives', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      (steps, limit) => {
        const follower = newFollower();
        const tenant = new Tenant();
        let prompt = EMPTY_SNAPSHOT;
        let lagging = EMPTY_SNAPSHOT;
        for (const one of steps) {
          if (one.do === 'read') lagging = caughtUp(lagging, tenant);
          // Nobody is told: who reads next learns of it.
          else if (one.do === 'forget') tenant.forget(one.percent);
          else if (one.do === 'pull') {
            // A process that knows less than the device was told reads again before it answers.
            if ((follower.position?.at ?? 0) > lagging.n) {
              lagging = caughtUp(lagging, tenant);
            }
            pull(follower, one.lags ? lagging : prompt, one.limit);
          } else {
            apply(tenant, one);
            prompt = caughtUp(prompt, tenant);
          }
        }
        prompt = caughtUp(prompt, tenant);
        expect(caughtUp(lagging, tenant)).toEqual(prompt);
        const held = pullAll(follower, prompt, limit);
        expect(held).toEqual(pullAll(newFollower(), tenant.fresh(), 500));
        expect(appliedDigest(held)).toBe(expectedDigest(prompt, audience(prompt)));
        // What the device decides by what it holds is what the hub previews by what it knows.
        for (const process of PROCESSES) {
          const there = decide(DEVICE, process, held, 0);
          const here = decide<PolicyOverride>(DEVICE, process, heldBy(prompt, audience(prompt)), 0);
          expect([there.policy, there.override?.override_id]).toEqual([
            here.policy,
            here.override?.override_id,
          ]);
        }
      },
    ),
    { numRuns: 5_000 },
  );
});

function tenantOf(build: (tenant: Tenant) => void): { tenant: Tenant; follower: Follower } {
  const tenant = new Tenant();
  build(tenant);
  const follower = newFollower();
  pullAll(follower, tenant.fresh(), 500);
  return { tenant, follower };
}

const sent = (follower: Follower, tenant: Tenant, limit = 10) => {
  const snapshot = tenant.fresh();
  return deltaPage(snapshot, audience(snapshot), follower.position, limit);
};

describe('a group', () => {
  test('brings its overrides to who joins, with their own revisions', () => {
    const { tenant, follower } = tenantOf((one) => {
      one.override('a', STAFF);
      one.override('b', STAFF);
      one.override('c', EVERYBODY);
    });
    expect([...follower.held.keys()]).toEqual(['c']);
    tenant.join('staff', 'laptop');
    expect(sent(follower, tenant).overrides).toMatchObject([
      { override_id: 'a', revision: 1, deleted: false },
      { override_id: 'b', revision: 2, deleted: false },
    ]);
  });

  test('takes them away from who leaves, also where the page ends among them', () => {
    const { tenant, follower } = tenantOf((one) => {
      one.join('staff', 'laptop');
      for (const name of ['a', 'b', 'c']) one.override(name, STAFF);
    });
    tenant.leave('staff', 'laptop');
    expect(sent(follower, tenant).overrides).toMatchObject(
      ['a', 'b', 'c'].map((override_id) => ({ override_id, revision: 5, deleted: true })),
    );
    expect(pull(follower, tenant.fresh(), 2)).toBe(true);
    tenant.override('d', EVERYBODY);
    expect(pullAll(follower, tenant.fresh(), 1).map((one) => one.override_id)).toEqual(['d']);
  });

  test('is forgotten by who left before its override moved on, in whatever page it is told', () => {
    const { tenant, follower } = tenantOf((one) => {
      one.join('staff', 'laptop');
      one.override('a', STAFF);
      one.override('b', EVERYBODY);
    });
    tenant.leave('staff', 'laptop');
    tenant.override('b', { ...EVERYBODY, rollout_percent: 99 });
    tenant.override('a', { ...STAFF, scope_id: 'guests' });
    expect(pullAll(follower, tenant.fresh(), 1)).toEqual(
      pullAll(newFollower(), tenant.fresh(), 500),
    );
  });

  test('says nothing to who was never in it', () => {
    const { tenant, follower } = tenantOf((one) => one.override('a', STAFF));
    tenant.join('staff', 'desktop');
    tenant.override('a', STAFF, true);
    tenant.leave('staff', 'desktop');
    expect(sent(follower, tenant)).toEqual({
      overrides: [],
      position: { at: 4, bound: null },
      hasMore: false,
    });
  });
});

test('a first pull forgets what a lagging hub process told it and another knows to be gone', () => {
  const { tenant } = tenantOf((one) => {
    one.override('a', STAFF);
    one.override('b', EVERYBODY);
    one.join('staff', 'laptop');
    one.override('c', EVERYBODY);
  });
  const lagging = tenant.fresh();
  tenant.leave('staff', 'laptop');
  const follower = newFollower();
  pull(follower, tenant.fresh(), 1);
  pull(follower, lagging, 1);
  expect([...follower.held.keys()]).toEqual(['b', 'a']);
  expect(pullAll(follower, tenant.fresh(), 1).map((one) => one.override_id)).toEqual(['b', 'c']);
});

test('a first pull hears nothing of what was deleted before it began', () => {
  const { tenant } = tenantOf((one) => {
    one.override('a', EVERYBODY);
    one.override('a', EVERYBODY, true);
  });
  expect(sent(newFollower(), tenant).overrides).toEqual([]);
});

test('an override that no longer aims at the device arrives as deleted', () => {
  const { tenant, follower } = tenantOf((one) => one.override('a', EVERYBODY));
  tenant.override('a', { ...EVERYBODY, scope_kind: 'device', scope_id: 'desktop' });
  expect(sent(follower, tenant).overrides).toMatchObject([
    { override_id: 'a', revision: 2, deleted: true },
  ]);
});

test('a smaller rollout is told to those only whom the larger one had admitted', () => {
  const { tenant, follower } = tenantOf((one) => {
    one.override('a', { ...EVERYBODY, rollout_percent: 0 });
  });
  tenant.override('a', { ...EVERYBODY, scope_kind: 'device', scope_id: 'desktop' });
  expect(sent(follower, tenant).overrides).toEqual([]);
});

test('who is up to date is sent nothing, and nobody is sent what is not of the wire', () => {
  const { tenant, follower } = tenantOf((one) => one.override('a', EVERYBODY));
  const held = follower.held.get('a');
  expect(held).not.toHaveProperty('scope_id');
  expect(held).not.toHaveProperty('rollout_percent');
  expect(sent(follower, tenant)).toEqual({
    overrides: [],
    position: { at: 1, bound: null },
    hasMore: false,
  });
});
