import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { expect, test } from 'vitest';
import {
  dropSecretOfOldAddress,
  EMPTY_SERVER,
  toServerInput,
  toServerPatch,
  toServerValues,
  validateServer,
} from './server-values.ts';

const backend = (auth: Backend['auth'], more: Partial<Backend> = {}): Backend => ({
  id: '00000000-0000-4000-8000-000000000000',
  slug: 'files',
  name: 'Files',
  url: 'https://mcp.example.com/mcp',
  auth,
  tools: null,
  drift: 'flag',
  same_as: [],
  idle_timeout_seconds: 300,
  total_timeout_seconds: 3_600,
  headers: [],
  enabled: true,
  version: '"1"',
  created_at: '',
  updated_at: '',
  ...more,
});
const sent = (values: object) => JSON.parse(JSON.stringify(values));

test('requires the fields of an empty form', () => {
  expect(Object.keys(validateServer({ ...EMPTY_SERVER, kind: 'shared' }, null)).sort()).toEqual([
    'name',
    'secret',
    'slug',
    'url',
  ]);
});

test('keeps the stored credential unless a new credential is typed', () => {
  const item = backend({
    kind: 'shared',
    header: 'Authorization',
    prefix: 'Bearer ',
    has_secret: true,
  });
  const values = toServerValues(item);
  expect(validateServer(values, item)).toEqual({});
  expect(sent(toServerPatch(values, item))).not.toHaveProperty('auth');
  expect(sent(toServerPatch({ ...values, secret: 'new' }, item)).auth).toEqual({
    kind: 'shared',
    secret: 'new',
  });
  // A changed header would need the credential again, which the hub never returns.
  expect(validateServer({ ...values, header: 'X-Key' }, item)).toHaveProperty('secret');
});

test('omits empty fields of a login, and restores them unchanged', () => {
  const item = backend({ kind: 'oauth', client_id: 'a', scopes: ['x', 'y'], has_secret: true });
  expect(sent(toServerPatch(toServerValues(item), item)).auth).toEqual({
    kind: 'oauth',
    client_id: 'a',
    scopes: ['x', 'y'],
  });
  expect(sent(toServerInput({ ...EMPTY_SERVER, kind: 'oauth', sendResource: false })).auth).toEqual(
    {
      kind: 'oauth',
      send_resource: false,
    },
  );
});

test('lines become lists without blanks and repeats', () => {
  const values = { ...EMPTY_SERVER, allow: ' read \n\nread\nwrite*', sameAs: 'npm:a\n' };
  expect(sent(toServerInput(values))).toMatchObject({
    tools: { allow: ['read', 'write*'] },
    same_as: ['npm:a'],
  });
  expect(sent(toServerInput(EMPTY_SERVER)).tools).toBeNull();
});

test('asks for the secret again when the address of a server changes', () => {
  const mine = { ...EMPTY_SERVER, url: 'https://a.example', secret: 'typed' };
  expect(dropSecretOfOldAddress(mine, { ...mine, name: 'other' })).toBeNull();
  expect(
    dropSecretOfOldAddress({ ...mine, secret: '' }, { ...mine, url: 'https://b.example' }),
  ).toBeNull();
  const next = { ...mine, url: 'https://b.example', name: 'theirs' };
  expect(dropSecretOfOldAddress(mine, next)).toEqual({
    values: { ...next, secret: '', clientSecret: '' },
    address: 'https://b.example',
  });
});

test('keeps the stored value of a static header unless a new value is typed', () => {
  const item = backend({ kind: 'none', has_secret: false }, { headers: [{ name: 'X-Org' }] });
  const values = toServerValues(item);
  expect(validateServer(values, item)).toEqual({});
  expect(sent(toServerPatch(values, item)).headers).toEqual([{ name: 'X-Org' }]);
  const more = { ...values, headers: 'X-Org\nX-Key: a:b ' };
  expect(sent(toServerPatch(more, item)).headers).toEqual([
    { name: 'X-Org' },
    { name: 'X-Key', value: 'a:b' },
  ]);
  expect(validateServer({ ...values, headers: 'X-Other' }, item)).toHaveProperty('headers');
  const moved = dropSecretOfOldAddress(more, { ...more, url: 'https://b.example' });
  expect(moved?.values.headers).toBe('X-Org\nX-Key');
});

test.each(['0', '', '1.5', '86401', 'x'])('rejects a timeout of "%s" seconds', (idleTimeout) => {
  expect(validateServer({ ...EMPTY_SERVER, idleTimeout }, null)).toHaveProperty('idleTimeout');
});
