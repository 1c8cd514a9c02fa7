// Background work: jobs in PostgreSQL by pg-boss, run by whichever hub process takes them first.
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { withAdvisoryLock } from '../db/alone.ts';
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

/** A named piece of work on a schedule; `run` must be safe to repeat. */
export interface ScheduledJob {
  name: string;
  cron: string;
  run(): Promise<void>;
}

export interface Jobs {
  /** Work that is asked for in a transaction and done after it; see queue.ts. */
  openQueue<Data extends object>(spec: QueueSpec<Data>): Promise<Queue<Data>>;
  /** Adds what is to run on a schedule; each also runs once now, because a hub may have slept through its hour. */
  schedule(jobs: readonly ScheduledJob[]): Promise<void>;
  stop(): Promise<void>;
}

/** Who works within one tenant may ask for jobs, and may not see those of others. */
async function letTenantsAsk(db: Db): Promise<void> {
  const allowed = await row(
    db,
    sql<{ yet: boolean }>`
      SELECT has_table_privilege(oid, 'pgboss.queue', 'SELECT') AS yet
      FROM pg_roles WHERE rolname = ${TENANT_ROLE}`,
  );
  // Without the role there is no row security either.
  if (allowed === null || allowed.yet) return;
  const role = sql.id(TENANT_ROLE);
  for (const what of [
    'USAGE ON SCHEMA pgboss',
    'SELECT ON pgboss.queue',
    'INSERT, SELECT (id) ON pgboss.job, pgboss.job_common',
  ]) {
    await sql`GRANT ${sql.raw(what)} TO ${role}`.execute(db);
  }
}

/** Of its workers pg-boss hands on a copy of the error, which is none any more, with the queue's name. */
function asError(told: unknown): { error: unknown; queue?: string | undefined } {
  if (told instanceof Error || typeof told !== 'object' || told === null) return { error: told };
  const { message, queue } = told as { message?: string; queue?: string };
  return { error: Object.assign(new Error(message), told), queue };
}

/** Starts the worker; nothing runs before queues are opened and schedules are added. */
export async function startJobs(
  database: Database,
  notifications: Notifications,
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
  const complain = (error: unknown, job?: string | undefined) => {
    // Its going away is told where it is noticed; that it stores nothing, nowhere else while nobody asks anything.
    const storesNothing = isDatabaseFull(error) || isDatabaseReadOnly(error);
    const isTold = isDatabaseAway(error) && !storesNothing;
    const level = isTold ? 'debug' : 'error';
    log[level]({ err: error, job }, 'a job could not be handled');
  };
  boss.on('error', (told: unknown) => {
    const { error, queue } = asError(told);
    complain(error, queue);
  });
  // pg-boss makes its schema where it finds none: two at once would stand in each other's way.
  await withAdvisoryLock(database.db, 'jobs', async (one) => {
    await boss.start();
    await letTenantsAsk(one);
  });
  const opened: { stop(): Promise<void> }[] = [];
  return {
    async openQueue(spec) {
      const about = (error: unknown) => complain(error, spec.name);
      const queue = await openQueue(boss, { notifications, complain: about }, spec);
      opened.push(queue);
      return queue;
    },
    async schedule(jobs) {
      // Asked for once: a hub that starts again finds them all, and to make one anew locks out every other that starts.
      const queues = new Set((await boss.getQueues()).map(({ name }) => name));
      const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
      for (const job of jobs) {
        if (!queues.has(job.name)) {
          await boss.createQueue(job.name, { retryLimit: 5, retryBackoff: true, policy: 'short' });
        }
        if (crons.get(job.name) !== job.cron) await boss.schedule(job.name, job.cron);
        await boss.work(job.name, { pollingIntervalSeconds: 5 }, async () => {
          // pg-boss keeps the reason in the job's row, and says nothing of it.
          await job.run().catch((error: unknown) => {
            complain(error, job.name);
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
