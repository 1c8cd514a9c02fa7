// GET C/hub-health: how the hub is, in one view. Of the installation what is the hub's own, of tenants only this one.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';

/** Counting rows and deliveries ends here: beyond it a page says "and more". */
export const HEALTH_MOST = 10_000;

const Count = Type.Integer({ minimum: 0 });
const At = Nullable(Type.String());

/** What somebody should look at, worst first; each has a text in the console and a line in docs/how-to/monitor-the-hub.md. */
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
    /** Of the process that answers. */
    started_at: Type.String(),
    database: Type.Object({
      version: Type.String(),
      answer_ms: Type.Number(),
      /** Of an embedded database; null for a server of its own. */
      disk_free_bytes: Nullable(Type.Integer({ minimum: 0 })),
      connections: Type.Object({ used: Count, idle: Count, waiting: Count }),
    }),
    migrations: Type.Object({
      done: Count,
      latest: Nullable(Type.String()),
      missing: Type.Array(Type.String()),
      /** Of a newer version. */
      unknown: Type.Array(Type.String()),
    }),
    /** Whether what one process changes is told to the others within a second. */
    live: Type.Boolean(),
    /** Settings, by their variables, in which another running hub on this database differs from this one. */
    settings_differ: Type.Array(Type.String()),
    /** The tenant's feed of decisions, and how far its devices are with it. */
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
        /** In the last day. */
        failed: Count,
      }),
    ),
    /** Of the tenant's alerts. */
    deliveries: Type.Object({
      waiting: Count,
      oldest_waiting_at: At,
      /** Given up in the last day. */
      failed: Count,
    }),
    /** The tenant's rows of the last hour. */
    logs: Type.Object({
      llm_requests: Count,
      tool_calls: Count,
      latest_llm_request_at: At,
      latest_tool_call_at: At,
    }),
    /** By the hub's own command; null: not known. */
    last_backup_at: At,
    /** What `doctor --prove` came to last; `failed`: its steps and checks, none where all is proved. */
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
