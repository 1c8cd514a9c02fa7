// A hold restricts only drifted products, never allows more, and is deterministic for the same drift.
import { decide, isStricter } from '@gatewarden/shared/policy.ts';
import type { DriftPolicy } from '@gatewarden/shared/wire/console/drift-policy.ts';
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  audienceOf,
  EMPTY_SNAPSHOT,
  overridesAppliedBy,
  type Snapshot,
  type StoredOverride,
} from '../sync/snapshot.ts';
import type { DriftedEntity } from './drift-store.ts';
import { diffHolds, type Hold, holdId, holdsFor } from './holds.ts';

const ENTITY = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const [HERE, ELSEWHERE] = ['device-1', 'device-2'] as const;
const NOW = Date.parse('2026-01-01T00:00:00.000Z');

const drifted: DriftedEntity = {
  entity_id: ENTITY,
  device_id: HERE,
  subscriber_id: 'alice',
  platform: 'linux',
  kind: 'mcp_server',
  name: 'files',
  version: '1.5',
  publisher: 'Acme',
};

function override(fields: Partial<StoredOverride>, revision = 1): StoredOverride {
  return {
    override_id: `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`,
    revision,
    deleted: false,
    scope_kind: 'tenant',
    scope_id: '',
    match: { entity_id: ENTITY },
    approval_status: 'approved',
    execution_policy: 'allow',
    severity: 'high',
    reason: null,
    effective_at: null,
    expires_at: null,
    rollout_percent: 100,
    ...fields,
  };
}

const snapshotOf = (overrides: StoredOverride[]): Snapshot => ({ ...EMPTY_SNAPSHOT, overrides });

const requiredUnder = (policy: DriftPolicy, overrides: readonly StoredOverride[]) =>
  holdsFor(policy, [drifted], NOW, { overrides, groupIds: new Map() });

/** The override that a hold is stored as. */
const asOverride = (hold: Hold, revision: number): StoredOverride => ({
  ...override({}, revision),
  ...hold,
  scope_kind: 'device',
  scope_id: hold.device_id,
});

const facts = (entities: DriftedEntity[], name = 'files') => ({
  name,
  application_name: null,
  publisher: null,
  sha256: null,
  entities,
});

describe('drift hold', () => {
  it('replaces the approval on the device with the drift', () => {
    const holds = requiredUnder('block', [override({})]);
    expect(holds).toEqual([
      {
        override_id: holdId(HERE, ENTITY),
        device_id: HERE,
        match: { entity_id: ENTITY },
        execution_policy: 'block',
        expires_at: null,
      },
    ]);
  });

  it.each([
    ['the approval is to go on', 'approval', [override({})]],
    ['a policy is as strict already', 'warn', [override({ execution_policy: 'warn' })]],
    ['the approval is not in force there', 'block', [override({ rollout_percent: 0 })]],
    ['the approval has ended', 'block', [override({ expires_at: '2025-12-31T00:00:00.000Z' })]],
    ['a kind is decided about only', 'block', [override({ match: { kind: 'mcp_server' } })]],
    [
      'somebody blocked it there',
      'warn',
      [
        override({}),
        override({ scope_kind: 'device', scope_id: HERE, execution_policy: 'block' }, 2),
      ],
    ],
  ] as const)('creates no hold where %s', (_, policy, overrides) => {
    expect(requiredUnder(policy, overrides)).toEqual([]);
  });

  it('inherits end and match of the replaced override', () => {
    const expires_at = '2026-02-01T00:00:00.000Z';
    const match = { entity_id: ENTITY, version_below: '2' };
    const [hold] = requiredUnder('warn', [override({}), override({ match, expires_at }, 2)]);
    expect(hold).toMatchObject({ match, expires_at });
  });

  it('never allows more than before, and affects only drifted products of that device', () => {
    const match = fc.constantFrom(
      { entity_id: ENTITY },
      { entity_id: ENTITY, version_below: '2' },
      { entity_id: ENTITY, platform: 'linux' as const },
      { entity_id: OTHER },
      { name: 'files' },
      { kind: 'mcp_server' as const },
      { publisher: 'Acme' },
      { entity_id: ENTITY, name: 'node' },
      { entity_id: ENTITY, name: 'helper' },
      { entity_id: ENTITY, name: 'Files' },
      { entity_id: ENTITY, name: 'node', platform: 'linux' as const },
    );
    const stored = fc.record({
      match,
      execution_policy: fc.constantFrom(...EXECUTION_POLICIES),
      scope: fc.constantFrom(['tenant', ''], ['subscriber', 'alice'], ['device', HERE]),
      expires_at: fc.constantFrom(null, '2025-06-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'),
      rollout_percent: fc.constantFrom(0, 50, 100),
      deleted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(stored, { maxLength: 6 }),
        fc.constantFrom('warn' as const, 'block' as const),
        (list, policy) => {
          const people = list.map(({ scope: [kind, id], ...fields }, i) =>
            override({ ...fields, scope_kind: kind as 'tenant', scope_id: id as string }, i + 1),
          );
          const before = snapshotOf(people);
          const holds = requiredUnder(policy, people);
          const after = snapshotOf([
            ...people,
            ...holds.map((hold, i) => asOverride(hold, 100 + i)),
          ]);
          const decided = (
            snapshot: Snapshot,
            deviceId: string,
            entity: DriftedEntity,
            name = 'files',
          ) =>
            decide(
              { platform: 'linux' },
              facts([entity], name),
              overridesAppliedBy(snapshot, audienceOf(snapshot, deviceId, 'alice'), 0),
              NOW,
            );
          for (const name of ['files', 'Node', 'helper', 'another']) {
            const [was, is] = [before, after].map((snapshot) =>
              decided(snapshot, HERE, drifted, name),
            );
            if (was === undefined || is === undefined) throw new Error('two were decided');
            // Approved by its id and laxer than the setting: it is suspended.
            const isSuspended =
              was.override?.match.entity_id === ENTITY && isStricter(policy, was.policy);
            expect(is.policy).toBe(isSuspended ? policy : was.policy);
          }
          expect(new Set(holds.map((hold) => hold.override_id)).size).toBe(holds.length);
          const other = { ...drifted, entity_id: OTHER };
          expect(decided(after, HERE, other)).toEqual(decided(before, HERE, other));
          expect(decided(after, ELSEWHERE, drifted)).toEqual(decided(before, ELSEWHERE, drifted));
          expect(diffHolds(holds, requiredUnder(policy, people))).toEqual({
            set: [],
            lift: [],
          });
        },
      ),
    );
  });
});

