// Overrides are validated at creation and change.
import type { OverrideInput } from '@gatewarden/shared/wire/console/overrides.ts';
import { describe, expect, test } from 'vitest';
import {
  decidedProduct,
  mayLeaveScope,
  newOverride,
  overrideRow,
  patchedOverride,
} from './override-rules.ts';
import type { OverrideRecord } from './store.ts';

const THEN = new Date('2026-11-20T10:00:00Z');
const NOW = new Date('2026-11-21T10:00:00Z');
const INPUT: OverrideInput = {
  match: { name: 'demo' },
  approval_status: 'blocked',
  execution_policy: 'block',
  scope: { kind: 'tenant' },
};
const BY = { overrideId: 'o1', email: 'ada@example.com', now: THEN };
const made = (over: Partial<OverrideInput> = {}) => newOverride({ ...INPUT, ...over }, BY);
const stored = (over: Partial<OverrideInput> = {}): OverrideRecord => ({
  ...made(over),
  version: 3,
  revision: 7,
  deleted: false,
  sort_key: 'k',
});

describe('new override', () => {
  test('fills in defaults', () => {
    expect(made()).toMatchObject({
      severity: 'high',
      reason: null,
      rollout_percent: 100,
      effective_at: null,
      expires_at: null,
      created_by: 'ada@example.com',
    });
    expect(made({ execution_policy: 'quarantine' }).severity).toBe('critical');
    expect(made({ rollout_percent: 0 }).rollout_percent).toBe(0);
  });

  test('stores device ids in lower case, and subscribers as written', () => {
    const device_id = 'ABCDEF00-0000-4000-8000-000000000000';
    expect(made({ scope: { kind: 'device', device_id } }).scope_id).toBe(device_id.toLowerCase());
    expect(made({ scope: { kind: 'subscriber', subscriber_id: 'Alice' } }).scope_id).toBe('Alice');
    expect(made().scope_id).toBe('');
  });

  test.each<[string, Partial<OverrideInput>, RegExp]>([
    ['a blank name', { match: { name: ' ' } }, /^\/match\/name/],
    ['a blank publisher', { match: { publisher: '\t' } }, /^\/match\/publisher/],
    [
      'an end before its beginning',
      { effective_at: '2026-11-21T00:00:00Z', expires_at: '2026-11-20T00:00:00Z' },
      /^\/expires_at/,
    ],
    [
      'an end at its beginning',
      { effective_at: '2026-11-21T00:00:00Z', expires_at: '2026-11-21T00:00:00Z' },
      /^\/expires_at/,
    ],
    ['an end that has passed', { expires_at: THEN.toISOString() }, /^\/expires_at must be in the/],
  ])('rejects %s with its pointer', (_what, over, message) => {
    expect(() => made(over)).toThrow(message);
  });
});

describe('change of an override', () => {
  const by = { email: 'bob@example.com', now: NOW };

  test('ignores a change without an effect', () => {
    expect(patchedOverride(stored(), {}, by)).toBeNull();
    expect(patchedOverride(stored(), { execution_policy: 'block', reason: null }, by)).toBeNull();
    expect(patchedOverride(stored(), { scope: { kind: 'tenant' } }, by)).toBeNull();
  });

  test('keeps unnamed fields, and records the author', () => {
    const after = patchedOverride(stored({ reason: 'old' }), { execution_policy: 'warn' }, by);
    expect(after).toMatchObject({
      execution_policy: 'warn',
      reason: 'old',
      match: { name: 'demo' },
      created_by: 'ada@example.com',
      updated_by: 'bob@example.com',
      updated_at: NOW,
    });
  });

  test('deletes a field by null, and replaces match and scope completely', () => {
    const before = stored({ reason: 'old', match: { name: 'demo', platform: 'linux' } });
    const scope = { kind: 'subscriber', subscriber_id: 'bob' } as const;
    expect(
      patchedOverride(before, { reason: null, match: { name: 'x' }, scope }, by),
    ).toMatchObject({
      reason: null,
      match: { name: 'x' },
      scope_kind: 'subscriber',
      scope_id: 'bob',
    });
  });

  test('validates a change against the remaining fields', () => {
    const before = stored({ effective_at: '2026-11-21T00:00:00Z' });
    expect(() => patchedOverride(before, { expires_at: '2026-11-20T00:00:00Z' }, by)).toThrow(
      /^\/expires_at/,
    );
  });

  test('rejects an end in the past, and keeps an end that has passed', () => {
    const ended = { ...stored(), expires_at: new Date(NOW.getTime() - 1) };
    const expires_at = ended.expires_at.toISOString();
    expect(patchedOverride(ended, { expires_at, reason: 'over' }, by)).toMatchObject({
      reason: 'over',
    });
    expect(() => patchedOverride(stored(), { expires_at }, by)).toThrow(/^\/expires_at must be in/);
  });
});

test.each([
  ['another scope', { scope_kind: 'device', scope_id: 'd' }, true],
  ['a smaller rollout', { rollout_percent: 40 }, true],
  ['a larger rollout', { rollout_percent: 60 }, false],
  ['the same', {}, false],
] as const)('detects for %s that devices may leave: %s', (_what, over, answer) => {
  const before = { scope_kind: 'tenant', scope_id: '', rollout_percent: 50 } as const;
  expect(mayLeaveScope(before, { ...before, ...over })).toBe(answer);
});

test('returns the scope as written, times as text and the version as an ETag', () => {
  const scope = { kind: 'subscriber', subscriber_id: 'alice' } as const;
  const row = overrideRow(stored({ scope, expires_at: '2026-12-01T00:00:00Z' }), null);
  expect(row).toMatchObject({ scope, version: '"3"', expires_at: '2026-12-01T00:00:00.000Z' });
  for (const name of ['deleted', 'sort_key', 'scope_id']) expect(row).not.toHaveProperty(name);
});

test("sets a product's approval only for a tenant-wide match of the whole product", () => {
  const entity_id = 'e'.repeat(64);
  expect(decidedProduct(stored({ match: { entity_id } }))).toBe(entity_id);
  expect(decidedProduct(stored({ match: { entity_id, version_below: '2' } }))).toBeNull();
  expect(decidedProduct(stored())).toBeNull();
  const scope = { kind: 'subscriber', subscriber_id: 'a' } as const;
  expect(decidedProduct(stored({ match: { entity_id }, scope }))).toBeNull();
});
