// Default policies are validated, and yield to every more specific or nearer override.
import { breadthOf, precedes } from '@gatewarden/shared/policy.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import {
  ENTITY_KINDS,
  EXECUTION_POLICIES,
  SCOPE_KINDS,
} from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { checkDefaults, defaultOverride, defaultOverrideId } from './defaults.ts';

const BY = { email: 'ada@example.com', now: new Date('2026-11-21T10:00:00Z') };

test('derives the same override id for each kind', () => {
  const ids = ENTITY_KINDS.map(defaultOverrideId);
  expect(new Set(ids).size).toBe(ENTITY_KINDS.length);
  expect(ENTITY_KINDS.map(defaultOverrideId)).toEqual(ids);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('builds a tenant-wide pending override for the kind only', () => {
  expect(defaultOverride({ kind: 'mcp_server', execution_policy: 'block' }, BY)).toMatchObject({
    match: { kind: 'mcp_server' },
    scope_kind: 'tenant',
    approval_status: 'pending',
    severity: 'high',
    rollout_percent: 100,
    default_kind: 'mcp_server',
  });
});

test('rejects a duplicate kind, and a block where agents would not terminate', () => {
  for (const kind of ENTITY_KINDS) {
    for (const execution_policy of EXECUTION_POLICIES) {
      const check = () => checkDefaults([{ kind, execution_policy }]);
      const ends = execution_policy === 'block' || execution_policy === 'quarantine';
      if (ends && breadthOf({ kind }) === 'everything') {
        expect(check).toThrow(/^\/policies\/0\/execution_policy .*package/);
      } else expect(check).not.toThrow();
    }
  }
  const twice = { kind: 'ai_tool', execution_policy: 'warn' } as const;
  expect(() => checkDefaults([twice, twice])).toThrow(/^\/policies\/1\/kind/);
});

const text = fc.constantFrom('x', 'y');
const match = fc.record(
  {
    executable_sha256: text,
    entity_id: text,
    name: text,
    publisher: text,
    version_below: text,
    platform: fc.constant('linux' as const),
    kind: fc.constantFrom(...ENTITY_KINDS),
  },
  { requiredKeys: [] },
);

test('yields to an override that names the product, has more criteria or a nearer scope, at any time', () => {
  fc.assert(
    fc.property(
      match.filter((row) => Object.keys(row).length > 0),
      fc.constantFrom(...SCOPE_KINDS),
      fc.constantFrom(...EXECUTION_POLICIES),
      fc.constantFrom(...EXECUTION_POLICIES),
      fc.nat(),
      fc.nat(),
      (decided, scope_kind, policy, standing, revision, earlier) => {
        const names = decided.executable_sha256 ?? decided.entity_id ?? decided.name;
        fc.pre(names !== undefined || Object.keys(decided).length > 1 || scope_kind !== 'tenant');
        const common = { deleted: false, effective_at: null, expires_at: null };
        const decision = {
          ...common,
          override_id: '0',
          revision,
          scope_kind,
          match: decided as OverrideMatch,
          execution_policy: policy,
        };
        const byDefault = {
          ...common,
          override_id: defaultOverrideId('mcp_server'),
          revision: earlier,
          scope_kind: 'tenant' as const,
          match: { kind: 'mcp_server' } as const,
          execution_policy: standing,
        };
        expect(precedes(decision, byDefault)).toBe(true);
        expect(precedes(byDefault, decision)).toBe(false);
      },
    ),
    { numRuns: propertyRuns(2_000) },
  );
});
