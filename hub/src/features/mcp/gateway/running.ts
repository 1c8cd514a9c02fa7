// Requests under way, so that their client can cancel them: the word may reach another hub process than the request. One
// whose token or person is no longer let in is ended too, for it may stream for as long as its server likes.

import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createLinkedList } from '../../../platform/http/limits/linked-list.ts';
import { NotAdmitted } from '../tokens/index.ts';
import { DOOR } from './client-streams.ts';
import type { Owner } from './targets.ts';

const CACHE = 'mcp-cancel';
const ALL = 'mcp-cancel-all';
const KEY_MAX = 500;
/** A token may end by itself. */
const LOOK_MS = 25_000;

interface Underway {
  abort: AbortController;
  /** Throws NotAdmitted where its client may no longer be here: it is ended with that as its reason. */
  again(): Promise<unknown>;
}

export interface Running {
  /** Gives what ends it. */
  begin(owner: Owner, id: unknown, one: Underway): () => void;
  cancel(owner: Owner, id: unknown): Promise<void>;
  /** Cancels whatever is under way of the session, in every process. */
  cancelAll(owner: Owner): Promise<void>;
  stop(): void;
}

export function createRunning(db: Db, notifications: Notifications): Running {
  const running = new Map<string, { abort: AbortController | null }>();
  const all = createLinkedList<Underway & { owner: Owner }>();
  const look = () => {
    for (const { abort, again } of all) {
      again().catch((error: unknown) => {
        // The database may be away: that is no reason to send anybody away.
        if (error instanceof NotAdmitted) abort.abort(error);
      });
    }
  };
  const looks = setInterval(look, LOOK_MS).unref();
  const keyOf = (owner: Owner, id: unknown) =>
    `${owner.hash.toString('hex')} ${JSON.stringify(id)}`;
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget') return;
    // After the caches of the door have forgotten.
    if (DOOR.has(notice.cache)) setImmediate(look);
    if (notice.cache === ALL) {
      const owners = new Set(notice.keys);
      const ended = [...all].filter(({ owner }) => owners.has(owner.hash.toString('hex')));
      for (const { abort } of ended) abort.abort();
    }
    if (notice.cache !== CACHE) return;
    for (const key of notice.keys) running.get(key)?.abort?.abort();
  });
  return {
    begin(owner, id, one) {
      const key = keyOf(owner, id);
      const named: { abort: AbortController | null } = { abort: one.abort };
      running.set(key, named);
      const leave = all.add({ ...one, owner });
      return () => {
        leave();
        named.abort = null;
        if (running.get(key) === named) running.delete(key);
      };
    },
    async cancel(owner, id) {
      const key = keyOf(owner, id);
      const here = running.get(key);
      if (here !== undefined) return here.abort?.abort();
      if (key.length <= KEY_MAX) await notify(db, { kind: 'forget', cache: CACHE, keys: [key] });
    },
    cancelAll: ({ hash }) =>
      notify(db, { kind: 'forget', cache: ALL, keys: [hash.toString('hex')] }),
    stop: () => clearInterval(looks),
  };
}
