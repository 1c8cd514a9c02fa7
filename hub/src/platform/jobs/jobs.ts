// Background work: jobs in PostgreSQL by pg-boss, run by whichever hub process takes them first.
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Database, isDatabaseAway } from '../db/database.ts';

/** A named piece of work on a schedule; `run` must be safe to repeat. */
export interface ScheduledJob {
  name: string;
  cron: string;
  run(): Promise<void>;
}

export interface Jobs {
  stop(): Promise<void>;
}

/** Starts the worker and its schedules; each job also runs once now, because a hub may have slept through its hour. */
export async function startJobs(
  database: Database,
  jobs: readonly ScheduledJob[],
  log: Logger,
): Promise<Jobs> {
  const boss = new PgBoss({
    db: {
      // Handed on as it is: pg-boss takes apart the answers of several statements itself.
      executeSql: (text, values) => database.pool.query(text, values as unknown[]),
    },
    schema: 'pgboss',
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => {
    log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'a job could not be handled');
  });
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name, { retryLimit: 5, retryBackoff: true, policy: 'short' });
    await boss.schedule(job.name, job.cron);
    await boss.work(job.name, { pollingIntervalSeconds: 5 }, async () => {
      await job.run();
      log.debug({ job: job.name }, 'job done');
    });
    await boss.send(job.name, {});
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}
