import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openDatabase, rows, transact } from './database.ts';
import { PREPARED, PreparingClient } from './prepared-statements.ts';

test('prepares a marked statement once per connection in any layout, and no other statement', async () => {
  const { db, close } = openDatabase(
    { ...inject('postgres').nodes[0], database: 'postgres' },
    { size: 1, counter: { count: 0 }, onIdleError: () => undefined },
  );
  const retained = await transact(db, async (tx) => {
    for (const n of [1, 2]) {
      await rows(tx, sql`${PREPARED} SELECT ${n}::integer AS in_a_line`);
      await rows(
        tx,
        sql`
          ${PREPARED} SELECT ${n}::integer AS in_lines_of_its_own`,
      );
      await rows(tx, sql`SELECT ${n}::integer AS unmarked, '/* prepared */' AS text`);
    }
    return rows(
      tx,
      sql<{ statement: string; uses: number }>`
        SELECT statement, (generic_plans + custom_plans)::integer AS uses
        FROM pg_prepared_statements WHERE statement ~ 'in_a_line|in_lines|unmarked'
        ORDER BY statement`,
    );
  });
  await close();
  expect(retained.map(({ statement, uses }) => [/in_\w+/.exec(statement)?.[0], uses])).toEqual([
    ['in_lines_of_its_own', 2],
    ['in_a_line', 2],
  ]);
});

/** The most megabytes of 200 statements with 60 kB each that were left after a collection of young objects. */
const PROGRAM = `
const { default: pg } = await import('pg');
const { PreparingClient } = await import(process.env.PREPARED);
const retained = {};
for (const [kind, Client] of Object.entries({ ours: PreparingClient, driver: pg.Client })) {
  const client = new Client({ ...JSON.parse(process.env.CONNECTION), pipeline: true });
  await client.connect();
  const send = async (value) => {
    await client.query('/* prepared */ SELECT length($1::text), $1', [value]);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await send('warm');
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i++) {
    await send(String(i).padStart(60_000, 'ab') + i);
    if (i % 20 !== 0) continue;
    gc({ type: 'minor' });
    retained[kind] = Math.max(retained[kind] ?? 0, (process.memoryUsage().heapUsed - before) / 1e6);
  }
  await client.end();
}
process.stdout.write(JSON.stringify(retained));
`;

test('releases an answered statement for young collections', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=16', '--input-type=module', '--eval', PROGRAM],
    {
      cwd: import.meta.dirname,
      timeout: 60_000,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PREPARED: pathToFileURL(join(import.meta.dirname, 'prepared-statements.ts')).href,
        CONNECTION: JSON.stringify({ ...inject('postgres').nodes[0], database: 'postgres' }),
      },
    },
  );
  const retained = JSON.parse(stdout) as { ours: number; driver: number };
  expect(retained.ours).toBeLessThan(2);
  // Or the driver's own promises would do.
  expect(retained.driver).toBeGreaterThan(4);
});

test('adds the call site to the error of a statement', async () => {
  const client = new PreparingClient({ ...inject('postgres').nodes[0], database: 'postgres' });
  await client.connect();
  async function askedHere() {
    await client.query('SELECT 1 / 0');
  }
  const error = await askedHere().catch((thrown: Error) => thrown);
  await client.end();
  expect(error).toMatchObject({ code: '22012' });
  expect((error as Error).stack).toContain('askedHere');
});

test('calls the given callback', async () => {
  const client = new PreparingClient({ ...inject('postgres').nodes[0], database: 'postgres' });
  await client.connect();
  const text = 'SELECT 1 AS n';
  const received: unknown[] = [];
  const hear = (done: () => void) => (_: Error | null, result: pg.QueryResult) => {
    received.push(result.rows[0]);
    done();
  };
  await new Promise<void>((done) => client.query(text, hear(done)));
  await new Promise<void>((done) => client.query(text, [], hear(done)));
  await new Promise<void>((done) => client.query({ text, callback: hear(done) } as pg.QueryConfig));
  await client.end();
  expect(received).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
});
