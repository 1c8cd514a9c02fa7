// GET C/hub-health: composes what platform and features know of the hub's state, for administrators of a tenant.

import { HEALTH_MOST, HubHealthAnswer } from '@gatewarden/shared/wire/console/hub-health.ts';
import { countHealth } from '../features/devices/inventory/index.ts';
import { countDeliveries } from '../features/devices/notification-channels/index.ts';
import { countRecentLogs } from '../features/logs/events/index.ts';
import { personOf } from '../platform/auth/person.ts';
import type { Context } from '../platform/context.ts';
import { migrationNames, schemaState } from '../platform/db/migrate.ts';
import { readFeed } from '../platform/feed/feed.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import { isoOrNull } from '../platform/http/lists/console-lists.ts';
import type { App } from '../platform/http/server/app.ts';
import { readLastBackup, readLastProof } from '../platform/installation.ts';
import { selectJobStates } from '../platform/jobs/job-states.ts';
import type { Peers } from '../platform/peers.ts';
import { problemsOf } from './hub-health-rules.ts';
import { HUB_VERSION } from './version.ts';

type HubHealthDeps = Pick<Context, 'database' | 'databaseFreeBytes'> & {
  notifications: Notifications;
  peers: Peers;
};

export function registerHubHealth(app: App, deps: HubHealthDeps): void {
  const startedAt = new Date();

  app.get(
    '/hub-health',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['operator'],
        summary: 'Get the system status',
        response: { 200: HubHealthAnswer },
      },
    },
    async (request) => {
      const now = new Date();
      const health = await loadHealth(deps, personOf(request).tenantId, { startedAt, now });
      return { health: { ...health, problems: problemsOf(health, now) }, request_id: request.id };
    },
  );
}

/** Returns the state of this hub process, its database, the jobs of all hubs, and the tenant's deliveries and logs. */
async function loadHealth(
  { database: { db, pool }, databaseFreeBytes, notifications, peers }: HubHealthDeps,
  tenantId: string,
  { startedAt, now }: { startedAt: Date; now: Date },
) {
  const queriedAtMs = performance.now();
  const version = await pool.query<{ server_version: string }>('SHOW server_version');
  const answerMs = Math.round((performance.now() - queriedAtMs) * 10) / 10;
  const [schema, number, devices, jobs, deliveries, logs, lastBackup, lastProof, freeBytes] =
    await Promise.all([
      schemaState(db),
      readFeed(db, tenantId, 'governance'),
      countHealth(db, tenantId),
      selectJobStates(db),
      countDeliveries(db, tenantId, HEALTH_MOST),
      countRecentLogs(db, tenantId, HEALTH_MOST),
      readLastBackup(db),
      readLastProof(pool),
      databaseFreeBytes(),
    ]);
  const settingsDiffer = await peers.differing();
  const applied = migrationNames().filter((name) => !schema.missing.includes(name));
  return {
    read_at: now.toISOString(),
    version: HUB_VERSION,
    started_at: startedAt.toISOString(),
    database: {
      version: version.rows[0]?.server_version ?? '',
      answer_ms: answerMs,
      disk_free_bytes: freeBytes,
      connections: {
        used: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      },
    },
    migrations: {
      done: applied.length + schema.unknown.length,
      latest: [...applied, ...schema.unknown].sort().at(-1) ?? null,
      ...schema,
    },
    live: notifications.isLive,
    settings_differ: settingsDiffer,
    feed: {
      number,
      applied: devices.applied,
      applying: devices.applying,
      diverged: devices.diverged,
      unknown: devices.unknown,
    },
    jobs: jobs.map((job) => ({
      ...job,
      last_completed_at: isoOrNull(job.last_completed_at),
    })),
    deliveries: {
      ...deliveries,
      oldest_waiting_at: isoOrNull(deliveries.oldest_waiting_at),
    },
    logs: {
      ...logs,
      latest_llm_request_at: isoOrNull(logs.latest_llm_request_at),
      latest_tool_call_at: isoOrNull(logs.latest_tool_call_at),
    },
    last_backup_at: isoOrNull(lastBackup),
    last_proof: lastProof === null ? null : { ...lastProof, at: lastProof.at.toISOString() },
  };
}
