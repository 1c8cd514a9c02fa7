// A sealed text opens only with its key, in its location and undamaged.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MasterKey } from './master-key.ts';
import { createSealer, UnsealError } from './seal.ts';

const aKey = (id: string): MasterKey => ({ id, bytes: randomBytes(32) });
const OLD = aKey('00000001');
const NEW = aKey('00000002');
const PLACE = 'tenants/1/secret';

test('opens any text in its location', () => {
  const sealer = createSealer(() => [NEW]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
      expect(sealer.unseal(sealer.seal(plain, place), place)).toBe(plain);
    }),
  );
});

test('seals the same text differently each time, and stores no clear text', () => {
  const sealer = createSealer(() => [NEW]);
  const first = sealer.seal('hunter2-hunter2', PLACE);
  expect(sealer.seal('hunter2-hunter2', PLACE)).not.toBe(first);
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(
    'hunter2',
  );
});

test('rejects a text that was moved to another location', () => {
  const sealer = createSealer(() => [NEW]);
  expect(() => sealer.unseal(sealer.seal('x', PLACE), 'tenants/2/secret')).toThrow(UnsealError);
});

test('rejects another key of the same id, and names a missing key', () => {
  const sealed = createSealer(() => [OLD]).seal('x', PLACE);
  const impostor = { id: OLD.id, bytes: randomBytes(32) };
  expect(() => createSealer(() => [impostor]).unseal(sealed, PLACE)).toThrow(UnsealError);
  expect(() => createSealer(() => [NEW]).unseal(sealed, PLACE)).toThrow(/master key 00000001/);
});

test('opens old texts after a key change, and seals with the first key', () => {
  const sealed = createSealer(() => [OLD]).seal('x', PLACE);
  const both = createSealer(() => [NEW, OLD]);
  expect(both.unseal(sealed, PLACE)).toBe('x');
  expect(both.seal('x', PLACE)).toMatch(/^v1\.00000002\./);
});

test('rejects any flipped bit', () => {
  const sealer = createSealer(() => [NEW]);
  const [version, id, packed] = sealer.seal('secret', PLACE).split('.');
  const bytes = Buffer.from(packed ?? '', 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const text = `${version}.${id}.${damaged.toString('base64url')}`;
    expect(() => sealer.unseal(text, PLACE)).toThrow(UnsealError);
  }
});

test('rejects any truncated or foreign text with the same error', () => {
  const sealer = createSealer(() => [NEW]);
  const sealed = sealer.seal('secret', PLACE);
  for (let length = 0; length < sealed.length; length++) {
    expect(() => sealer.unseal(sealed.slice(0, length), PLACE)).toThrow(UnsealError);
  }
  for (const text of ['v2.x.y', `v2${sealed.slice(2)}`, '...', 'plain text']) {
    expect(() => sealer.unseal(text, PLACE)).toThrow(UnsealError);
  }
});

test('creates no sealer without a key', () => {
  expect(() => createSealer(() => [])).toThrow(UnsealError);
});
