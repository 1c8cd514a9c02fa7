// Event streams that clients keep open. One ends when its person or token is no longer let in, when its session ended,
// when the same session opened another, when its client does not read, and when the hub stops.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { NotAdmitted } from '../tokens/index.ts';
import { KEEP_ALIVE } from './event-stream.ts';
import { type Rpc, RpcError } from './messages.ts';
import { type ListKind, listChanged } from './server-messages.ts';
import { eventText } from './sse.ts';
import { BEGUN } from './upstream-sessions.ts';

/** In turns: to write to ten thousand at once would hold up everybody else, and fill the memory with what is under way. */
const TURNS = 100;
const AT_ONCE = 100;
const UNREAD_MAX_BYTES = 1024 * 1024;
/** Changes that come together are told once. */
const TOGETHER_MS = 50;
/** A token may be in the hands of many people; whom they name is their own word. */
const PER_TOKEN = 4_096;
const PER_HOLDER = 256;
/** How long a new session with a server waits until what the server asks of itself would be heard. */
const FOLLOWED_MS = 1_000;
const STREAMED_MAX = 50_000;

/** Notices after which whoever holds a stream, or waits for an answer, is looked at again. */
export const DOOR = new Set(['mcp-token', 'person', 'mcp-settings']);
export const SESSIONS = 'mcp-session';
/** What a session follows changed. */
export const FOLLOWS = 'mcp-follows';
const OPENED = 'mcp-stream';
/** Told with session and backend once a stream of the server is followed, or it turned out that it has none. */
const FOLLOWED = 'mcp-followed';
/** Told with the session before its client sees its stream: whoever is called next knows of it. */
const OPENING = 'mcp-stream-opening';
/** The client of a session holds no stream any more, in no process. */
const CLOSED = 'mcp-stream-closed';

export interface StreamSpec {
  tenantId: string;
  tokenId: string;
  /** Whoever the token stands for: of a direct API token, the token and its person. */
  holder: string;
  /** Of its session; a newer stream of it takes this one's place. Null: a request of its own. */
  session: string | null;
  /** Null: all of the tenant. */
  backendId: string | null;
  response: ServerResponse;
  /** As it must be written for this client; null: it is not told this. */
  form(message: Rpc): Rpc | null;
  /** Throws where the client may no longer be here. */
  again(): Promise<unknown>;
  /** Finds out anew what is to be followed. */
  refresh(): void;
  /** What is said at the end, where the client is still there. */
  last?: () => Rpc;
}

export interface ClientStream {
  write(message: Rpc): void;
  end(): void;
  /** Aborted when the stream has ended. */
  signal: AbortSignal;
}

export interface ClientStreams {
  /** Says in every process that the session is about to hold a stream. Never throws. */
  announce(session: string): Promise<void>;
  /** Null where whoever it is has too many already. */
  open(spec: StreamSpec): ClientStream | null;
  changed(tenantId: string, backendId: string, kind: ListKind): void;
  /**
   * Resolves once a server is followed for a session whose client holds a stream, in whichever process; without one at
   * once. Bounded, and it never throws. To be called before the session is told of.
   */
  followed(session: string, backendId: string): Promise<void>;
  /** The server is followed for this session, or has nothing to follow. */
  follows(session: string, backendId: string): void;
  size(): number;
  stop(): void;
}

interface Open extends StreamSpec {
  id: string;
  /** All whose turn comes with its own. */
  turn: Set<Open>;
  abort: AbortController;
  changes: Set<ListKind> | null;
}

