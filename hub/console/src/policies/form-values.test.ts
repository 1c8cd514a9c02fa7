// The request bodies of the policy form.
import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';
import { expect, test } from 'vitest';
import {
  decisionErrors,
  EMPTY_DECISION,
  inputOf,
  patchOf,
  previewOf,
  valuesOf,
} from './form-values.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const match = { entity_id: 'a'.repeat(64) };
const blocked = { ...EMPTY_DECISION, approval: 'blocked', policy: 'block' } as const;

const stored: Override = {
  override_id: '5f1c2f0e-0000-4000-8000-000000000001',
  revision: 7,
  version: '"7"',
  match,
  approval_status: 'restricted',
  execution_policy: 'warn',
  severity: 'medium',
  reason: null,
  scope: { kind: 'tenant' },
  effective_at: '2026-11-20T00:00:00Z',
  expires_at: '2026-11-20T10:20:30Z',
  rollout: null,
  default_kind: null,
  drift_hold: false,
  product_policy_id: null,
  rollout_percent: 25,
  created_at: '2026-11-19T00:00:00Z',
  created_by: 'ada@example.org',
  updated_at: '2026-11-19T00:00:00Z',
  updated_by: 'ada@example.org',
};

test('selects no policy before the user chooses', () => {
  expect(inputOf(EMPTY_DECISION, match, NOW)).toBeNull();
});

test('builds a policy for everyone', () => {
  expect(inputOf({ ...blocked, reason: '  Not allowed.  ' }, match, NOW)).toEqual({
    match,
    approval_status: 'blocked',
    execution_policy: 'block',
    reason: 'Not allowed.',
    scope: { kind: 'tenant' },
    expires_at: null,
  });
});

test('builds a policy for a single device with a severity', () => {
  const values = { ...blocked, scope: 'device', deviceId: 'd-1', severity: 'critical' } as const;
  expect(inputOf(values, match, NOW)).toMatchObject({
    scope: { kind: 'device', device_id: 'd-1' },
    severity: 'critical',
  });
});

test('requires the device or user of a scope', () => {
  expect(inputOf({ ...blocked, scope: 'device' }, match, NOW)).toBeNull();
  expect(decisionErrors({ ...blocked, scope: 'device' }, NOW, null)).toHaveProperty('deviceId');
  expect(decisionErrors({ ...blocked, scope: 'subscriber' }, NOW, null)).toHaveProperty(
    'subscriberId',
  );
  expect(
    decisionErrors({ ...blocked, scope: 'subscriber', subscriberId: 'zoë' }, NOW, null),
  ).toHaveProperty('subscriberId');
});

test('requires an end in the future', () => {
  expect(decisionErrors({ ...blocked, expires: '2020-01-01T00:00' }, NOW, null)).toHaveProperty(
    'expires',
  );
  expect(decisionErrors({ ...blocked, expires: '2100-01-01T00:00' }, NOW, null)).toEqual({});
});

test('keeps values that the form does not show, to the second', () => {
  const patch = patchOf({ ...valuesOf(stored), policy: 'block' }, stored, NOW);
  expect(patch).toEqual({
    approval_status: 'restricted',
    execution_policy: 'block',
    severity: 'medium',
    reason: null,
    scope: { kind: 'tenant' },
    expires_at: '2026-11-20T10:20:30Z',
  });
});

test('previews a change with its start and rollout', () => {
  expect(inputOf(valuesOf(stored), stored.match, NOW, stored)).toMatchObject({
    effective_at: '2026-11-20T00:00:00Z',
    rollout_percent: 25,
  });
});

test('requests no new preview when the reason changes', () => {
  const item = inputOf({ ...blocked, reason: 'a' }, match, NOW);
  const two = inputOf({ ...blocked, reason: 'b' }, match, NOW);
  expect(item && previewOf(item, null)).toEqual(two && previewOf(two, null));
});
