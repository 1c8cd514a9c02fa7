// How the hub's scheduled jobs are, as pg-boss keeps them. Of queued jobs, which are of tenants, it says nothing.
import { sql } from 'kysely';
import { type Db, rows } from '../db/database.ts';

export interface JobState {
  name: string;
  cron: string;
  last_completed_at: Date | null;
  waiting: number;
  /** In the last day. */
  failed: number;
}

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
