// Lists of tools, prompts and resources: asked of each server once for everybody who would get the same, remembered until
// the server says that they changed, and at most for a time; merged into one list, page by page. A server that is slow
// or away is waited for a moment only, left out, and named.

import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { changedBackends } from '../backends/index.ts';
import { orNull, within } from './in-time.ts';
import { everything, INSTRUCTIONS, type ListAsk, type ListTarget, SPECS } from './list-pages.ts';

import { createListWatches } from './list-watches.ts';
import { RpcError } from './messages.ts';
import type { ListKind } from './server-messages.ts';
import {
  KeyMissing,
  type Owner,
  ServerUnreachable,
  type Target,
  TokenRefused,
  unavailable,
} from './targets.ts';
import type { Upstreams } from './upstreams.ts';

const CACHE = 'mcp-lists';
/** A merged list is no better for a server that takes longer. */
const WAIT_MS = 2_500;
const FETCH_MS = 20_000;
/** While the server is listened to, or says so itself; and of one that tells nothing. */
const KEPT_MS = 10 * 60_000;
const UNTOLD_MS = 5_000;
/** How long a call goes by what was last listed, where a changed tool is kept back. */
const TRUSTED_MS = 60_000;
/** What was known is better than nothing while the server is away. */
const STALE_MS = 60 * 60_000;
const TELL_MS = 100;
const ENTRIES_MAX = 2_000;

export interface Lists {
  /** Throws RpcError where there is none in time. */
  of(ask: ListAsk): Promise<unknown[]>;
  /** What this process was listed a moment ago by the same key, where the server told of no change since; else null. */
  lately(ask: ListAsk): Promise<unknown[] | null>;
  /** As `of`, for whom the list must not slow down: null where there is none, or its server was late with it before. */
  soon(ask: ListAsk): Promise<unknown[] | null>;
  /** A server said so, to whomever: every process asks anew, and tells its clients. */
  changed(target: Pick<Target, 'tenantId' | 'backendId'>, kind: ListKind): void;
  /** Called for each change, in whatever process it was noticed. */
  onChange(listener: (tenantId: string, backendId: string, kind: ListKind) => void): void;
  stop(): void;
}

interface Entry {
  items: unknown[];
  /** By which it was given. */
  proof: string;
  asked: number;
  until: number;
}
interface Pending {
  items: Promise<unknown[]>;
  proof: string;
  begun: number;
  /** From when on its time is counted. */
  since: number;
  /** The server said meanwhile that it changed. */
  isOld: boolean;
}