export function createClientStreams(
  db: Db,
  notifications: Notifications,
  count: (streams: number) => void,
  keepAliveMs: number,
): ClientStreams {
  const tenants = new Map<string, Set<Open>>();
  const sessions = new Map<string, Open>();
  const held = new Map<string, number>();
  const hold = ({ tokenId, holder }: StreamSpec, by: 1 | -1) => {
    for (const key of [`token ${tokenId}`, `holder ${holder}`]) {
      const count = (held.get(key) ?? 0) + by;
      if (count === 0) held.delete(key);
      else held.set(key, count);
    }
  };
  const hasTooMany = ({ tokenId, holder }: StreamSpec) =>
    (held.get(`token ${tokenId}`) ?? 0) >= PER_TOKEN ||
    (held.get(`holder ${holder}`) ?? 0) >= PER_HOLDER;
  /** Sessions whose client holds a stream, in whichever process; the newest last. */
  const streamed = new Set<string>();
  /** By session and backend: what is followed now. Many may wait for one. */
  const follows = new EventEmitter().setMaxListeners(0);
  const turns = Array.from({ length: TURNS }, () => new Set<Open>());
  let turn = 0;
  const own = randomUUID();
  let numbered = 0;
  let size = 0;
  let isStopped = false;

  /** `isLast`: no other stream takes its place. */
  const end = (one: Open, isLast = true) => {
    if (one.abort.signal.aborted) return;
    one.abort.abort();
    one.turn.delete(one);
    size--;
    count(size);
    const ofTenant = tenants.get(one.tenantId);
    ofTenant?.delete(one);
    if (ofTenant?.size === 0) tenants.delete(one.tenantId);
    hold(one, -1);
    if (one.session !== null && sessions.get(one.session) === one) {
      sessions.delete(one.session);
      if (isLast && !isStopped) {
        streamed.delete(one.session);
        const keys = [one.session];
        notify(db, { kind: 'forget', cache: CLOSED, keys }).catch(() => undefined);
      }
    }
    if (one.response.writable)
      one.response.end(one.last === undefined ? '' : eventText(one.last()));
  };
  const text = (one: Open, words: string) => {
    if (one.abort.signal.aborted) return;
    if (one.response.writableLength > UNREAD_MAX_BYTES) {
      end(one);
      one.response.destroy();
    } else one.response.write(words);
  };
  const write = (one: Open, message: Rpc) => {
    const formed = one.form(message);
    if (formed !== null) text(one, eventText(formed));
  };
  const remember = (session: string) => {
    streamed.delete(session);
    streamed.add(session);
    if (streamed.size > STREAMED_MAX) streamed.delete(streamed.values().next().value ?? '');
  };
  const check = (one: Open) => {
    one.again().catch((error: Error) => {
      // The database may be away: that is no reason to send anybody away.
      if (error instanceof NotAdmitted || error instanceof RpcError) end(one);
    });
  };
  const everyOne = () => [...tenants.values()].flatMap((some) => [...some]);
  /** Others have their turn between: `each` may meet one that has ended. */
  const forAll = (all: readonly Open[], each: (one: Open) => void) => {
    for (const one of all.slice(0, AT_ONCE)) each(one);
    if (all.length > AT_ONCE) setImmediate(forAll, all.slice(AT_ONCE), each);
  };
  const tellChange = (one: Open, kind: ListKind) => {
    if (one.changes !== null) return void one.changes.add(kind);
    one.changes = new Set([kind]);
    setTimeout(() => {
      const kinds = one.changes ?? [];
      one.changes = null;
      for (const each of kinds) write(one, listChanged(each));
    }, TOGETHER_MS).unref();
  };
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget') return;
    const { cache, keys } = notice;
    // After the caches of the door have forgotten.
    if (DOOR.has(cache)) setImmediate(() => forAll(everyOne(), check));
    if (cache === BEGUN || cache === FOLLOWS) {
      for (const key of keys) sessions.get(key)?.refresh();
    }
    if (cache === SESSIONS) {
      setImmediate(() => {
        for (const key of keys) {
          const mine = sessions.get(key);
          if (mine !== undefined) check(mine);
        }
      });
    }
    if (cache === OPENED) {
      for (const key of keys) {
        const [session = '', id] = key.split(' ');
        // Of its own it knows, and the word of one may come after the next was opened, or ended.
        if (id?.startsWith(own) === true) continue;
        const mine = sessions.get(session);
        if (mine !== undefined && mine.id !== id) end(mine, false);
      }
    }
    if (cache === OPENING) keys.forEach(remember);
    if (cache === CLOSED) {
      for (const key of keys) if (!sessions.has(key)) streamed.delete(key);
    }
    if (cache === FOLLOWED) {
      for (const key of keys) follows.emit(key);
    }
    if (cache === 'mcp-backends') {
      setImmediate(() => {
        for (const tenantId of keys) {
          forAll([...(tenants.get(tenantId) ?? [])], (one) => {
            if (one.abort.signal.aborted) return;
            one.refresh();
            for (const kind of ['tools', 'prompts', 'resources'] as const) tellChange(one, kind);
          });
        }
      });
    }
  });
  const beat = setInterval(() => {
    for (const one of [...(turns[turn] ?? [])]) {
      text(one, KEEP_ALIVE);
      check(one);
    }
    turn = (turn + 1) % TURNS;
  }, keepAliveMs / TURNS).unref();

  return {
    async announce(session) {
      remember(session);
      await notify(db, { kind: 'forget', cache: OPENING, keys: [session] }).catch(() => undefined);
    },
    open(spec) {
      if (hasTooMany(spec) || isStopped) return null;
      const one: Open = {
        ...spec,
        id: `${own}-${++numbered}`,
        turn: turns[numbered % TURNS] ?? new Set(),
        abort: new AbortController(),
        changes: null,
      };
      hold(one, 1);
      one.turn.add(one);
      const ofTenant = tenants.get(spec.tenantId) ?? new Set();
      tenants.set(spec.tenantId, ofTenant.add(one));
      size++;
      count(size);
      if (spec.session !== null) {
        const before = sessions.get(spec.session);
        if (before !== undefined) end(before, false);
        sessions.set(spec.session, one);
        const keys = [`${spec.session} ${one.id}`];
        notify(db, { kind: 'forget', cache: OPENED, keys }).catch(() => undefined);
      }
      spec.response.once('close', () => end(one));
      return {
        write: (message) => write(one, message),
        end: () => end(one),
        signal: one.abort.signal,
      };
    },
    changed(tenantId, backendId, kind) {
      for (const one of tenants.get(tenantId) ?? []) {
        if (one.backendId === null || one.backendId === backendId) tellChange(one, kind);
      }
    },
    async followed(session, backendId) {
      if (!streamed.has(session)) return;
      const signal = AbortSignal.timeout(FOLLOWED_MS);
      // Too late is heard as well as it can be.
      await once(follows, `${session} ${backendId}`, { signal }).catch(() => undefined);
    },
    follows(session, backendId) {
      const keys = [`${session} ${backendId}`];
      notify(db, { kind: 'forget', cache: FOLLOWED, keys }).catch(() => undefined);
    },
    size: () => size,
    stop() {
      isStopped = true;
      clearInterval(beat);
      for (const one of everyOne()) end(one);
    },
  };
}
