// Caches are told, never timed: an entry lives until a notice names it or the notifications are lost.
import { outsideTenants } from '../db/tenant-connections.ts';
import type { Notifications } from './notifications.ts';

export interface ToldCache<Value> {
  /** From memory, else loaded; not remembered while notices may be missed or when it was forgotten meanwhile. */
  get(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Only what is remembered now and may be relied on. */
  peek(key: string): Value | undefined;
  forget(key: string): void;
}

/** Bounded: the entry that was not used for longest goes first. */
export function createToldCache<Value>(options: {
  name: string;
  max: number;
  notifications: Notifications;
}): ToldCache<Value> {
  const { name, max, notifications } = options;
  const entries = new Map<string, Value>();
  let generation = 0;
  const forget = (key: string) => {
    generation++;
    entries.delete(key);
  };
  notifications.onNotice(
    (notice) => {
      if (notice.kind === 'forget' && notice.cache === name) notice.keys.forEach(forget);
    },
    { again: true },
  );
  notifications.onLost(() => {
    generation++;
    entries.clear();
  });
  const peek = (key: string): Value | undefined => {
    if (!notifications.isLive) return undefined;
    const value = entries.get(key);
    // Order only matters once something may have to go.
    if (value !== undefined && entries.size > max / 2) {
      entries.delete(key);
      entries.set(key, value);
    }
    return value;
  };
  return {
    peek,
    forget,
    async get(key, load) {
      const known = peek(key);
      if (known !== undefined) return known;
      const begun = generation;
      // What is remembered is for everybody, whoever asked first.
      const value = await outsideTenants(load);
      if (notifications.isLive && begun === generation && value !== undefined) {
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
