// A pipelined transaction is atomic and ordered, and fails with its first error.
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { rows } from './database.ts';
import { openPipelined } from './pipelined-transactions.ts';

async function open() {
  const counter = { count: 0 };
  const { transact, close } = openPipelined(
    { ...inject('postgres').nodes[0], database: 'postgres' },
    { size: 1, counter, onIdleError: () => undefined },
  );
  await transact(
    async (tx) => () => sql`CREATE TEMPORARY TABLE t (n integer PRIMARY KEY)`.execute(tx),
  );
  const numbers = () =>
    transact(async (tx) => {
      const result = await rows(tx, sql<{ n: number }>`SELECT n FROM t ORDER BY n`);
      return async () => result.map(({ n }) => n);
    });
  return { transact, numbers, counter, close };
}
const insert = (n: number) => sql`INSERT INTO t VALUES (${n})`;

test('runs pipelined statements in order, each after the effects of its predecessors', async () => {
  const { transact, close } = await open();
  const seen = await transact(
    async (tx) => () =>
      Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const inserted = insert(n).execute(tx);
          const counted = rows(tx, sql<{ n: number }>`SELECT count(*) AS n FROM t`);
          await inserted;
          return (await counted)[0]?.n;
        }),
      ),
  );
  expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  await close();
});

test('throws the error of a statement and rolls back', async () => {
  const { transact, numbers, close } = await open();
  const broken = transact(
    async (tx) => () =>
      Promise.all([insert(1).execute(tx), insert(1).execute(tx), insert(2).execute(tx)]),
  );
  await expect(broken).rejects.toMatchObject({ code: '23505' });
  expect(await numbers()).toEqual([]);
  await close();
});

test('commits nothing after an unhandled error', async () => {
  const { transact, numbers, close } = await open();
  const ignored = transact(async (tx) => {
    await insert(1).execute(tx);
    await insert(1)
      .execute(tx)
      .catch(() => undefined);
    return async () => undefined;
  });
  await expect(ignored).rejects.toThrow('aborted');
  expect(await numbers()).toEqual([]);
  await close();
});

test('rolls back on an error outside of the database, and reuses the connection', async () => {
  const { transact, numbers, counter, close } = await open();
  const failed = transact(async (tx) => {
    await insert(1).execute(tx);
    throw new Error('of our own');
  });
  await expect(failed).rejects.toThrow('of our own');
  await transact(async (tx) => () => insert(2).execute(tx));
  expect(await numbers()).toEqual([2]);
  expect(counter.count).toBe(4);
  await close();
});

test('rejects a statement after the commit', async () => {
  const { transact, numbers, close } = await open();
  const late = transact(async (tx) => async () => {
    await insert(1).execute(tx);
    await insert(2).execute(tx);
  });
  await expect(late).rejects.toThrow('after the commit');
  expect(await numbers()).toEqual([1]);
  await close();
});
