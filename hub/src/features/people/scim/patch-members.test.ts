// Members of a group follow every form of PATCH that directories send.
import { expect, test } from 'vitest';
import { applyMemberOperations } from './patch-members.ts';

const member = (value: string) => ({ value });

test.each([
  ['adds', [{ op: 'Add', path: 'members', value: [member('C'), member('a')] }], ['a', 'b', 'c']],
  ['adds a single member', [{ op: 'add', path: 'members', value: member('c') }], ['a', 'b', 'c']],
  ['adds without a path', [{ op: 'add', value: { Members: [member('c')] } }], ['a', 'b', 'c']],
  ['replaces', [{ op: 'replace', path: 'members', value: [member('c')] }], ['c']],
  ['replaces without a path', [{ op: 'replace', value: { members: [] } }], []],
  ['removes by a filter', [{ op: 'remove', path: 'members[value eq "A"]' }], ['b']],
  [
    'removes by a list',
    [{ op: 'remove', path: 'members', value: [member('b'), member('z')] }],
    ['a'],
  ],
  ['removes all', [{ op: 'remove', path: 'members' }], []],
  ['removes all by null', [{ op: 'remove', path: 'members', value: null }], []],
  [
    'goes by the order of the operations',
    [
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [member('z')] },
    ],
    ['z'],
  ],
])('applies the PATCH: %s', (_what, operations, expected) => {
  expect(applyMemberOperations(['a', 'b'], operations)).toEqual({
    members: expected,
    remaining: [],
  });
});

test('passes other operations to the rest of the change', () => {
  const rename = { op: 'replace', path: 'displayName', value: 'G' };
  const both = { op: 'replace', value: { displayName: 'H', members: [member('z')] } };
  expect(applyMemberOperations(['a'], [rename, both])).toEqual({
    members: ['z'],
    remaining: [rename, { op: 'replace', value: { displayName: 'H' } }],
  });
  expect(() => applyMemberOperations([], [{ op: 'add', path: 'members', value: [5] }])).toThrow(
    /by their id/,
  );
  const richer = { op: 'remove', path: 'members[value eq "a" and type eq "User"]' };
  expect(() => applyMemberOperations(['a'], [richer])).toThrow(/path/);
});
