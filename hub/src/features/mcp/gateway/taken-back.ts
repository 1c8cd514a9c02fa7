// What goes on with a person's own key or connection ends when they take it back, may not be here any more, or a rule keeps
// the server from them, in whichever process: a server's stream is taken up again with what lets them in now, as soon as anything does; a call ends.

import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createLinkedList } from '../../../platform/http/limits/linked-list.ts';
import { NotByTheServer } from './feeds.ts';
import { KeyMissing, type Target } from './targets.ts';
import { waited } from './together.ts';
import type { Upstreams } from './upstreams.ts';

/** Whom a notice concerns, by the cache that forgets: of others nothing is looked at, and no login is renewed. */
const CONCERNS = new Map<string, (keys: readonly string[]) => (target: Target) => boolean>([
  ['mcp-connection', atPlaces],
  ['mcp-grant', atPlaces],
  // Told of who may come in at all, and to which servers: with the person, and with the tenant whose e-mail domains changed.
  [
    'person',
    (keys) =>
      ({ email }) =>
        email !== null && keys.includes(email),
  ],
  ['mcp-settings', ofTenants],
  ['mcp-rules', ofTenants],
]);

/** A login or a database that was away is asked again. */
const AGAIN_MS = 2_000;

type Credentials = Record<string, string>;

interface Held {
  target: Target;
  /** Called with what lets the person in now; null: nothing does. */
  look(now: Credentials | null): void;
  /** When it is looked at again. */
  again?: NodeJS.Timeout;
  isOver: boolean;
}

/** The same servers; of those that let in each person by what is their own, nothing outlives it. */
export function endingWhenTakenBack(upstreams: Upstreams, notifications: Notifications): Upstreams {
  const all = createLinkedList<Held>();
  const lookAt = async (one: Held): Promise<void> => {
    if (one.isOver) return;
    let isKnown = true;
    try {
      one.look(await one.target.credentials());
    } catch (error) {
      if (error instanceof KeyMissing) one.look(null);
      // A login or a database that is away takes nothing back.
      else isKnown = false;
    }
    // While notices may be lost, the next change would not be told.
    if (!isKnown || !notifications.isLive) lookLater(one);
    else clearTimeout(one.again);
  };
  // One look to come for each at most, however many looked.
  const lookLater = (one: Held) => {
    clearTimeout(one.again);
    if (!one.isOver) one.again = setTimeout(() => void lookAt(one), AGAIN_MS).unref();
  };
  const onNotice: Parameters<Notifications['onNotice']>[0] = (notice) => {
    if (notice.kind !== 'forget') return;
    const concerns = CONCERNS.get(notice.cache)?.(notice.keys);
    if (concerns === undefined) return;
    const concerned = [...all].filter((one) => concerns(one.target));
    // After the caches have forgotten.
    setImmediate(() => concerned.forEach((one) => void lookAt(one)));
  };
  notifications.onNotice(onNotice, { again: true });
  // What was taken back meanwhile nobody told.
  notifications.onLost(() => {
    for (const one of all) void lookAt(one);
  });
  const hold = (target: Target, look: Held['look']) => {
    const one: Held = { target, look, isOver: false };
    const leave = all.add(one);
    if (!notifications.isLive) lookLater(one);
    return () => {
      one.isOver = true;
      leave();
      clearTimeout(one.again);
    };
  };

  return {
    ...upstreams,
    async *call(target, owner, request, signal) {
      if (target.isShared) return yield* upstreams.call(target, owner, request, signal);
      const taken = new AbortController();
      const letGo = hold(target, (now) => {
        if (now === null) taken.abort();
      });
      try {
        yield* upstreams.call(target, owner, request, AbortSignal.any([signal, taken.signal]));
      } catch (error) {
        if (!taken.signal.aborted || signal.aborted) throw error;
        // Says what is missing, and where it is given.
        await target.credentials();
        throw new KeyMissing(`Your access to "${target.name}" was revoked.`, null);
      } finally {
        letGo();
      }
    },
    async follow(target, owner, ask, signal) {
      if (target.isShared) return upstreams.follow(target, owner, ask, signal);
      const changed = new AbortController();
      const both = AbortSignal.any([signal, changed.signal]);
      let begun: string | null = null;
      let looked = Promise.withResolvers<void>();
      let isOld = false;
      const letGo = hold(target, (now) => {
        isOld = true;
        if (begun === null) looked.resolve();
        else if (JSON.stringify(now) !== begun) changed.abort();
      });
      try {
        while (begun === null) {
          looked = Promise.withResolvers();
          isOld = false;
          try {
            const found = JSON.stringify(await target.credentials());
            // What was looked at meanwhile is newer.
            if (!isOld) begun = found;
          } catch (error) {
            if (!(error instanceof KeyMissing)) throw error;
            // Asking again and again would find out late.
            await waited(looked.promise, signal);
          }
        }
        const stream = await upstreams.follow(target, owner, ask, both);
        if (stream !== false) return until(stream, letGo, changed.signal);
      } catch (error) {
        letGo();
        throw error;
      }
      letGo();
      return false;
    },
  };
}

async function* until<T>(
  stream: AsyncGenerator<T>,
  end: () => void,
  changed: AbortSignal,
): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw changed.aborted ? new NotByTheServer() : error;
  } finally {
    end();
  }
}

function ofTenants(keys: readonly string[]) {
  return ({ tenantId }: Target) => keys.includes(tenantId);
}

/** Told with tenant, backend and person. */
function atPlaces(keys: readonly string[]) {
  const named = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/'))));
  return ({ tenantId, backendId }: Target) => named.has(`${tenantId}/${backendId}`);
}