describe('update of holds', () => {
  const hold = (deviceId: string, execution_policy: 'warn' | 'block'): Hold => ({
    override_id: holdId(deviceId, ENTITY),
    device_id: deviceId,
    match: { entity_id: ENTITY },
    execution_policy,
    expires_at: null,
  });
  it('writes only the difference', () => {
    const present = [hold(HERE, 'warn'), hold(ELSEWHERE, 'warn')];
    expect(diffHolds(present, [hold(HERE, 'block')])).toEqual({
      set: [hold(HERE, 'block')],
      lift: [hold(ELSEWHERE, 'warn')],
    });
  });
});

describe('approvals for several processes', () => {
  const named = (name: string, revision: number, fields: Partial<StoredOverride> = {}) =>
    override({ match: { entity_id: ENTITY, name }, ...fields }, revision);

  it('holds each named process, and the whole application beside them', () => {
    const approvals = [named('node', 1), named('helper', 2), override({}, 3)];
    const holds = requiredUnder('block', approvals);
    const byMatch = new Map(holds.map((hold) => [hold.match.name, hold]));
    expect([...byMatch.keys()].sort()).toEqual(['helper', 'node', undefined]);
    for (const hold of holds) {
      expect(hold).toMatchObject({ device_id: HERE, execution_policy: 'block' });
      expect(hold.override_id).toBe(holdId(HERE, ENTITY, hold.match.name));
    }
  });

  it('creates a single hold for two approvals of a process, and none where an override is as strict', () => {
    const holds = requiredUnder('warn', [
      named('node', 1),
      named('NODE ', 2, { execution_policy: 'monitor', scope_kind: 'device', scope_id: HERE }),
      named('helper', 3, { execution_policy: 'block' }),
    ]);
    expect(holds).toMatchObject([{ match: { name: 'NODE ' }, execution_policy: 'warn' }]);
  });

  it('keeps a stricter override ahead of the approval in force', () => {
    const strict = named('helper', 2, {
      execution_policy: 'block',
      scope_kind: 'subscriber',
      scope_id: 'alice',
    });
    const approval = override({ match: { entity_id: ENTITY, platform: 'linux' } });
    const holds = requiredUnder('warn', [approval, strict]);
    expect(holds.map((hold) => [hold.match, hold.execution_policy])).toEqual([
      [approval.match, 'warn'],
      [strict.match, 'block'],
    ]);
  });
});
