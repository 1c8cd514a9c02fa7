// A hold only ever allows less, holds only what drifted, and the same drift gives the same holds.
import { decide, isStricter } from '@gatewarden/shared/policy.ts';
import { EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DriftedEntity } from '../inventory/index.ts';
import { type Hold, holdChanges, holdId, holdsFor } from './drift-holds.ts';
import {
  audienceOf,
  EMPTY_SNAPSHOT,
  heldBy,
  type Snapshot,
  type StoredOverride,
} from './snapshot.ts';

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

function override(said: Partial<StoredOverride>, revision = 1): StoredOverride {
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
    ...said,
  };
}

const snapshotOf = (overrides: StoredOverride[]): Snapshot => ({ ...EMPTY_SNAPSHOT, overrides });

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

describe('a hold', () => {
  it('stands in the place of the approval, on the device where it drifted', () => {
    const holds = holdsFor('block', [drifted], snapshotOf([override({})]), NOW);
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
    ['the approval is to go on', null, [override({})]],
    ['the device is held to the same already', 'warn', [override({ execution_policy: 'warn' })]],
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
  ] as const)('is not there where %s', (_, policy, overrides) => {
    expect(holdsFor(policy, [drifted], snapshotOf([...overrides]), NOW)).toEqual([]);
  });

  it('ends with the decision in whose place it stands, and has its match', () => {
    const expires_at = '2026-02-01T00:00:00.000Z';
    const match = { entity_id: ENTITY, version_below: '2' };
    const [hold] = holdsFor(
      'warn',
      [drifted],
      snapshotOf([override({}), override({ match, expires_at }, 2)]),
      NOW,
    );
    expect(hold).toMatchObject({ match, expires_at });
  });

  it('never allows more than before, and touches nothing but what drifted on that device', () => {
    const match = fc.constantFrom(
      { entity_id: ENTITY },
      { entity_id: ENTITY, version_below: '2' },
      { entity_id: ENTITY, platform: 'linux' as const },
      { entity_id: OTHER },
      { name: 'files' },
      { kind: 'mcp_server' as const },
      { publisher: 'Acme' },
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
          const people = list.map(({ scope: [kind, id], ...said }, i) =>
            override({ ...said, scope_kind: kind as 'tenant', scope_id: id as string }, i + 1),
          );
          const before = snapshotOf(people);
          const holds = holdsFor(policy, [drifted], before, NOW);
          const after = snapshotOf([...people, ...holds.map((one, i) => asOverride(one, 100 + i))]);
          const decided = (snapshot: Snapshot, deviceId: string, entity: DriftedEntity) =>
            decide(
              { platform: 'linux' },
              facts([entity]),
              heldBy(snapshot, audienceOf(snapshot, deviceId, 'alice'), 0),
              NOW,
            );
          const [was, is] = [before, after].map((one) => decided(one, HERE, drifted));
          if (was === undefined || is === undefined) throw new Error('two were decided');
          expect(isStricter(was.policy, is.policy)).toBe(false);
          // Approved by its id and laxer than the setting: that is what is held.
          const isHeld = was.override?.match.entity_id === ENTITY && isStricter(policy, was.policy);
          expect(is.policy).toBe(isHeld ? policy : was.policy);
          const other = { ...drifted, entity_id: OTHER };
          expect(decided(after, HERE, other)).toEqual(decided(before, HERE, other));
          expect(decided(after, ELSEWHERE, drifted)).toEqual(decided(before, ELSEWHERE, drifted));
          // With its own holds in the snapshot it comes to the same.
          expect(holdsFor(policy, [drifted], after, NOW)).toEqual(holds);
          expect(holdChanges(holds, holdsFor(policy, [drifted], after, NOW))).toEqual({
            set: [],
            lift: [],
          });
        },
      ),
    );
  });
});

describe('what changes', () => {
  const hold = (deviceId: string, execution_policy: 'warn' | 'block'): Hold => ({
    override_id: holdId(deviceId, ENTITY),
    device_id: deviceId,
    match: { entity_id: ENTITY },
    execution_policy,
    expires_at: null,
  });
  it('is only the difference', () => {
    const present = [hold(HERE, 'warn'), hold(ELSEWHERE, 'warn')];
    expect(holdChanges(present, [hold(HERE, 'block')])).toEqual({
      set: [hold(HERE, 'block')],
      lift: [hold(ELSEWHERE, 'warn')],
    });
  });
});

it('an approval for a process that is called otherwise is held for that process', () => {
  const approval = override({ match: { entity_id: ENTITY, name: 'node' } });
  const [hold, ...others] = holdsFor('block', [drifted], snapshotOf([approval]), NOW);
  expect(others).toEqual([]);
  expect(hold).toMatchObject({ device_id: HERE, match: approval.match, execution_policy: 'block' });
});
