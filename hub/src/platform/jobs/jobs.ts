// Background jobs in PostgreSQL by pg-boss. Any hub process may run a job.
// Main types: `Jobs`, `ScheduledJob`; queue.ts has `Queue`.
// Invariants: a scheduled job runs in a single process at a time and also once at the start of a hub; errors are logged
// with the job's name. Depends on pg-boss, the database and notifications.
// Start reading at `startJobs`.
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { withAdvisoryLock } from '../db/advisory-lock.ts';
import {
  type Database,
  type Db,
  isDatabaseAway,
  isDatabaseFull,
  isDatabaseReadOnly,
  row,
} from '../db/database.ts';
import { TENANT_ROLE } from '../db/tenant-connections.ts';
import type { Notifications } from '../feed/notifications.ts';
import { openQueue, type Queue, type QueueSpec } from './queue.ts';

/** A job on a schedule; `run` must be idempotent. */
export interface ScheduledJob {
  name: string;
  cron: string;
  run(): Promise<void>;
}

export interface Jobs {
  /** Opens a queue of jobs that run after the transaction that enqueued them; see queue.ts. */
  openQueue<Data extends object>(spec: QueueSpec<Data>): Promise<Queue<Data>>;
  /** Adds scheduled jobs. Each also runs now, because the hub may have been stopped at the scheduled time. */
  schedule(jobs: readonly ScheduledJob[]): Promise<void>;
  stop(): Promise<void>;
}

/** Grants the tenant role to enqueue jobs, but not to read jobs of other tenants. */
async function grantEnqueueToTenants(db: Db): Promise<void> {
  const grant = await row(
    db,
    sql<{ exists: boolean }>`
      SELECT has_table_privilege(oid, 'pgboss.queue', 'SELECT') AS exists
      FROM pg_roles WHERE rolname = ${TENANT_ROLE}`,
  );
  // Without the role there is no row security.
  if (grant === null || grant.exists) return;
  const role = sql.id(TENANT_ROLE);
  for (const privilege of [
    'USAGE ON SCHEMA pgboss',
    'SELECT ON pgboss.queue',
    'INSERT, SELECT (id) ON pgboss.job, pgboss.job_common',
  ]) {
    await sql`GRANT ${sql.raw(privilege)} TO ${role}`.execute(db);
  }
}

/** Restores an error of a pg-boss worker: pg-boss emits a copy that is no Error, with the queue's name. */
function restoreError(emitted: unknown): { error: unknown; queue?: string | undefined } {
  if (emitted instanceof Error || typeof emitted !== 'object' || emitted === null) {
    return { error: emitted };
  }
  const { message, queue } = emitted as { message?: string; queue?: string };
  return { error: Object.assign(new Error(message), emitted), queue };
}

/** Starts the worker. Jobs run after queues are opened and schedules are added. */
export async function startJobs(
  database: Database,
  notifications: Notifications,
  log: Logger,
): Promise<Jobs> {
  const boss = new PgBoss({
    db: {
      // The result is passed on unchanged: pg-boss parses the results of several statements itself.
      executeSql: (text, values) => database.pool.query(text, values as unknown[]),
    },
    schema: 'pgboss',
    reindex: false,
    monitorVacuum: false,
  });
  const reportError = (error: unknown, job?: string | undefined) => {
    // A lost connection is logged by the notifications. A database that stores nothing is logged nowhere else if there are
    // no requests.
    const storesNothing = isDatabaseFull(error) || isDatabaseReadOnly(error);
    const isLoggedElsewhere = isDatabaseAway(error) && !storesNothing;
    const level = isLoggedElsewhere ? 'debug' : 'error';
    log[level]({ err: error, job }, 'job failed');
  };
  boss.on('error', (emitted: unknown) => {
    const { error, queue } = restoreError(emitted);
    reportError(error, queue);
  });
  // pg-boss creates its schema if it is missing. Two processes that create it at once would fail.
  await withAdvisoryLock(database.db, 'jobs', async (connection) => {
    await boss.start();
    await grantEnqueueToTenants(connection);
  });
  const opened: { stop(): Promise<void> }[] = [];
  return {
    async openQueue(spec) {
      const reportQueueError = (error: unknown) => reportError(error, spec.name);
      const deps = { notifications, reportError: reportQueueError };
      const queue = await openQueue(boss, deps, spec);
      opened.push(queue);
      return queue;
    },
    async schedule(jobs) {
      // Existing queues are read first: creating a queue locks out every other hub that starts.
      const queues = new Set((await boss.getQueues()).map(({ name }) => name));
      const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
      const names = new Set(jobs.map(({ name }) => name));
      for (const name of crons.keys()) if (!names.has(name)) await boss.unschedule(name);
      for (const job of jobs) {
        if (!queues.has(job.name)) {
          await boss.createQueue(job.name, { retryLimit: 5, retryBackoff: true, policy: 'short' });
        }
        if (crons.get(job.name) !== job.cron) await boss.schedule(job.name, job.cron);
        await boss.work(job.name, { pollingIntervalSeconds: 5 }, async () => {
          // pg-boss stores the reason in the job's row, but does not report it.
          await job.run().catch((error: unknown) => {
            reportError(error, job.name);
            throw error;
          });
          log.debug({ job: job.name }, 'job done');
        });
        await boss.send(job.name, {});
      }
    },
    async stop() {
      await Promise.all(opened.map((queue) => queue.stop()));
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