export function createLists(deps: {
  db: Db;
  upstreams: Upstreams;
  notifications: Notifications;
  nowMs?: () => number;
}): Lists {
  const { db, upstreams, notifications, nowMs = () => performance.now() } = deps;
  const entries = new Map<string, Entry>();
  const pending = new Map<string, Pending>();
  /** Whose list did not come in time when it was last asked for, by the proof with which it was. */
  const slow = new Map<string, string>();
  const failed = new Map<string, { error: unknown; proof: string; until: number }>();
  const watches = createListWatches({ upstreams, nowMs, unusedMs: KEPT_MS * 2 });
  const listeners: ((tenantId: string, backendId: string, kind: ListKind) => void)[] = [];

  const forgetWhere = (isMeant: (key: string) => boolean) => {
    for (const kept of [entries, failed]) {
      for (const key of [...kept.keys()]) if (isMeant(key)) kept.delete(key);
    }
    for (const [key, one] of pending) if (isMeant(key)) one.isOld = true;
  };
  const noticed = (tenantId: string, backendId: string, kind: ListKind) => {
    const isTheirs = isOf(tenantId, backendId);
    forgetWhere((key) => isTheirs(key) && SPECS[methodIn(key)]?.kind === kind);
    for (const listener of listeners) listener(tenantId, backendId, kind);
  };
  notifications.onNotice((notice) => {
    const named = changedBackends(notice);
    // It may be disabled, or stand elsewhere: nobody listens there any more, and nothing is kept as if somebody did.
    if (named.size > 0) {
      watches.end(named);
      forgetWhere((key) => named.has(key.split('/')[1] ?? ''));
    }
    if (notice.kind !== 'forget' || notice.cache !== CACHE) return;
    for (const key of notice.keys) {
      const [tenantId = '', backendId = '', kind] = key.split('/');
      noticed(tenantId, backendId, kind as ListKind);
    }
  });
  notifications.onLost(() => {
    entries.clear();
    for (const one of pending.values()) one.isOld = true;
  });

  const telling = new Set<string>();
  const changed: Lists['changed'] = ({ tenantId, backendId }, kind) => {
    const key = `${tenantId}/${backendId}/${kind}`;
    // However often a server says so.
    if (telling.has(key)) return;
    telling.add(key);
    setTimeout(() => {
      telling.delete(key);
      // Where the database is away this process at least forgets.
      notify(db, { kind: 'forget', cache: CACHE, keys: [key] }).catch(() =>
        noticed(tenantId, backendId, kind),
      );
    }, TELL_MS).unref();
  };

  const sweep = setInterval(() => {
    for (const [key, { until }] of failed) if (until <= nowMs()) failed.delete(key);
    watches.sweep();
  }, 60_000).unref();

  async function fetched(
    asking: ListAsk,
    owner: Owner,
    isWanted: () => boolean,
  ): Promise<Omit<Entry, 'proof'>> {
    const signal = AbortSignal.timeout(FETCH_MS);
    const { target, method } = asking;
    const { items, ttlMs, capabilities } = await askedFor().catch((error: unknown) => {
      throw signal.aborted ? unavailable(target, "it didn't return its list in time") : error;
    });
    const held = capabilities?.[SPECS[method]?.kind ?? ''];
    const tells = isObject(held) && held.listChanged === true;
    // Where it was disabled meanwhile nobody begins to listen.
    const isWatched =
      tells &&
      isWanted() &&
      watches.isLive(watchedOf(asking), owner, (kind) => changed(target, kind));
    const keeps = isWatched ? KEPT_MS : Math.min(Math.max(ttlMs, UNTOLD_MS), KEPT_MS);
    return { items, asked: nowMs(), until: nowMs() + keeps };

    async function askedFor() {
      const found = await everything(asking, owner, signal);
      // Of instructions no server tells that they changed.
      if (method === INSTRUCTIONS) return { ...found, capabilities: null };
      return { ...found, capabilities: await upstreams.capabilitiesOf(target, owner, signal) };
    }
  }

  const knownTo = (key: string, proof: string): Entry | undefined => {
    const kept = entries.get(key);
    return kept?.proof === proof ? kept : undefined;
  };
  /** The newest list that others were given who differ only in what their client can do. */
  const alikeKnown = (asking: ListAsk, proof: string): Entry | null => {
    const [begin, end] = [`${placeOf(asking)}/`, `/${asking.method}`];
    const alike = [...entries].filter(
      ([key, entry]) => key.startsWith(begin) && key.endsWith(end) && entry.proof === proof,
    );
    return alike.map(([, entry]) => entry).sort((a, b) => b.asked - a.asked)[0] ?? null;
  };
  const isFresh = ({ asked }: Entry, ms: number) => asked > nowMs() - ms;

  function begin(asking: ListAsk, owner: Owner, key: string, proof: string): Pending {
    const before = pending.get(key);
    const begun = nowMs();
    // A server that is late, and says all the time that it changed, is not waited for anew by each who comes. One that
    // answers in time has its whole time again for each question.
    const isLate = before?.proof === proof && slow.get(key) === proof;
    const made: Pending = {
      items: work(),
      proof,
      begun,
      since: isLate ? before.since : begun,
      isOld: false,
    };
    pending.set(key, made);
    made.items.catch(() => undefined);
    return made;

    async function work(): Promise<unknown[]> {
      try {
        const entry = await fetched(asking, owner, holds);
        // Whoever waits is given it, so it is noted, also where the server says meanwhile that it changed again.
        await asking.came(entry.items);
        if (holds()) remember(entries, key, { ...entry, proof });
        return entry.items;
      } catch (error) {
        // What a person has yet to give may be there the next moment.
        const isPersons = error instanceof KeyMissing || error instanceof TokenRefused;
        if (!isPersons && holds()) {
          remember(failed, key, { error, proof, until: nowMs() + UNTOLD_MS });
        }
        throw error;
      } finally {
        if (pending.get(key) === made) pending.delete(key);
        if (slow.get(key) === proof && nowMs() - begun < WAIT_MS) slow.delete(key);
      }
    }

    /** Neither did the server say meanwhile that it changed, nor came a question with another key. */
    function holds(): boolean {
      return !made.isOld && pending.get(key) === made;
    }
  }

  const lists: Lists = {
    async lately(asking) {
      const proof = await orNull(proofOf(asking.target));
      const known = proof === null ? undefined : knownTo(keyOf(asking), proof);
      return known !== undefined && isFresh(known, TRUSTED_MS) ? known.items : null;
    },
    async soon(asking) {
      const key = keyOf(asking);
      const proof = await orNull(proofOf(asking.target));
      if (proof === null) return null;
      const isSlow = slow.get(key) === proof;
      const asked = orNull(lists.of(asking));
      if (!isSlow) return asked;
      asked.catch(() => undefined);
      const known = knownTo(key, proof);
      return known !== undefined && isFresh(known, STALE_MS) ? known.items : null;
    },
    async of(asking) {
      const { target, capabilities } = asking;
      const key = keyOf(asking);
      const owner = {
        hash: hashSecret(`list ${scopeOf(asking)}`),
        capabilities,
        logLevel: null,
      };
      const proof = await proofOf(target);
      const known = knownTo(key, proof);
      if (known !== undefined && known.until > nowMs() && target.drift === 'flag') {
        watches.used(watchedOf(asking), owner);
        return known.items;
      }
      // While the server cannot be reached, what it listed before is better than nothing.
      const orKnown = (error: unknown): unknown[] => {
        const kept =
          error instanceof ServerUnreachable ? (known ?? alikeKnown(asking, proof)) : null;
        if (kept == null || !isFresh(kept, STALE_MS)) throw error;
        return kept.items;
      };
      const failure = failed.get(key);
      if (failure?.proof === proof && failure.until > nowMs()) return orKnown(failure.error);
      failed.delete(key);
      const underWay = pending.get(key);
      const isSame = underWay?.isOld === false && underWay.proof === proof;
      const fetching = isSame ? underWay : begin(asking, owner, key, proof);
      // Whoever comes while it is late already does not wait anew.
      const waitMs = fetching.since + WAIT_MS - nowMs();
      const items = await within(fetching.items, waitMs).catch(orKnown);
      if (items !== null) return items;
      remember(slow, key, proof);
      if (known !== undefined && isFresh(known, STALE_MS)) return known.items;
      throw unavailable(target, "it didn't return its list in time");
    },
    changed,
    onChange: (listener) => void listeners.push(listener),
    stop() {
      clearInterval(sweep);
      watches.stop();
    },
  };
  return lists;
}

