import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openDatabase, rows, transact } from './database.ts';
import { PREPARED } from './prepared.ts';

test('a marked statement is prepared once on a connection, however it is laid out; others are not', async () => {
  const { db, close } = openDatabase(
    { ...inject('postgres').nodes[0], database: 'postgres' },
    { size: 1, counter: { count: 0 }, onIdleError: () => undefined },
  );
  const kept = await transact(db, async (tx) => {
    for (const n of [1, 2]) {
      await rows(tx, sql`${PREPARED} SELECT ${n}::integer AS in_one_line`);
      await rows(
        tx,
        sql`
          ${PREPARED} SELECT ${n}::integer AS in_lines_of_its_own`,
      );
      await rows(tx, sql`SELECT ${n}::integer AS unmarked, '/* prepared */' AS said`);
    }
    return rows(
      tx,
      sql<{ statement: string; uses: number }>`
        SELECT statement, (generic_plans + custom_plans)::integer AS uses
        FROM pg_prepared_statements WHERE statement ~ 'in_one_line|in_lines|unmarked'
        ORDER BY statement`,
    );
  });
  await close();
  expect(kept.map(({ statement, uses }) => [/in_\w+/.exec(statement)?.[0], uses])).toEqual([
    ['in_lines_of_its_own', 2],
    ['in_one_line', 2],
  ]);
});
