// Lists are cached, and waits for servers are limited, with a fake clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Notice } from '../../../platform/feed/notifications.ts';
import { RpcError } from '../protocol/messages.ts';
import type { ListRequest } from './list-pages.ts';
import { createLists, withSharedCredentials } from './lists.ts';

let now = 0;
let notice: (notice: Notice) => void = () => undefined;
let lists: ReturnType<typeof createLists>;
/** Open requests of the server, oldest first. */
let requests: { answer(...names: string[]): void; fail(): void }[];
let key: string;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  now = 0;
  requests = [];
  key = 'key-a';
  lists = createLists({
    db: {} as never,
    upstreams: { fetchCapabilities: async () => ({}) } as never,
    notifications: {
      onNotice(listener: typeof notice) {
        notice = listener;
      },
      onLost: () => undefined,
    } as never,
    nowMs: () => now,
  });
});
afterEach(() => {
  lists.stop();
  vi.useRealTimers();
});

/** Runs pending work, then advances the time and the timers. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

function asking(more: { isShared?: boolean; backendId?: string } = {}): ListRequest {
  const { isShared = true, backendId = 'b' } = more;
  return {
    target: {
      tenantId: 't',
      backendId,
      version: 1,
      name: backendId,
      isShared,
      drift: 'hide',
      credentials: async () => ({ 'x-key': key }),
    } as never,
    method: 'tools/list',
    userKey: 'ada',
    capabilities: {},
    fetchPage: () =>
      new Promise((resolve, reject) => {
        requests.push({
          answer: (...names) => resolve({ tools: names.map(tool), ttlMs: 600_000 }),
          fail: () => reject(new RpcError(-32000, 'no')),
        });
      }),
    onItems: async () => undefined,
  };
}
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const reportChange = () =>
  notice({ kind: 'forget', cache: 'mcp-lists', keys: ['t/b/tools'] } as Notice);
const namesIn = (items: unknown[] | null) =>
  items?.map((item) => (item as { name: string }).name) ?? null;
const wordsOf = (promise: Promise<unknown[]>) =>
  promise.then(namesIn, (error: RpcError) => error.message);

test('waits for a server that answers in time, however often it announces changes', async () => {
  const asked = [];
  // Each request arrives before the previous request is answered.
  for (let i = 0; i < 12; i++) {
    asked.push(wordsOf(lists.get(asking())));
    await pass(200);
    requests.at(-2)?.answer('read');
    reportChange();
    await pass(100);
  }
  requests.at(-1)?.answer('read');
  expect(requests).toHaveLength(12);
  expect(new Set((await Promise.all(asked)).flat())).toEqual(new Set(['read']));
});

test('waits once for a slow server, and again after it recovers', async () => {
  const first = wordsOf(lists.get(asking()));
  await pass(2_600);
  expect(await first).toMatch(/in time/);
  for (let i = 0; i < 3; i++) {
    reportChange();
    const late = wordsOf(lists.get(asking()));
    await pass(1);
    expect(await late).toMatch(/in time/);
  }
  requests.at(-1)?.answer('read');
  await pass(1);
  reportChange();
  const again = wordsOf(lists.get(asking()));
  await pass(500);
  requests.at(-1)?.answer('read');
  expect(await again).toEqual(['read']);
});

test('discards lists of a former key', async () => {
  const mine = asking({ isShared: false });
  const listed = wordsOf(lists.get(mine));
  await pass(0);
  requests[0]?.answer('of a');
  expect(await listed).toEqual(['of a']);
  expect(namesIn(await lists.getRecent(mine))).toEqual(['of a']);
  key = 'key-b';
  expect(await lists.getRecent(mine)).toBeNull();
  // The server was slow with the previous credential; a request with the new credential waits.
  key = 'key-a';
  const late = lists.get(mine);
  await pass(2_600);
  await late;
  expect(namesIn(await lists.getWithoutDelay(mine))).toEqual(['of a']);
  key = 'key-b';
  const soon = lists.getWithoutDelay(mine).then(namesIn);
  await pass(0);
  requests.at(-1)?.answer('of b');
  expect(await soon).toEqual(['of b']);
});

test('waits once for a hanging login in a call with two lookups', async () => {
  const mine = asking({ isShared: false });
  let logins = 0;
  mine.target.credentials = () => {
    logins += 1;
    return new Promise(() => undefined);
  };
  const once = withSharedCredentials(mine);
  const lately = lists.getRecent(once);
  await pass(2_500);
  expect(await lately).toBeNull();
  // No time passes here: whoever waited would wait for ever.
  expect([await lists.getWithoutDelay(once), logins]).toEqual([null, 1]);
});

test('ignores a late result of a lookup with the former key', async () => {
  const mine = asking({ isShared: false });
  const former = wordsOf(lists.get(mine));
  await pass(0);
  key = 'key-b';
  const mineNow = wordsOf(lists.get(mine));
  await pass(0);
  requests[1]?.answer('of b');
  expect(await mineNow).toEqual(['of b']);
  requests[0]?.answer('of a');
  expect(await former).toEqual(['of a']);
  expect(namesIn(await lists.getRecent(mine))).toEqual(['of b']);
});

test('calls by the list of the last hour without waiting for a slow server', async () => {
  const listed = lists.get(asking());
  await pass(0);
  requests[0]?.answer('read');
  await listed;
  const late = lists.get(asking());
  await pass(2_600);
  expect(namesIn(await late)).toEqual(['read']);
  // No time passes here: whoever waited would wait for ever.
  expect(namesIn(await lists.getWithoutDelay(asking()))).toEqual(['read']);
  now += 60 * 60_000;
  expect(await lists.getWithoutDelay(asking())).toBeNull();
});

test('caches the newest servers, however many fail or are slow', async () => {
  for (let i = 0; i < 2_001; i++) {
    const asked = wordsOf(lists.get(asking({ backendId: `f${i}` })));
    await pass(0);
    requests.at(-1)?.fail();
    await asked;
  }
  const before = requests.length;
  expect(await wordsOf(lists.get(asking({ backendId: 'f2000' })))).toBe('no');
  expect(requests).toHaveLength(before);
  const late = Array.from({ length: 2_001 }, (_, i) =>
    wordsOf(lists.get(asking({ backendId: `l${i}` }))),
  );
  await pass(2_600);
  await Promise.all(late);
  // No time passes: it is not waited for.
  expect(await lists.getWithoutDelay(asking({ backendId: 'l2000' }))).toBeNull();
});

test('queries the login anew for subscriptions of every user', async () => {
  const followed: { credentials(): Promise<unknown> }[] = [];
  const listening = createLists({
    db: {} as never,
    upstreams: {
      fetchCapabilities: async () => ({ tools: { listChanged: true } }),
      openStream: (target: (typeof followed)[number]) => {
        followed.push(target);
        return new Promise(() => undefined);
      },
    } as never,
    notifications: { onNotice: () => undefined, onLost: () => undefined } as never,
    nowMs: () => now,
  });
  const listed = listening.get(withSharedCredentials(asking({ isShared: false })));
  await pass(0);
  requests[0]?.answer('a');
  await listed;
  await pass(10);
  key = 'key-b';
  expect(await followed[0]?.credentials()).toEqual({ 'x-key': 'key-b' });
  listening.stop();
});
