// States of the hub's scheduled jobs, as pg-boss stores them. Queued jobs belong to tenants and are not included.
import { sql } from 'kysely';
import { type Db, rows } from '../db/database.ts';

export interface JobState {
  name: string;
  cron: string;
  last_completed_at: Date | null;
  waiting: number;
  /** Failures of the last day. */
  failed: number;
}

/** Returns the state of every scheduled job, sorted by name. */
export function selectJobStates(db: Db): Promise<JobState[]> {
  return rows(
    db,
    sql<JobState>`
      SELECT s.name, s.cron,
        max(j.completed_on) FILTER (WHERE j.state = 'completed') AS last_completed_at,
        count(*) FILTER (WHERE j.state IN ('created', 'retry')) AS waiting,
        count(*) FILTER (WHERE j.state = 'failed' AND j.completed_on > now() - interval '1 day') AS failed
      FROM pgboss.schedule s LEFT JOIN pgboss.job j ON j.name = s.name
      GROUP BY s.name, s.cron ORDER BY s.name`,
  );
}
