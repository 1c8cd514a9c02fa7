import { expect, test } from 'vitest';
import { ScimError } from './errors.ts';
import { normalizePatchMessage, normalizePath, normalizeValue } from './normalization.ts';
import { selectStoredAttributes, selectStoredOperations } from './operations.ts';

test.each([
  ['Active', 'active'],
  ['name.GivenName', 'name.givenName'],
  ['URN:IETF:params:scim:schemas:core:2.0:User:DisplayName', 'displayName'],
  ['Emails[Type EQ "Work"].Value', 'emails[type eq "work"].value'],
  ['roles[Primary eq "True"].value', 'roles[primary eq true].value'],
  ['emails[type eq "work" And Primary Eq FALSE]', 'emails[type eq "work" And primary eq false]'],
  ['unknownThing', 'unknownThing'],
])('spells the path %s as %s', (path, expected) => {
  expect(normalizePath('User', path)).toBe(expected);
});

test.each<[string, string, unknown, unknown]>([
  ['a boolean as a word', 'active', 'False', false],
  ['a boolean of a sub-attribute', 'emails[type eq "work"].primary', 'TRUE', true],
  ['an unassigned value', 'displayName', null, undefined],
  [
    'a type of roles that no document names',
    'roles',
    [{ type: 'X', value: 'Viewer' }],
    [{ value: 'Viewer' }],
  ],
  [
    'a type in capitals',
    'emails',
    [{ TYPE: 'Work', Value: 'a@b.c' }],
    [{ type: 'work', value: 'a@b.c' }],
  ],
  ['another type of address', 'emails', [{ type: 'mobile', value: 'a@b.c' }], [{ value: 'a@b.c' }]],
  ['a role as JSON text', 'roles', ['{"value":"Viewer","displayName":"V"}'], [{ value: 'Viewer' }]],
  ['JSON text inside of value', 'roles', [{ value: '{"value":"Admin"}' }], [{ value: 'Admin' }]],
  ['a single role', 'roles', { value: 'Viewer' }, [{ value: 'Viewer' }]],
  ['a role by its value alone', 'roles', 'Viewer', [{ value: 'Viewer' }]],
  ['unassigned sub-attributes', 'name', { givenName: null, familyName: 'B' }, { familyName: 'B' }],
])('reads %s', (_what, path, value, expected) => {
  expect(normalizeValue('User', path, value)).toEqual(expected);
});

test('keeps an invalid boolean for the schema to reject', () => {
  expect(normalizeValue('User', 'active', 'yes')).toBe('yes');
});

test('names the operation whose value is broken JSON text', () => {
  const operations = [
    { op: 'add', path: 'displayName', value: 'A' },
    { op: 'add', path: 'roles', value: [{ value: '{"value":' }] },
  ];
  expect(() => selectStoredOperations('User', operations)).toThrow(ScimError);
  expect(() => selectStoredOperations('User', operations)).toThrow(/^\/Operations\/1: /);
});

test('treats an empty path as absent', () => {
  const operations = [{ op: 'Add', path: '', value: { DisplayName: 'Ada', Active: 'True' } }];
  expect(selectStoredOperations('User', operations)).toEqual([
    { op: 'add', path: 'displayName', value: 'Ada' },
    { op: 'add', path: 'active', value: true },
  ]);
});

test('removes a value that is replaced by null', () => {
  const operations = [{ op: 'replace', path: 'displayName', value: null }];
  expect(selectStoredOperations('User', operations)).toEqual([
    { op: 'remove', path: 'displayName' },
  ]);
});

test('drops unassigned attributes and those of other schemas from a body', () => {
  const body = {
    UserName: 'ada',
    name: null,
    displayName: null,
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'X' },
  };
  expect(selectStoredAttributes('User', body)).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ada',
  });
});

test('takes the fields of a PATCH message in any case', () => {
  const message = { operations: [{ OP: 'add', Path: 'active', VALUE: true }] };
  expect(normalizePatchMessage(message)).toEqual({
    Operations: [{ op: 'add', path: 'active', value: true }],
  });
});
