// What an error names is named as its client knows it.
import { expect, test } from 'vitest';
import { RpcError } from './messages.ts';
import { routeOf, withErrorUri } from './routing.ts';
import type { Backend } from './targets.ts';

const backend = { slug: 'notes' } as Backend;
const missing = { code: -32602, message: 'Resource not found', data: { uri: 'memo://x', why: 1 } };

test('a resource that a server does not have has the name by which it was asked for', () => {
  expect(withErrorUri({ isAggregated: true }, backend, missing).data).toEqual({
    uri: 'gw-notes+memo://x',
    why: 1,
  });
  expect(withErrorUri({ isAggregated: false }, backend, missing)).toBe(missing);
  for (const data of [undefined, 'memo://x', { uri: 5 }]) {
    const error = { code: -32602, message: 'x', data };
    expect(withErrorUri({ isAggregated: true }, backend, error)).toBe(error);
  }
});

test('an address that leads to no server is named in the error, too', () => {
  const read = () =>
    routeOf({ isAggregated: true, backends: [] }, 'resources/read', { uri: 'memo://x' });
  expect(read).toThrow(RpcError);
  expect(read).toThrow(expect.objectContaining({ code: -32602, data: { uri: 'memo://x' } }));
});
