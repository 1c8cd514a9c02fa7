// Vitest's global setup of the integration and browser projects: one embedded PostgreSQL with a migrated template
// database; each test file clones it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@gatewarden/hub/src/platform/db/database.ts';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded.ts';
import { migrate } from '@gatewarden/hub/src/platform/db/migrate.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string };
  }
}

export const TEMPLATE = 'gatewarden_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-pg-'));
  const embedded = await openEmbedded(folder);
  const admin = new pg.Client({ ...embedded.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  const template = openDatabase(
    { ...embedded.connection, database: TEMPLATE },
    { size: 2, counter: { count: 0 }, onIdleError: () => undefined },
  );
  await migrate(template.db);
  await template.close();
  project.provide('postgres', {
    host: String(embedded.connection.host),
    user: String(embedded.connection.user),
  });
  return async () => {
    await embedded.release();
    rmSync(folder, { recursive: true, force: true });
  };
}
