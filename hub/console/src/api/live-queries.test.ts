import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { LiveQueries } from './live-queries.ts';

/** Returns an observed query; each request waits for its response. */
function aWatchedQuery() {
  const queries = new LiveQueries();
  const asked: { answer(value: string): void; fail(): void; isGivenUp: boolean }[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ['acme', 'alerts'],
    retry: false,
    staleTime: Infinity,
    queryFn: ({ signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const read = { answer: resolve, fail: () => reject(new Error('away')), isGivenUp: false };
      signal.addEventListener('abort', () => {
        read.isGivenUp = true;
      });
      asked.push(read);
      return promise;
    },
  });
  const end = observer.subscribe(() => undefined);
  const read = async (count: number) => {
    await expect.poll(() => asked.length).toBe(count);
    const last = asked[count - 1];
    if (last === undefined) throw new Error('nothing was asked');
    return last;
  };
  const quiet = () => expect.poll(() => queries.isFetching()).toBe(0);
  const shown = () => observer.getCurrentResult().data;
  return { queries, asked, read, quiet, shown, end };
}

const OF_ACME = { queryKey: ['acme'] };

it('repeats a first read once, however many changes arrive during it', async () => {
  const { queries, asked, read, quiet, shown, end } = aWatchedQuery();
  const first = await read(1);
  const heard = [queries.invalidateQueries(OF_ACME), queries.invalidateQueries(OF_ACME)];
  first.answer('before');
  (await read(2)).answer('after');
  await Promise.all(heard);
  await quiet();
  expect([shown(), asked.length]).toEqual(['after', 2]);
  end();
});

it('finishes a read that changes interrupt repeatedly, and reads once more', async () => {
  const { queries, asked, read, quiet, shown, end } = aWatchedQuery();
  (await read(1)).answer('first');
  await quiet();
  const heard = [1, 2, 3].map(() => queries.invalidateQueries(OF_ACME, { cancelRefetch: false }));
  (await read(2)).answer('second');
  (await read(3)).answer('third');
  await Promise.all(heard);
  await quiet();
  expect([shown(), asked.map((item) => item.isGivenUp)]).toEqual(['third', [false, false, false]]);
  end();
});

it('cancels a read that a change of this tab made stale', async () => {
  const { queries, asked, read, quiet, shown, end } = aWatchedQuery();
  (await read(1)).answer('first');
  await quiet();
  void queries.invalidateQueries(OF_ACME);
  await read(2);
  const heard = queries.invalidateQueries(OF_ACME);
  (await read(3)).answer('third');
  await heard;
  await quiet();
  expect([shown(), asked.map((item) => item.isGivenUp)]).toEqual(['third', [false, true, false]]);
  end();
});

it('does not repeat a failed read', async () => {
  const { queries, asked, read, quiet, end } = aWatchedQuery();
  const first = await read(1);
  const heard = queries.invalidateQueries(OF_ACME);
  first.fail();
  await heard.catch(() => undefined);
  await quiet();
  expect(asked.length).toBe(1);
  end();
});
