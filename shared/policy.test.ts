// The policy selects the override that decides about a process, and nothing else affects it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decide,
  isInForce,
  type OwningEntity,
  type PolicyOverride,
  type ProcessFacts,
  precedes,
} from './policy.ts';
import { EXECUTION_POLICIES, SCOPE_KINDS } from './wire/vocabulary.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const SHA = 'a'.repeat(64);
const DEMO: OwningEntity = {
  entity_id: 'e'.repeat(64),
  kind: 'package',
  name: 'demo-app',
  version: '1.9',
  publisher: 'Example Ltd',
};
const PROCESS: ProcessFacts = {
  name: 'demo',
  application_name: 'Demo Suite',
  publisher: null,
  sha256: SHA,
  entities: [DEMO],
};

let ids = 0;
function anOverride(over: Partial<PolicyOverride> = {}): PolicyOverride {
  ids++;
  return {
    override_id: `00000000-0000-0000-0000-${String(ids).padStart(12, '0')}`,
    revision: 1,
    deleted: false,
    scope_kind: 'tenant',
    match: { name: 'demo' },
    execution_policy: 'block',
    effective_at: null,
    expires_at: null,
    ...over,
  };
}

const decideOn = (overrides: PolicyOverride[], process: ProcessFacts = PROCESS) =>
  decide({ platform: 'linux' }, process, overrides, NOW);

/** Expects the same winner for both orders of the list. */
function expectWinner(winner: PolicyOverride, loser: PolicyOverride): void {
  expect(decideOn([winner, loser]).override).toBe(winner);
  expect(decideOn([loser, winner]).override).toBe(winner);
}

test('allows a process without a match, and names no override', () => {
  expect(decideOn([anOverride({ match: { name: 'other' } })])).toEqual({
    policy: 'allow',
    override: null,
    entity: null,
  });
});

describe('match', () => {
  test.each([
    ['the process name', { name: ' DEMO ' }],
    ['the application it is mapped to', { name: 'demo suite' }],
    ['the product that owns it', { name: 'Demo-App' }],
    ['the publisher of the product', { publisher: 'example LTD' }],
    ['the bytes', { executable_sha256: SHA }],
    ['the product', { entity_id: DEMO.entity_id }],
    ['the kind', { kind: 'package' as const }],
    ['the platform', { platform: 'linux' as const }],
    ['a newer version', { version_below: '1.10' }],
  ])('matches %s', (_what, match) => {
    expect(decideOn([anOverride({ match })]).policy).toBe('block');
  });

  test.each([
    ['another name', { name: 'demo-apps' }],
    ['other bytes', { executable_sha256: 'b'.repeat(64) }],
    ['another product', { entity_id: 'f'.repeat(64) }],
    ['another kind', { kind: 'mcp_server' as const }],
    ['another platform', { platform: 'win32' as const }],
    ['the very version', { version_below: '1.9' }],
    ['an older version', { version_below: '1.8' }],
    ['a single qualifier of two', { name: 'demo', publisher: 'Somebody' }],
  ])('does not match %s', (_what, match) => {
    expect(decideOn([anOverride({ match })]).override).toBeNull();
  });

  test('matches no product without a version in a condition on versions', () => {
    const process = { ...PROCESS, entities: [{ ...DEMO, version: null }] };
    expect(decideOn([anOverride({ match: { version_below: '9' } })], process).override).toBeNull();
  });

  test('requires every qualifier of the same product', () => {
    const other = { ...DEMO, entity_id: 'f'.repeat(64), version: '5' };
    const process = { ...PROCESS, entities: [DEMO, other] };
    const match = { entity_id: other.entity_id, version_below: '2' };
    expect(decideOn([anOverride({ match })], process).override).toBeNull();
  });

  test('names the product that matched', () => {
    const match = { entity_id: DEMO.entity_id };
    expect(decideOn([anOverride({ match })]).entity).toBe(DEMO);
  });
});

