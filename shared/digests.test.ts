// Digests are equal for equal contents, in any order.

import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appliedDigest, canonicalForm, EMPTY_INVENTORY, entityHash, xorHash } from './digests.ts';
import { sha256Hex } from './identity.ts';

const overrideLists = fc.uniqueArray(fc.record({ override_id: fc.uuid(), revision: fc.nat() }), {
  selector: (override) => override.override_id,
  maxLength: 8,
});

test('computes the digest of overrides by its definition', () => {
  expect(appliedDigest([])).toBe(sha256Hex(''));
  expect(
    appliedDigest([
      { override_id: 'B0000000-0000-0000-0000-000000000000', revision: 2 },
      { override_id: 'a0000000-0000-0000-0000-000000000000', revision: 10 },
    ]),
  ).toBe(
    sha256Hex('a0000000-0000-0000-0000-000000000000:10\nb0000000-0000-0000-0000-000000000000:2'),
  );
});

test('ignores order and letter case of ids in the digest', () => {
  fc.assert(
    fc.property(overrideLists, (list) => {
      const other = [...list]
        .reverse()
        .map((override) => ({ ...override, override_id: override.override_id.toUpperCase() }));
      expect(appliedDigest(other)).toBe(appliedDigest(list));
    }),
  );
});

test('changes the digest with a revision', () => {
  fc.assert(
    fc.property(overrideLists, (list) => {
      fc.pre(list.length > 0);
      const other = list.map((override, i) =>
        i === 0 ? { ...override, revision: override.revision + 1 } : override,
      );
      expect(appliedDigest(other)).not.toBe(appliedDigest(list));
    }),
  );
});

test('hashes an entity independently of field order, unknown fields included', () => {
  expect(entityHash({ a: 1, b: [2, { c: null, d: 'é' }] })).toEqual(
    entityHash({ b: [2, { d: 'é', c: null }], a: 1 }),
  );
  expect(entityHash({ a: 1, later: 2 })).not.toEqual(entityHash({ a: 1 }));
});

test('computes an inventory hash independently of order, and subtraction reverses addition', () => {
  const entities = fc.array(fc.record({ name: fc.string() }), { maxLength: 6 });
  fc.assert(
    fc.property(entities, (list) => {
      const sum = (all: object[]) => all.map(entityHash).reduce(xorHash, EMPTY_INVENTORY);
      expect(sum([...list].reverse())).toEqual(sum(list));
      expect(sum([...list, ...list])).toEqual(EMPTY_INVENTORY);
    }),
  );
});

test('leaves operands of an addition unchanged', () => {
  xorHash(EMPTY_INVENTORY, entityHash({ a: 1 }));
  expect(EMPTY_INVENTORY.every((byte) => byte === 0)).toBe(true);
});

test('canonicalizes any JSON by RFC 8785', () => {
  const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('1', '10', '9', 'a'));
  const value = fc.dictionary(
    key.filter((override) => override !== '__proto__'),
    fc.jsonValue({ maxDepth: 3 }),
  );
  fc.assert(
    fc.property(value, (object) => {
      fc.pre(!JSON.stringify(object).includes('__proto__'));
      expect(canonicalForm(object)).toBe(canonicalize(object));
    }),
  );
});
