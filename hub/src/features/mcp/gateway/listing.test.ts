// List requests count as calls of their user and never block the lists of other users.
import { expect, test } from 'vitest';
import { createGuard } from './guard.ts';
import { listAsk } from './listing.ts';
import type { Rpc } from './messages.ts';

test('limits concurrent lists of a user, and of no other user', async () => {
  const limits = { perPerson: 1, perBackend: 10, failures: 5, windowMs: 1_000, pauseMs: 100 };
  const guard = createGuard(() => 0, limits);
  const held: (() => void)[] = [];
  const upstreams = {
    async *call(): AsyncGenerator<Rpc> {
      await new Promise<void>((resolve) => held.push(resolve));
      yield { jsonrpc: '2.0', id: 'list', result: { tools: [] } };
    },
  };
  const asked = (whose: string) => {
    const scene = { guard, whose, upstreams, owner: { capabilities: {} } };
    const { ask } = listAsk(scene as never, { backendId: 'b', name: 'B' } as never, 'tools/list');
    return ask({} as never, {}, new AbortController().signal);
  };
  const all = [asked('ada'), asked('bob')];
  await expect(asked('ada')).rejects.toThrow('you have too many calls');
  for (const answer of held) answer();
  expect(await Promise.all(all)).toEqual([{ tools: [] }, { tools: [] }]);
});
