// Finds a backend by the path segment of its URL: its id, or a slug of a single tenant. Cached until a notice invalidates it.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notice, Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import {
  type BackendRow,
  type FoundBackend,
  selectBackendsAt,
  selectEnabledBackends,
} from './store.ts';

const CACHE = 'mcp-backend';

const OF_TENANT = 'mcp-backends';

export interface BackendFinder {
  /** Null where there is none, where it is disabled, and where tenants share the slug. */
  find(segment: string): Promise<FoundBackend | null>;
  /** Returns the enabled backends of the tenant. */
  enabled(tenantId: string): Promise<BackendRow[]>;
  /** In this process at once. */
  forget(tenantId: string, segments: readonly string[]): void;
}

export function createBackendFinder(db: Db, notifications: Notifications): BackendFinder {
  const cache = createNotifiedCache<{ found: FoundBackend | null }>({
    name: CACHE,
    max: 10_000,
    notifications,
  });
  const lists = createNotifiedCache<BackendRow[]>({ name: OF_TENANT, max: 10_000, notifications });
  return {
    async find(segment) {
      const { found } = await cache.get(segment, async () => {
        const all = await selectBackendsAt(db, segment);
        const [first, other] = all;
        // An id is nobody else's name.
        const isMeant = other === undefined || first?.backend_id === segment;
        return { found: isMeant ? (first ?? null) : null };
      });
      return found;
    },
    enabled: (tenantId) => lists.get(tenantId, () => selectEnabledBackends(db, tenantId)),
    forget: (tenantId, segments) => {
      lists.invalidate(tenantId);
      for (const segment of segments) cache.invalidate(segment);
    },
  };
}

/** The ids of those that were made, changed or deleted, among other names of theirs. */
export const changedBackends = (notice: Notice): ReadonlySet<string> =>
  new Set(notice.kind === 'forget' && notice.cache === CACHE ? notice.keys : []);

/** Every hub process reads these anew. */
export async function forgetBackends(
  tx: Tx,
  tenantId: string,
  segments: readonly string[],
): Promise<void> {
  await notify(tx, { kind: 'forget', cache: CACHE, keys: [...segments] });
  await notify(tx, { kind: 'forget', cache: OF_TENANT, keys: [tenantId] });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
}