/**
 * With what the person is let in now: who took their key back, or gave another, gets nothing of what was listed by the
 * one before. Throws RpcError where there is nothing, or their login does not say so in time.
 */
async function proofOf(target: ListTarget): Promise<string> {
  if (target.isShared) return '';
  return hashSecret(JSON.stringify(await credentialsInTime(target))).toString('hex');
}
async function credentialsInTime(target: ListTarget) {
  const credentials = await within(target.credentials(), WAIT_MS);
  if (credentials === null) throw unavailable(target, "its login doesn't respond");
  return credentials;
}

const watchedOf = ({ target, watched = target }: ListAsk): ListTarget => watched;

/** The same question, for whom one answer of the login, and one wait for it, is enough however often it is put. */
export function withOneLogin(asking: ListAsk): ListAsk {
  let given: ReturnType<ListTarget['credentials']> | undefined;
  const { target } = asking;
  const credentials = () => {
    given ??= credentialsInTime(target);
    return given;
  };
  return { ...asking, target: { ...target, credentials }, watched: target };
}

/** Who gets the same. */
const scopeOf = (asking: ListAsk) => `${placeOf(asking)}/${JSON.stringify(asking.capabilities)}`;

function placeOf({ target, whose }: ListAsk): string {
  const { tenantId, backendId, version, isShared } = target;
  return `${tenantId}/${backendId}/${version}/${isShared ? '' : whose}`;
}
const keyOf = (asking: ListAsk) => `${scopeOf(asking)}/${asking.method}`;

const isOf = (tenantId: string, backendId: string) => (key: string) =>
  key.startsWith(`${tenantId}/${backendId}/`);
const methodIn = (key: string) => /[a-z]+(?:\/templates)?\/list$/.exec(key)?.[0] ?? '';

/** The oldest goes where there are too many. */
function remember<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= ENTRIES_MAX) break;
    kept.delete(oldest);
  }
}

const REASON_CHARS = 300;

/** Why a list lacks a server's part, which may be in that server's words; null where that is no such thing. */
export function whyMissing(error: unknown): string | null {
  if (!(error instanceof RpcError)) return null;
  const { message } = error;
  return message.length > REASON_CHARS ? `${message.slice(0, REASON_CHARS)}…` : message;
}
