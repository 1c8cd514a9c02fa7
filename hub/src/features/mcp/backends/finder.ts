// A backend by what its URL says: its id, or a slug that only one tenant has. Remembered until a notice names it.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { createToldCache } from '../../../platform/feed/cache.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { type FoundBackend, selectBackendsAt } from './store.ts';

const CACHE = 'mcp-backend';

export interface BackendFinder {
  /** Null where there is none, where it is disabled, and where tenants share the slug. */
  find(segment: string): Promise<FoundBackend | null>;
  /** In this process at once. */
  forget(segments: readonly string[]): void;
}

export function createBackendFinder(db: Db, notifications: Notifications): BackendFinder {
  const cache = createToldCache<{ found: FoundBackend | null }>({
    name: CACHE,
    max: 10_000,
    notifications,
  });
  return {
    async find(segment) {
      const { found } = await cache.get(segment, async () => {
        const all = await selectBackendsAt(db, segment);
        return { found: all.length === 1 ? (all[0] ?? null) : null };
      });
      return found;
    },
    forget: (segments) => {
      for (const one of segments) cache.forget(one);
    },
  };
}

/** Every hub process reads these anew. */
export function forgetBackends(tx: Tx, segments: readonly string[]): Promise<void> {
  return notify(tx, { kind: 'forget', cache: CACHE, keys: [...segments] });
}