describe('precedence', () => {
  test('prefers the more exact match to scope and strictness', () => {
    const bytes = anOverride({ match: { executable_sha256: SHA }, execution_policy: 'allow' });
    const product = anOverride({ match: { entity_id: DEMO.entity_id }, execution_policy: 'warn' });
    const name = anOverride({ scope_kind: 'device', execution_policy: 'quarantine' });
    const publisher = anOverride({ match: { publisher: 'Example Ltd', kind: 'package' } });
    expectWinner(bytes, product);
    expectWinner(product, name);
    expectWinner(name, publisher);
  });

  test('prefers more qualifiers among equally exact matches', () => {
    const wide = anOverride({ scope_kind: 'device' });
    expectWinner(anOverride({ match: { name: 'demo', platform: 'linux' } }), wide);
  });

  test('prefers the nearer scope to strictness', () => {
    const scopes = ['device', 'subscriber', 'group', 'tenant'] as const;
    scopes.slice(1).forEach((scope_kind, i) => {
      const nearer = anOverride({ scope_kind: scopes[i] ?? 'device', execution_policy: 'allow' });
      expectWinner(nearer, anOverride({ scope_kind }));
    });
  });

  test('prefers the stricter policy to the revision', () => {
    EXECUTION_POLICIES.slice(1).forEach((execution_policy, i) => {
      const milder = EXECUTION_POLICIES[i] ?? 'allow';
      const strict = anOverride({ execution_policy, revision: 1 });
      expectWinner(strict, anOverride({ execution_policy: milder, revision: 9 }));
    });
  });

  test('prefers the higher revision, then the greater id', () => {
    expectWinner(anOverride({ revision: 10 }), anOverride({ revision: 9 }));
    const earlier = anOverride();
    expectWinner(anOverride(), earlier);
  });

  const override = fc
    .record({
      revision: fc.integer({ min: 0, max: 3 }),
      deleted: fc.boolean(),
      scope_kind: fc.constantFrom(...SCOPE_KINDS),
      execution_policy: fc.constantFrom(...EXECUTION_POLICIES),
      match: fc.constantFrom<PolicyOverride['match']>(
        { name: 'demo' },
        { name: 'other' },
        { entity_id: DEMO.entity_id },
        { executable_sha256: SHA },
        { kind: 'package', platform: 'linux' },
      ),
    })
    .map((over) => anOverride(over));

  test('ignores the order of the list', () => {
    const shuffled = fc
      .array(override, { maxLength: 8 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(decideOn(other)).toEqual(decideOn(list));
      }),
    );
  });

  test('orders different overrides totally and transitively', () => {
    fc.assert(
      fc.property(override, override, override, (a, b, c) => {
        expect(precedes(a, b)).toBe(!precedes(b, a));
        if (precedes(a, b) && precedes(b, c)) expect(precedes(a, c)).toBe(true);
      }),
    );
  });
});

describe('period of an override', () => {
  const at = (text: string | null, until: string | null, deleted = false) =>
    isInForce({ deleted, effective_at: text, expires_at: until }, NOW);

  test('applies from the start until just before the end', () => {
    expect(at(null, null)).toBe(true);
    expect(at('2026-11-20T10:00:00Z', null)).toBe(true);
    expect(at('2026-11-20T10:00:00.001Z', null)).toBe(false);
    expect(at(null, '2026-11-20T10:00:00.001Z')).toBe(true);
    expect(at(null, '2026-11-20T10:00:00Z')).toBe(false);
  });

  test('never applies after deletion', () => {
    expect(at(null, null, true)).toBe(false);
  });

  test('leaves the verdict to the next override outside of the period', () => {
    const over = anOverride({
      match: { executable_sha256: SHA },
      expires_at: '2026-11-20T09:00:00Z',
    });
    expectWinner(anOverride({ execution_policy: 'monitor' }), over);
  });
});
