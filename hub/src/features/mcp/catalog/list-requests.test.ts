// List requests count as calls of their user and never block the lists of other users.
import { expect, test } from 'vitest';
import type { RpcMessage } from '../protocol/messages.ts';
import { createCircuitBreaker } from '../upstream/circuit-breaker.ts';
import { listRequest } from './list-requests.ts';

test('limits concurrent lists of a user, and of no other user', async () => {
  const limits = { perUser: 1, perBackend: 10, failures: 5, windowMs: 1_000, pauseMs: 100 };
  const breaker = createCircuitBreaker(() => 0, limits);
  const open: (() => void)[] = [];
  const upstreams = {
    async *call(): AsyncGenerator<RpcMessage> {
      await new Promise<void>((resolve) => open.push(resolve));
      yield { jsonrpc: '2.0', id: 'list', result: { tools: [] } };
    },
  };
  const request = (userKey: string) => {
    const context = { breaker, userKey, upstreams, owner: { capabilities: {} } };
    const { fetchPage } = listRequest(
      context as never,
      { backendId: 'b', name: 'B' } as never,
      'tools/list',
    );
    return fetchPage({} as never, {}, new AbortController().signal);
  };
  const all = [request('ada'), request('bob')];
  await expect(request('ada')).rejects.toThrow('you have too many calls');
  for (const answer of open) answer();
  expect(await Promise.all(all)).toEqual([{ tools: [] }, { tools: [] }]);
});
