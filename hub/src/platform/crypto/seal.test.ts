// A sealed text opens with its key, in its place, undamaged; otherwise never.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MasterKey } from './master-key.ts';
import { createSealer, UnsealError } from './seal.ts';

const aKey = (id: string): MasterKey => ({ id, bytes: randomBytes(32) });
const OLD = aKey('00000001');
const NEW = aKey('00000002');
const PLACE = 'tenants/1/secret';

test('any text comes back from its place', () => {
  const sealer = createSealer(() => [NEW]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, place) => {
      expect(sealer.unseal(sealer.seal(plain, place), place)).toBe(plain);
    }),
  );
});

test('the same text is sealed differently each time and never stands in what is stored', () => {
  const sealer = createSealer(() => [NEW]);
  const first = sealer.seal('hunter2-hunter2', PLACE);
  expect(sealer.seal('hunter2-hunter2', PLACE)).not.toBe(first);
  expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain(
    'hunter2',
  );
});

test('a text that was moved to another place does not open', () => {
  const sealer = createSealer(() => [NEW]);
  expect(() => sealer.unseal(sealer.seal('x', PLACE), 'tenants/2/secret')).toThrow(UnsealError);
});

test('another key of the same id does not open it, and a key that is gone is named', () => {
  const sealed = createSealer(() => [OLD]).seal('x', PLACE);
  const impostor = { id: OLD.id, bytes: randomBytes(32) };
  expect(() => createSealer(() => [impostor]).unseal(sealed, PLACE)).toThrow(UnsealError);
  expect(() => createSealer(() => [NEW]).unseal(sealed, PLACE)).toThrow(/master key 00000001/);
});

test('after a change of keys old texts open and new ones are sealed with the first', () => {
  const sealed = createSealer(() => [OLD]).seal('x', PLACE);
  const both = createSealer(() => [NEW, OLD]);
  expect(both.unseal(sealed, PLACE)).toBe('x');
  expect(both.seal('x', PLACE)).toMatch(/^v1\.00000002\./);
});

test('any flipped bit is noticed', () => {
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

test('any cut or foreign text is refused with the one error', () => {
  const sealer = createSealer(() => [NEW]);
  const sealed = sealer.seal('secret', PLACE);
  for (let length = 0; length < sealed.length; length++) {
    expect(() => sealer.unseal(sealed.slice(0, length), PLACE)).toThrow(UnsealError);
  }
  for (const text of ['v2.x.y', `v2${sealed.slice(2)}`, '...', 'plain text']) {
    expect(() => sealer.unseal(text, PLACE)).toThrow(UnsealError);
  }
});

test('without a key there is no sealer', () => {
  expect(() => createSealer(() => [])).toThrow(UnsealError);
});
