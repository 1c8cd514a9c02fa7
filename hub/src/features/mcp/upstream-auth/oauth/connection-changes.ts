// Waits for changes of connections, which any hub process announces by invalidating its cached row.
import type { Tx } from '../../../../platform/db/database.ts';
import { notify } from '../../../../platform/feed/feed.ts';
import type { Notifications } from '../../../../platform/feed/notifications.ts';
import type { GrantKey } from './store.ts';

/** Cache of connections by `cacheKey`. */
export const CONNECTION_CACHE = 'mcp-grant';

/** Interval of checks without a notice, because a notice may be lost. */
const POLL_MS = 500;

export const cacheKey = ({ tenantId, backendId, userId }: GrantKey) =>
  `${tenantId}/${backendId}/${userId}`;

/** Invalidates a connection in every process, when the transaction commits. */
export function invalidateEverywhere(tx: Tx, key: GrantKey): Promise<void> {
  return notify(tx, { kind: 'forget', cache: CONNECTION_CACHE, keys: [cacheKey(key)] });
}

/** A wait for the next change. It begins before the row is read, so that no change between the two is missed. */
export interface ChangeWait {
  /** Resolves after a change, after the poll interval, or after `stop`. */
  changed: Promise<void>;
  stop(): void;
}

/** Returns a function that starts a wait for the next change of a connection. */
export function createChangeWaits(notifications: Notifications): (key: GrantKey) => ChangeWait {
  const waits = new Map<string, Set<() => void>>();
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget' || notice.cache !== CONNECTION_CACHE) return;
    for (const key of notice.keys) for (const stop of waits.get(key) ?? []) stop();
  });
  return (key) => {
    const name = cacheKey(key);
    const stops = waits.get(name) ?? new Set();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => {
      clearTimeout(timer);
      stops.delete(stop);
      if (stops.size === 0 && waits.get(name) === stops) waits.delete(name);
      resolve();
    };
    const timer = setTimeout(stop, POLL_MS);
    waits.set(name, stops.add(stop));
    return { changed: promise, stop };
  };
}
