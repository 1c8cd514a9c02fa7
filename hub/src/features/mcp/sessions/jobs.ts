// Jobs of the gateway that delete expired sessions and responses.
import type { Db } from '../../../platform/db/database.ts';
import { deleteOldSessions } from './store.ts';
import { deleteOldStreams } from './stream-store.ts';

/** Returns the jobs, with their schedules in UTC. */
export const gatewayJobs = (db: Db) => [
  { name: 'old-mcp-streams', cron: '*/5 * * * *', run: () => deleteOldStreams(db) },
  { name: 'old-mcp-sessions', cron: '52 4 * * *', run: () => deleteOldSessions(db) },
];
