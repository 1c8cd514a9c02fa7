// The process map as devices get it: read once for each version and remembered until the feed moves on.
import { createHash } from 'node:crypto';
import type { ProcessMapAnswer } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Db } from '../../../platform/db/database.ts';
import { readFeed } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { selectMappings } from './store.ts';

export interface ProcessMap {
  answer: ProcessMapAnswer;
  etag: string;
}

export interface ProcessMaps {
  of(tenantId: string): Promise<ProcessMap>;
  /** In the process that changed it, before the notice comes round. */
  forget(tenantId: string): void;
}

export function createProcessMaps(db: Db, notifications: Notifications): ProcessMaps {
  const cache = createNotifiedCache<ProcessMap>({ name: 'process_map', max: 1_000, notifications });
  notifications.onNotice(
    (notice) => {
      if (notice.kind === 'feed' && notice.topic === 'process_map') cache.invalidate(notice.tenant);
    },
    { again: true },
  );
  return {
    forget: (tenantId) => cache.invalidate(tenantId),
    of: (tenantId) =>
      cache.get(tenantId, async () => {
        // The number first: a map that is newer than its number is only fetched once more.
        const version = await readFeed(db, tenantId, 'process_map');
        const mappings = (await selectMappings(db, tenantId)).map((mapping) => ({
          process_name: mapping.process_name,
          platform: mapping.platform,
          match: mapping.match,
          application_name: mapping.application_name,
          entity_id: mapping.entity_id,
        }));
        const answer = { version, mappings };
        const hash = createHash('sha256').update(JSON.stringify(answer)).digest('base64url');
        return { answer, etag: `"${hash.slice(0, 27)}"` };
      }),
  };
}
