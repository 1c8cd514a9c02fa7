// Rules that turn the hub's state into problems for an operator. Pure, so that each rule is tested without waiting for it.
import {
  HEALTH_PROBLEMS,
  type HealthProblem,
  type HubHealth,
} from '@gatewarden/shared/wire/console/hub-health.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Deliveries are retried for days; a delivery that waits this long is reported. */
const DELIVERY_LATE_MS = 15 * MINUTE_MS;
/** A backup is expected every day; a backup older than two days is reported. */
const BACKUP_OLD_MS = 48 * HOUR_MS;
/** A proof is wanted every week. */
const PROOF_OLD_MS = 8 * 24 * HOUR_MS;
/** The free disk space of a busy hour: the maximum size of PostgreSQL's write-ahead log. */
const DISK_LOW_BYTES = 2 * 2 ** 30;
/** Jobs run once at start: before that none is late. */
const START_MS = 10 * MINUTE_MS;

/** Worst first. */
export function problemsOf(health: Omit<HubHealth, 'problems'>, now: Date): HealthProblem[] {
  const older = (at: string | null, ms: number) =>
    at !== null && now.getTime() - Date.parse(at) > ms;
  const hasRun = older(health.started_at, START_MS);
  const found: Record<HealthProblem, boolean> = {
    not_live: !health.live,
    disk_low:
      health.database.disk_free_bytes !== null && health.database.disk_free_bytes < DISK_LOW_BYTES,
    migrations_missing: health.migrations.missing.length > 0,
    newer_schema: health.migrations.unknown.length > 0,
    settings_differ: health.settings_differ.length > 0,
    jobs_failed: health.jobs.some((job) => job.failed > 0),
    jobs_late:
      hasRun &&
      health.jobs.some(
        (job) =>
          job.last_completed_at === null || older(job.last_completed_at, lateAfterMs(job.cron)),
      ),
    deliveries_failed: health.deliveries.failed > 0,
    deliveries_late: older(health.deliveries.oldest_waiting_at, DELIVERY_LATE_MS),
    backup_unknown: health.last_backup_at === null,
    backup_old: older(health.last_backup_at, BACKUP_OLD_MS),
    proof_failed: (health.last_proof?.failed.length ?? 0) > 0,
    proof_old: older(health.last_proof?.at ?? null, PROOF_OLD_MS),
  };
  return HEALTH_PROBLEMS.filter((problem) => found[problem]);
}

/** A job every minute, every hour or every day, and a good part of that on top. */
function lateAfterMs(cron: string): number {
  const [minute, hour] = cron.split(' ');
  if (minute === '*') return 5 * MINUTE_MS;
  return hour === '*' ? 90 * MINUTE_MS : 26 * HOUR_MS;
}
