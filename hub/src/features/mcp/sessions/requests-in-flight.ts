// Requests in flight, so that a client can cancel them at any hub process. A request also ends when its token is revoked or
// its user removed, because it may stream as long as its server likes.
import type { Db } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createLinkedList } from '../../../platform/http/limits/linked-list.ts';
import { InvalidTokenError } from '../access-tokens/index.ts';
import { CHANNELS, onSignals, type SessionOwner, sendSignal } from '../upstream/index.ts';
import { REVALIDATION_CACHES } from './revalidation-caches.ts';

/** Longer keys do not fit into a signal; such a request is canceled in its own process only. */
const KEY_CHARS_MAX = 500;
/** Interval of revalidation without a notice: a token may expire. */
const REVALIDATE_MS = 25_000;

interface InFlightRequest {
  abort: AbortController;
  /** Throws InvalidTokenError if the client lost its access. The request is aborted with that reason. */
  revalidate(): Promise<unknown>;
}

export interface RequestsInFlight {
  /** Registers a request. Returns the function that removes it. */
  track(owner: SessionOwner, id: unknown, request: InFlightRequest): () => void;
  /** Cancels a request in whichever process it runs. */
  cancel(owner: SessionOwner, id: unknown): Promise<void>;
  /** Cancels all requests of the session, in every process. */
  cancelAll(owner: SessionOwner): Promise<void>;
  stop(): void;
}

/** Returns the registry of this process. */
export function createRequestsInFlight(db: Db, notifications: Notifications): RequestsInFlight {
  /** `abort` becomes null when the request ends: its id may be in use again. */
  const byId = new Map<string, { abort: AbortController | null }>();
  const all = createLinkedList<InFlightRequest & { ownerKey: string }>();
  const revalidateAll = () => {
    for (const { abort, revalidate } of all) {
      revalidate().catch((error: unknown) => {
        // A database that is down removes nobody's access.
        if (error instanceof InvalidTokenError) abort.abort(error);
      });
    }
  };
  const timer = setInterval(revalidateAll, REVALIDATE_MS).unref();
  const ownerKeyOf = ({ hash }: SessionOwner) => hash.toString('hex');
  const keyOf = (owner: SessionOwner, id: unknown) => `${ownerKeyOf(owner)} ${JSON.stringify(id)}`;
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget') return;
    // The caches of tokens and users must be invalidated first.
    if (REVALIDATION_CACHES.has(notice.cache)) setImmediate(revalidateAll);
  });
  onSignals(notifications, {
    [CHANNELS.cancel]: (key) => byId.get(key)?.abort?.abort(),
    [CHANNELS.cancelAll]: (owner) => {
      const requests = [...all].filter(({ ownerKey }) => ownerKey === owner);
      for (const { abort } of requests) abort.abort();
    },
  });
  return {
    track(owner, id, request) {
      const key = keyOf(owner, id);
      const entry: { abort: AbortController | null } = { abort: request.abort };
      byId.set(key, entry);
      const remove = all.add({ ...request, ownerKey: ownerKeyOf(owner) });
      return () => {
        remove();
        entry.abort = null;
        if (byId.get(key) === entry) byId.delete(key);
      };
    },
    async cancel(owner, id) {
      const key = keyOf(owner, id);
      const local = byId.get(key);
      if (local !== undefined) return local.abort?.abort();
      if (key.length <= KEY_CHARS_MAX) await sendSignal(db, CHANNELS.cancel, key);
    },
    cancelAll: (owner) => sendSignal(db, CHANNELS.cancelAll, ownerKeyOf(owner)),
    stop: () => clearInterval(timer),
  };
}
