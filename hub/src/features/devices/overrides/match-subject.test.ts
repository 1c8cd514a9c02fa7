import { expect, test } from 'vitest';
import {
  concernsSame,
  indexKeyOf,
  indexKeysOf,
  type SubjectProduct,
  subjectOf,
} from './match-subject.ts';

const id = (digit: string) => digit.repeat(64);
const cursor: SubjectProduct = {
  entity_id: id('a'),
  name_folded: 'cursor',
  kind: 'application',
  platform: 'linux',
};
const onMac: SubjectProduct = { ...cursor, entity_id: id('b'), platform: 'darwin' };
const known = [cursor, onMac];

const same: [string, object, object][] = [
  ['word by word', { publisher: 'Acme' }, { publisher: 'Acme' }],
  ['by id and by name', { entity_id: id('a') }, { name: ' Cursor ' }],
  [
    'by id and by name on its platform',
    { entity_id: id('a') },
    { name: 'cursor', platform: 'linux' },
  ],
  ['by names that fold to the same text', { name: 'CURSOR' }, { name: 'cursor' }],
  ['of old versions', { entity_id: id('a') }, { entity_id: id('a'), version_below: '2' }],
  ['by the same file', { executable_sha256: id('f') }, { executable_sha256: id('f'), name: 'x' }],
  ['by the name of what nobody has', { name: 'unseen' }, { name: 'Unseen', kind: 'package' }],
];
test.each(same)('detects the same subject in either order: %s', (_how, a, b) => {
  expect(concernsSame(subjectOf(a, known), b)).toBe(true);
  expect(concernsSame(subjectOf(b, known), a)).toBe(true);
});

const other: [string, object, object][] = [
  ['two ids with the same name', { entity_id: id('a') }, { entity_id: id('b') }],
  ['the name on another platform', { entity_id: id('a') }, { name: 'cursor', platform: 'darwin' }],
  ['the name of another kind', { entity_id: id('a') }, { name: 'cursor', kind: 'ai_tool' }],
  ['two platforms', { name: 'cursor', platform: 'linux' }, { name: 'cursor', platform: 'darwin' }],
  ['two publishers', { name: 'cursor', publisher: 'A' }, { name: 'cursor', publisher: 'B' }],
  ['a file and a name', { executable_sha256: id('f') }, { name: 'cursor' }],
  ['a publisher and what it publishes', { publisher: 'Acme' }, { name: 'cursor' }],
  ['an id that nobody has and a name', { entity_id: id('c') }, { name: 'cursor' }],
];
test.each(other)('detects different subjects in either order: %s', (_how, a, b) => {
  expect(concernsSame(subjectOf(a, known), b)).toBe(false);
  expect(concernsSame(subjectOf(b, known), a)).toBe(false);
});

test('finds overrides of the same subject by their keywords', () => {
  for (const [, a, b] of same) {
    expect(indexKeysOf(subjectOf(a, known))).toContain(indexKeyOf(b));
    expect(indexKeysOf(subjectOf(b, known))).toContain(indexKeyOf(a));
  }
});
