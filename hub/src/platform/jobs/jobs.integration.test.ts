// What a job that fails leaves in the hub's log: whoever reads that a job failed looks there for the reason.
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { cloneDatabase } from '../../../../test/support/hub.ts';
import { awaitThat } from '../../../../test/support/waiting.ts';
import { openDatabase } from '../db/database.ts';
import { startNotifications } from '../feed/notifications.ts';
import { createLog } from '../telemetry/log.ts';
import { startJobs } from './jobs.ts';

interface Line {
  level: number;
  job?: string;
  err?: { message: string; code?: string; stack?: string };
}

async function someJobs() {
  const lines: Line[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line) as Line) });
  const connection = { connectionString: await cloneDatabase() };
  const database = openDatabase(connection, {
    size: 4,
    counter: { count: 0 },
    onIdleError: () => undefined,
  });
  const notifications = await startNotifications({
    connection,
    log,
    revive: async () => undefined,
  });
  const jobs = await startJobs(database, notifications, log);
  onTestFinished(async () => {
    await jobs.stop();
    await notifications.stop();
    await database.close();
  });
  return { jobs, lines, database };
}

test('a scheduled job that fails is named in the log, with the reason', async () => {
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

test('what the worker itself meets is told with its words', async () => {
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
  expect(told()?.err).toMatchObject({ code: '42P01', message: expect.stringContaining('pgboss') });
  expect(JSON.stringify(lines)).not.toContain('[object Object]');
});
