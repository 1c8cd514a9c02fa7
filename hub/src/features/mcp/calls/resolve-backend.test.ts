// Errors name resources under the names that the client uses.
import { expect, test } from 'vitest';
import { RpcError } from '../protocol/messages.ts';
import type { Backend } from '../upstream/targets.ts';
import { prefixErrorUri, resolveBackend } from './resolve-backend.ts';

const backend = { slug: 'notes' } as Backend;
const missing = { code: -32602, message: 'Resource not found', data: { uri: 'memo://x', why: 1 } };

test('names a missing resource by the requested name', () => {
  expect(prefixErrorUri({ isAggregated: true }, backend, missing).data).toEqual({
    uri: 'gw-notes+memo://x',
    why: 1,
  });
  expect(prefixErrorUri({ isAggregated: false }, backend, missing)).toBe(missing);
  for (const data of [undefined, 'memo://x', { uri: 5 }]) {
    const error = { code: -32602, message: 'x', data };
    expect(prefixErrorUri({ isAggregated: true }, backend, error)).toBe(error);
  }
});

test('names an address without a server', () => {
  const read = () =>
    resolveBackend({ isAggregated: true, backends: [] }, 'resources/read', { uri: 'memo://x' });
  expect(read).toThrow(RpcError);
  expect(read).toThrow(expect.objectContaining({ code: -32602, data: { uri: 'memo://x' } }));
});

test.each([
  ['tools/call', {}, 'params.name must be a string.'],
  ['tools/call', { name: 5 }, 'params.name must be a string.'],
  ['tools/call', { name: 'notes__x', arguments: 'x' }, 'params.arguments must be an object.'],
  ['tools/call', { name: 'notes__x', arguments: [] }, 'params.arguments must be an object.'],
  ['tools/call', { name: 'notes__x', _meta: 'x' }, 'params._meta must be an object.'],
  [
    'tools/call',
    { name: 'notes__x', _meta: { progressToken: {} } },
    'params._meta.progressToken must be a string or a number.',
  ],
  ['prompts/get', {}, 'params.name must be a string.'],
  ['resources/read', { uri: {} }, 'params.uri must be a string.'],
  ['resources/subscribe', {}, 'params.uri must be a string.'],
])('rejects %s with %j in the gateway', (method, params, words) => {
  for (const isAggregated of [true, false]) {
    const refused = () => resolveBackend({ isAggregated, backends: [backend] }, method, params);
    expect(refused).toThrow(new RpcError(-32602, words));
  }
});

test('treats null like an absent member', () => {
  const params = { name: 'notes__x', arguments: null, _meta: { progressToken: null } };
  const to = (sent: Record<string, unknown>) =>
    resolveBackend({ isAggregated: true, backends: [backend] }, 'tools/call', sent);
  expect(to(params).backend).toBe(backend);
  // A server may refuse it.
  expect(to(params).params).toEqual({ name: 'x', _meta: { progressToken: null } });
  expect(to({ name: 'notes__x', arguments: {}, _meta: null }).params).toEqual({
    name: 'x',
    arguments: {},
  });
});
