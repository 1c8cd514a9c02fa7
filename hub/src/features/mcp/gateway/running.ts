// Requests under way, so that their client can cancel them: the word may reach another hub process than the request.

import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import type { Owner } from './targets.ts';

const CACHE = 'mcp-cancel';
const KEY_MAX = 500;

export interface Running {
  /** Gives what ends it. */
  begin(owner: Owner, id: unknown, abort: AbortController): () => void;
  cancel(owner: Owner, id: unknown): Promise<void>;
}

export function createRunning(db: Db, notifications: Notifications): Running {
  const running = new Map<string, AbortController>();
  const keyOf = (owner: Owner, id: unknown) =>
    `${owner.hash.toString('hex')} ${JSON.stringify(id)}`;
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget' || notice.cache !== CACHE) return;
    for (const key of notice.keys) running.get(key)?.abort();
  });
  return {
    begin(owner, id, abort) {
      const key = keyOf(owner, id);
      running.set(key, abort);
      return () => {
        if (running.get(key) === abort) running.delete(key);
      };
    },
    async cancel(owner, id) {
      const key = keyOf(owner, id);
      const here = running.get(key);
      if (here !== undefined) return here.abort();
      if (key.length <= KEY_MAX) await notify(db, { kind: 'forget', cache: CACHE, keys: [key] });
    },
  };
}
