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
        Promise.reject(Object.assign(new Error('no space for a partition'), { code: '53100' })),
    },
  ]);
  const findLine = () => lines.find(({ job }) => job === 'broken-on-purpose');
  await awaitThat(
    'the line is logged',
    async () => findLine() !== undefined,
    () => JSON.stringify(lines),
  );
  expect(findLine()).toMatchObject({
    level: 50,
    err: { message: 'no space for a partition', code: '53100' },
  });
  expect(findLine()?.err?.stack).toContain('jobs.integration.test.ts');
  expect(JSON.stringify(lines)).not.toContain('[object Object]');
});

test('logs an error of the worker with its message', async () => {
  const { jobs, lines, database } = await someJobs();
  await jobs.schedule([{ name: 'healthy', cron: '0 0 1 1 *', run: () => Promise.resolve() }]);
  await sql`ALTER SCHEMA pgboss RENAME TO pgboss_elsewhere`.execute(database.db);
  const findLine = () => lines.find(({ job }) => job === 'healthy');
  await awaitThat(
    'the line is logged',
    async () => findLine() !== undefined,
    () => JSON.stringify(lines),
  );
  await sql`ALTER SCHEMA pgboss_elsewhere RENAME TO pgboss`.execute(database.db);
  expect(findLine()?.err?.message).toContain('pgboss');
  // The code depends on the first failing statement: undefined table or invalid schema name.
  expect(['42P01', '3F000']).toContain(findLine()?.err?.code);
  expect(JSON.stringify(lines)).not.toContain('[object Object]');
});
