// COPY returns the same values as a SELECT; after an error the connection remains usable.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { createCopyReader, type ReadByCopy } from './copy-reader.ts';

let hub: TestHub;
let read: ReadByCopy;
beforeAll(async () => {
  hub = await startTestHub();
  const { db, pool } = hub.context.database;
  read = createCopyReader(db, pool, hub.context.counter);
});
afterAll(() => hub.stop());

async function textsOf(query: Parameters<ReadByCopy>[0]): Promise<string[]> {
  const seen: string[] = [];
  await read(query, (row) => {
    seen.push(row.bytes.toString('utf8', row.start(0), row.end(0)));
  });
  return seen;
}

/** Generates text that a column can store: no NUL, no lone surrogate. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom("'", '\\', '"', '$1', '$2', '{', ',', '}', '\n', 'é') }),
  )
  .map((value) => value.toWellFormed().replaceAll('\0', ''));

it('copies any text unchanged, value by value or as a list', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(text), async (first, rest) => {
      const query = sql`SELECT ${first}::text UNION ALL SELECT * FROM unnest(${rest}::text[])`;
      expect(await textsOf(query)).toEqual([first, ...rest]);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('copies no rows, rows larger than a socket read, and many rows', async () => {
  expect(await textsOf(sql`SELECT 'x' WHERE false`)).toEqual([]);
  expect((await textsOf(sql`SELECT repeat('y', 3000000)`))[0]).toHaveLength(3_000_000);
  const many = await textsOf(
    sql`SELECT i::text || repeat('z', 700) FROM generate_series(1, 9000) i`,
  );
  expect(many.map((value) => Number.parseInt(value, 10))).toEqual(
    Array.from({ length: 9_000 }, (_, i) => i + 1),
  );
});

it('rejects on a failing statement, also midway, and runs the next statement', async () => {
  await expect(textsOf(sql`SELECT no_such_column`)).rejects.toMatchObject({ code: '42703' });
  await expect(
    textsOf(sql`SELECT (1 / (5000 - i))::text FROM generate_series(1, 9000) i`),
  ).rejects.toMatchObject({ code: '22012' });
  await expect(textsOf(sql`SELECT NULL::text`)).rejects.toThrow('NULL');
  expect(await textsOf(sql`SELECT 'fine'`)).toEqual(['fine']);
});

it('rethrows errors of the row reader without losing a connection', async () => {
  const { pool } = hub.context.database;
  for (let i = 0; i < 50; i++) {
    await expect(
      read(sql`SELECT i FROM generate_series(1, 1000) i`, () => {
        throw new Error('cannot use it');
      }),
    ).rejects.toThrow('cannot use it');
  }
  expect(await textsOf(sql`SELECT 'fine'`)).toEqual(['fine']);
  expect(pool.idleCount).toBe(pool.totalCount);
});

it('rejects when the connection breaks midway', async () => {
  const { pool } = hub.context.database;
  const broken = read(sql`SELECT pg_terminate_backend(pg_backend_pid())`, () => undefined);
  await expect(broken).rejects.toThrow();
  await expect.poll(() => textsOf(sql`SELECT 'fine'`)).toEqual(['fine']);
  await expect.poll(() => pool.waitingCount).toBe(0);
});
