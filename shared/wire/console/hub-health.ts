// GET C/hub-health: the hub's health in a single response. Installation data is the hub's own; tenant data belongs to
// the caller's tenant.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

/** Counts of rows and deliveries stop at this number; beyond it a page shows "and more". */
export const HEALTH_MOST = 10_000;

const Count = Type.Integer({ minimum: 0 });
const At = Nullable(Type.String());

/**
 * Problems that need attention, worst first. Each has a text in the console and a line in
 * docs/how-to/monitor-the-hub.md.
 */
export const HEALTH_PROBLEMS = [
  'not_live',
  'disk_low',
  'migrations_missing',
  'newer_schema',
  'settings_differ',
  'jobs_failed',
  'jobs_late',
  'deliveries_failed',
  'deliveries_late',
  'backup_unknown',
  'backup_old',
  'proof_failed',
  'proof_old',
] as const;
export type HealthProblem = (typeof HEALTH_PROBLEMS)[number];

export const HubHealth = Type.Object(
  {
    read_at: Type.String(),
    version: Type.String(),
    /** The start of the process that answers. */
    started_at: Type.String(),
    database: Type.Object({
      version: Type.String(),
      answer_ms: Type.Number(),
      /** Free space of an embedded database; null for a separate server. */
      disk_free_bytes: Nullable(Type.Integer({ minimum: 0 })),
      connections: Type.Object({ used: Count, idle: Count, waiting: Count }),
    }),
    migrations: Type.Object({
      done: Count,
      latest: Nullable(Type.String()),
      missing: Type.Array(Type.String()),
      /** Migrations of a newer version. */
      unknown: Type.Array(Type.String()),
    }),
    /** Whether a change in a process reaches the other processes within a second. */
    live: Type.Boolean(),
    /** Environment variables whose values differ between hubs on this database. */
    settings_differ: Type.Array(Type.String()),
    /** The tenant's override feed, and the progress of its devices. */
    feed: Type.Object({
      number: Count,
      applied: Count,
      applying: Count,
      diverged: Count,
      unknown: Count,
    }),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        cron: Type.String(),
        last_completed_at: At,
        waiting: Count,
        /** The number of failed jobs in the last day. */
        failed: Count,
      }),
    ),
    /** Deliveries of the tenant's alerts. */
    deliveries: Type.Object({
      waiting: Count,
      oldest_waiting_at: At,
      /** The number of abandoned deliveries in the last day. */
      failed: Count,
    }),
    /** The tenant's log rows of the last hour. */
    logs: Type.Object({
      llm_requests: Count,
      tool_calls: Count,
      latest_llm_request_at: At,
      latest_tool_call_at: At,
    }),
    /** The last backup by the hub's own command; null: unknown. */
    last_backup_at: At,
    /** The last result of `doctor --prove`; `failed` lists its failed steps and checks. */
    last_proof: Nullable(
      Type.Object({ at: Type.String(), version: Type.String(), failed: Type.Array(Type.String()) }),
    ),
    problems: Type.Array(OneOf(HEALTH_PROBLEMS)),
  },
  { title: 'HubHealth' },
);
export type HubHealth = Static<typeof HubHealth>;
export const HubHealthAnswer = Type.Object({ health: HubHealth, request_id: Type.String() });
export type HubHealthAnswer = Static<typeof HubHealthAnswer>;
