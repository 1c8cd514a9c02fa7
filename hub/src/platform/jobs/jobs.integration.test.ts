// A failed job leaves its reason in the hub's log.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { someJobs } from '../../../../test/support/job-bench.ts';
import { awaitThat } from '../../../../test/support/waiting.ts';

test('logs a failing scheduled job with its reason', async () => {
  const { jobs, lines } = await someJobs();
  await jobs.schedule([
    {
      name: 'broken-on-purpose',
      cron: '0 0 1 1 *',
      run: () =>
        Promise.reject(Object.assign(new Error('no room for a new day'), { code: '53100' })),
    },
  ]);
  const told = () => lines.find(({ job }) => job === 'broken-on-purpose');
  await awaitThat(
    'the log tells',
    async () => told() !== undefined,
    () => JSON.stringify(lines),
  );
  expect(told()).toMatchObject({
    level: 50,
    err: { message: 'no room for a new day', code: '53100' },
  });
  expect(told()?.err?.stack).toContain('jobs.integration.test.ts');
  expect(JSON.stringify(lines)).not.toContain('[object Object]');
});

test('logs an error of the worker with its message', async () => {
  const { jobs, lines, database } = await someJobs();
  await jobs.schedule([{ name: 'well', cron: '0 0 1 1 *', run: () => Promise.resolve() }]);
  await sql`ALTER SCHEMA pgboss RENAME TO pgboss_elsewhere`.execute(database.db);
  const told = () => lines.find(({ job }) => job === 'well');
  await awaitThat(
    'the log tells',
    async () => told() !== undefined,
    () => JSON.stringify(lines),
  );
  await sql`ALTER SCHEMA pgboss_elsewhere RENAME TO pgboss`.execute(database.db);
  expect(told()?.err?.message).toContain('pgboss');
  // A table or the schema itself that is not there, by which of its statements met it first.
  expect(['42P01', '3F000']).toContain(told()?.err?.code);
  expect(JSON.stringify(lines)).not.toContain('[object Object]');
});
