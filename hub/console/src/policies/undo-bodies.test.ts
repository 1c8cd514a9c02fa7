import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { expect, it } from 'vitest';
import { againOf, backOf, canComeBack } from './undo-bodies.ts';

const decision: Override = {
  override_id: '00000000-0000-4000-8000-000000000000',
  revision: 7,
  version: '"3"',
  match: { name: 'x' },
  approval_status: 'blocked',
  execution_policy: 'block',
  severity: 'high',
  reason: 'because',
  scope: { kind: 'tenant' },
  effective_at: null,
  expires_at: null,
  rollout_percent: 100,
  rollout: null,
  default_kind: null,
  drift_hold: false,
  product_policy_id: null,
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'a',
  updated_at: '2026-01-01T00:00:00Z',
  updated_by: 'a',
};

it('takes back what a change changed and nothing else', () => {
  const after = {
    ...decision,
    version: '"4"',
    revision: 8,
    reason: null,
    execution_policy: 'warn' as const,
  };
  expect(backOf(decision, after)).toEqual({ reason: 'because', execution_policy: 'block' });
});

it('decides again what was withdrawn, without what only the hub says', () => {
  expect(Object.keys(againOf(decision)).sort()).toEqual([
    'approval_status',
    'effective_at',
    'execution_policy',
    'expires_at',
    'match',
    'reason',
    'scope',
    'severity',
  ]);
});

it('offers no way back where the same devices would not be chosen, or where it has ended', () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  expect(canComeBack(decision, now)).toBe(true);
  expect(canComeBack({ ...decision, rollout_percent: 50 }, now)).toBe(false);
  expect(canComeBack({ ...decision, expires_at: '2026-05-01T00:00:00Z' }, now)).toBe(false);
});
