// Caches that are invalidated by notifications instead of expiry (`NotifiedCache`). An entry stays until a notification
// names it, the notifications are lost, or the cache is full.
import { outsideTenants } from '../db/tenant-connections.ts';
import type { Notifications } from './notifications.ts';

export interface NotifiedCache<Value> {
  /** Returns the cached or loaded value. A value is not cached while notifications may be missing or after an invalidation. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Returns the value only if it is cached and reliable. */
  getIfCached(key: string): Value | undefined;
  invalidate(key: string): void;
}

/** Returns a cache of `max` entries. It evicts the least recently used entry. */
export function createNotifiedCache<Value>(options: {
  name: string;
  max: number;
  notifications: Notifications;
}): NotifiedCache<Value> {
  const { name, max, notifications } = options;
  const entries = new Map<string, Value>();
  let generation = 0;
  const invalidate = (key: string) => {
    generation++;
    entries.delete(key);
  };
  notifications.onNotice(
    (notice) => {
      if (notice.kind === 'forget' && notice.cache === name) notice.keys.forEach(invalidate);
    },
    { again: true },
  );
  notifications.onLost(() => {
    generation++;
    entries.clear();
  });
  const getIfCached = (key: string): Value | undefined => {
    if (!notifications.isLive) return undefined;
    const value = entries.get(key);
    // The order of use matters only when an eviction may be near.
    if (value !== undefined && entries.size > max / 2) {
      entries.delete(key);
      entries.set(key, value);
    }
    return value;
  };
  return {
    getIfCached,
    invalidate,
    async get(key, load) {
      const cached = getIfCached(key);
      if (cached !== undefined) return cached;
      const startGeneration = generation;
      // The value is shared by all tenants, so it is not loaded as the tenant of the first caller.
      const value = await outsideTenants(load);
      if (notifications.isLive && startGeneration === generation && value !== undefined) {
        entries.set(key, value);
        for (const oldest of entries.keys()) {
          if (entries.size <= max) break;
          entries.delete(oldest);
        }
      }
      return value;
    },
  };
}
