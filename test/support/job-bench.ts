// The hub's background work without a hub.
import { openDatabase } from '@gatewarden/hub/src/platform/db/database.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { startJobs } from '@gatewarden/hub/src/platform/jobs/jobs.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { onTestFinished } from 'vitest';
import { cloneDatabase } from './hub.ts';

interface JobLine {
  level: number;
  job?: string;
  err?: { message: string; code?: string; stack?: string };
}

/** Runs background jobs on a database of the test's own, and collects their log lines. */
export async function someJobs() {
  const lines: JobLine[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line) as JobLine) });
  const connection = { connectionString: await cloneDatabase() };
  const database = openDatabase(connection, {
    size: 4,
    counter: { count: 0 },
    onIdleError: () => undefined,
  });
  const notifications = await startNotifications({
    connection,
    log,
    revive: async () => undefined,
  });
  const jobs = await startJobs(database, notifications, log);
  onTestFinished(async () => {
    await jobs.stop();
    await notifications.stop();
    await database.close();
  });
  return { jobs, lines, database };
}
