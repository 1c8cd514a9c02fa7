import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteOwnWrite, othersChanged } from './live-lists.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a list with some loaded pages and an observer. */
async function aList(queryKey: readonly [string, string], pages: number, next?: string) {
  const queries = new QueryClient();
  let reads = 0;
  const observer = new InfiniteQueryObserver(queries, {
    queryKey,
    queryFn: ({ pageParam }) => {
      reads += 1;
      return Promise.resolve({ items: [pageParam], next_cursor: next ?? null });
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => pages.length,
  });
  const unwatch = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  for (let page = 1; page < pages; page++) await observer.fetchNextPage();
  reads = 0;
  return {
    queries,
    /** Returns the effect of a change on the list: reloaded, or marked as stale. */
    async onChange(): Promise<'read' | 'marked'> {
      othersChanged(queries, queryKey);
      await vi.advanceTimersByTimeAsync(0);
      const marked = queries.getQueryData(['list-behind', ...queryKey]) === true;
      expect(marked).toBe(reads === 0);
      return marked ? 'marked' : 'read';
    },
    end: unwatch,
  };
}

const aLongList = () => aList(['acme', 'applications'], 2);

it('reloads a list of a single page after changes of other users, and only marks an ever-growing list as outdated', async () => {
  const short = await aList(['acme', 'applications'], 1);
  expect(await short.onChange()).toBe('read');
  short.end();
  const stream = await aList(['acme', 'tool-calls'], 1);
  expect(await stream.onChange()).toBe('marked');
  stream.end();
});

it('marks a single page with more rows behind it as outdated instead of reloading it: new rows would push others out', async () => {
  const list = await aList(['acme', 'alerts'], 1, 'more');
  expect(await list.onChange()).toBe('marked');
  list.end();
});

it('marks a list of several pages as outdated after changes of other users', async () => {
  const list = await aLongList();
  expect(await list.onChange()).toBe('marked');
  list.end();
});

it('attributes changes during a pending write of this tab to the tab, however long the hub takes', async () => {
  const list = await aLongList();
  noteOwnWrite(list.queries, 'acme');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await list.onChange()).toBe('read');
  list.end();
});

it('attributes changes shortly after a response to this tab, and later ones to other users', async () => {
  const soon = await aLongList();
  const noteAnswered = noteOwnWrite(soon.queries, 'acme');
  await vi.advanceTimersByTimeAsync(20_000);
  noteAnswered();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await soon.onChange()).toBe('read');
  soon.end();

  const late = await aLongList();
  noteOwnWrite(late.queries, 'acme')();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await late.onChange()).toBe('marked');
  late.end();
});

it('keeps other pending writes when a write is answered', async () => {
  const list = await aLongList();
  noteOwnWrite(list.queries, 'acme');
  noteOwnWrite(list.queries, 'acme')();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await list.onChange()).toBe('read');
  list.end();
});
