// Changes of an override are classified by what they mean for reviews.
import { expect, it } from 'vitest';
import { classifyOverrideChange } from './classify-change.ts';
import type { OverrideRecord } from './store.ts';

const NOW = new Date('2026-01-02T00:00:00Z');
const PAST = new Date('2026-01-01T00:00:00Z');
const APPROVAL: OverrideRecord = {
  override_id: '00000000-0000-4000-8000-000000000001',
  revision: 1,
  version: 1,
  deleted: false,
  match: { entity_id: 'a'.repeat(64) },
  approval_status: 'approved',
  execution_policy: 'allow',
  severity: 'high',
  reason: null,
  scope_kind: 'tenant',
  scope_id: '',
  effective_at: null,
  expires_at: null,
  rollout_percent: 100,
  created_at: PAST,
  created_by: 'a@example.com',
  updated_at: PAST,
  updated_by: 'a@example.com',
  default_kind: null,
  drift_hold: false,
  product_policy_id: null,
  sort_key: '',
};
const GROUP = { scope_kind: 'group', scope_id: 'staff' } as const;
const STAGED = { ...APPROVAL, rollout_percent: 10 };
const EXPIRED = { ...APPROVAL, expires_at: PAST };

it.each<[string, OverrideRecord | null, Partial<OverrideRecord>, string, boolean]>([
  ['new approval', null, {}, 'broadened', true],
  ['new approval of a group', null, GROUP, 'broadened', true],
  ['new block', null, { approval_status: 'blocked' }, 'metadataOnly', true],
  ['block', APPROVAL, { approval_status: 'blocked' }, 'metadataOnly', true],
  ['withdrawal', APPROVAL, { deleted: true }, 'narrowed', false],
  ['limitation to a group', APPROVAL, GROUP, 'narrowed', false],
  [
    'extension to the tenant',
    { ...APPROVAL, ...GROUP },
    { scope_kind: 'tenant', scope_id: '' },
    'broadened',
    true,
  ],
  ['change of the match', APPROVAL, { match: { name: 'tool' } }, 'broadened', true],
  ['later ring of a rollout', STAGED, { rollout_percent: 50 }, 'rolloutAdvanced', false],
  ['earlier ring of a rollout', STAGED, { rollout_percent: 5 }, 'metadataOnly', false],
  ['later end of an expired approval', EXPIRED, { expires_at: null }, 'reactivated', false],
  ['later end in a group', EXPIRED, { ...GROUP, expires_at: null }, 'reactivated', false],
  ['note', APPROVAL, { reason: 'reviewed' }, 'metadataOnly', false],
])('classifies a %s', (_case, before, change, kind, reviewsDrift) => {
  const after = { ...(before ?? APPROVAL), ...change };
  expect(classifyOverrideChange(before, after, NOW)).toEqual({ kind, reviewsDrift });
});
