// The jobs of the gateway: what is kept for a while only is deleted.
import type { Db } from '../../../platform/db/database.ts';
import { deleteOldSessions } from './store.ts';
import { deleteOldStreams } from './stream-store.ts';

export const gatewayJobs = (db: Db) => [
  { name: 'old-mcp-streams', cron: '*/5 * * * *', run: () => deleteOldStreams(db) },
  { name: 'old-mcp-sessions', cron: '52 4 * * *', run: () => deleteOldSessions(db) },
];
