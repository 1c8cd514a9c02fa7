import { expect, test } from 'vitest';
import { type KnownProduct, mayMatch } from './match-qualifiers.ts';

const ID = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const product: KnownProduct = {
  name: 'Cursor',
  kind: 'application',
  platform: 'linux',
  publisher: 'Anysphere, Inc.',
};

test.each([
  ['its id', { entity_id: ID }],
  ['its id and old versions', { entity_id: ID, version_below: '2' }],
  ['its id and a file', { entity_id: ID, executable_sha256: OTHER }],
  ['its name, however written', { name: ' CURSOR ' }],
  ['its publisher', { publisher: 'anysphere, inc.' }],
  ['its kind', { kind: 'application' }],
  ['its platform', { platform: 'linux' }],
  [
    'name, kind, platform and publisher',
    { ...product, name: 'cursor', publisher: 'Anysphere, Inc.' },
  ],
] as const)('selects the app for an override by %s', (_by, match) => {
  expect(mayMatch(match, ID, product)).toBe(true);
});

test.each([
  ['another id with its name', { entity_id: OTHER, name: 'cursor' }],
  ['another name', { name: 'curser' }],
  ['its name on another platform', { name: 'cursor', platform: 'darwin' }],
  ['its name for another kind', { name: 'cursor', kind: 'ai_tool' }],
  ['another publisher', { name: 'cursor', publisher: 'Somebody' }],
  ['a file', { executable_sha256: ID }],
  ['a file of that name', { executable_sha256: ID, name: 'cursor' }],
] as const)('selects no app for an override by %s', (_by, match) => {
  expect(mayMatch(match, ID, product)).toBe(false);
});

test('names an absent product by its id alone, and a product without publisher without it', () => {
  expect(mayMatch({ entity_id: ID }, ID, null)).toBe(true);
  expect(mayMatch({ kind: 'application' }, ID, null)).toBe(false);
  expect(mayMatch({ publisher: 'x' }, ID, { ...product, publisher: null })).toBe(false);
});
