// Vitest's global setup of the integration and browser projects: an embedded PostgreSQL with a migrated template
// database; each test file clones it. GATEWARDEN_TEST_DATABASE_URL names another server instead, also a
// Citus coordinator: its workers have their part of each database under the same name.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activityRetention } from '@gatewarden/hub/src/app/routes.ts';
import { maintainLogs } from '@gatewarden/hub/src/features/logs/retention/index.ts';
import { openDatabase } from '@gatewarden/hub/src/platform/db/database.ts';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { migrate } from '@gatewarden/hub/src/platform/db/migrate.ts';
import { maintainPartitions } from '@gatewarden/hub/src/platform/db/partitions.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { startJobs } from '@gatewarden/hub/src/platform/jobs/jobs.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import type { TestProject } from 'vitest/node';
import {
  blankCitus,
  createOn,
  dropOurs,
  freeze,
  type Node,
  nodesOf,
  onNode,
  type Server,
} from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Server;
  }
}

export const TEMPLATE = 'gatewarden_template';
/** A database for Citus that knows its workers and has no table. */
export const BLANK = 'gatewarden_blank';

/** The hubs of all test files that run at the same time share the server. */
const MAX_CONNECTIONS = 1_000;

interface RunningServer {
  server: Server;
  stop(): Promise<void>;
}

/** The server of this run: vitest evaluates a setup file once for each project, in a single process. */
const run = globalThis as {
  gatewardenPostgres?: { users: number; running: Promise<RunningServer> };
};

/** Starts the server with the first project that needs it, and stops it with the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.GATEWARDEN_TEST_DATABASE_URL ?? '';
  run.gatewardenPostgres ??= { users: 0, running: url === '' ? startEmbedded() : openOutside(url) };
  const shared = run.gatewardenPostgres;
  shared.users++;
  const running = await shared.running;
  project.provide('postgres', running.server);
  return async () => {
    if (--shared.users === 0) await running.stop();
  };
}

async function startEmbedded(): Promise<RunningServer> {
  const folder = mkdtempSync(join(process.env.GATEWARDEN_TEST_SCRATCH ?? tmpdir(), 'gw-pg-'));
  const server = await openEmbedded(folder, MAX_CONNECTIONS);
  const node = {
    host: String(server.connection.host),
    port: server.connection.port ?? 5432,
    user: String(server.connection.user),
  };
  await onNode(node, 'postgres', async (client) => {
    // Hundreds of databases that live for seconds would each be looked after in turn.
    await client.query("ALTER SYSTEM SET autovacuum_naptime = '1h'");
    await client.query('SELECT pg_reload_conf()');
  });
  await createOn([node], TEMPLATE, null);
  await migrateTemplate(node);
  return {
    server: { nodes: [node], isCitus: false },
    async stop() {
      await server.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openOutside(url: string): Promise<RunningServer> {
  const { nodes, isCitus } = await nodesOf(url);
  await dropOurs(nodes);
  if (isCitus) {
    await blankCitus(nodes, BLANK);
    await freeze(nodes, BLANK);
  }
  await createOn(nodes, TEMPLATE, isCitus ? BLANK : null);
  await migrateTemplate(nodes[0] as Node);
  await freeze(nodes, TEMPLATE);
  return { server: { nodes, isCitus }, stop: () => dropOurs(nodes) };
}

async function migrateTemplate(node: Node): Promise<void> {
  const connection = { ...node, database: TEMPLATE };
  const template = openDatabase(connection, {
    size: 2,
    counter: { count: 0 },
    onIdleError: () => undefined,
  });
  await migrate(template.db);
  // Each hub would otherwise create these partitions again at its start.
  await maintainPartitions(template.db, activityRetention, new Date());
  await maintainLogs(template.db, new Date());
  const log = createLog('silent');
  const notifications = await startNotifications({
    connection,
    log,
    revive: async () => undefined,
  });
  await (await startJobs(template, notifications, log)).stop();
  await notifications.stop();
  await template.close();
}
