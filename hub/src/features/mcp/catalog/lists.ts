// Lists of servers, cached per server and user: a list is fetched once for everyone who would receive the same, and cached
// until the server reports a change, at most ten minutes. A slow or failed server delays a merged list for a moment only.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notice, Notifications } from '../../../platform/feed/notifications.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { changedBackends } from '../backends/index.ts';
import { type ListKind, nullOnRpcError, RpcError, withTimeout } from '../protocol/index.ts';
import {
  CredentialRequiredError,
  ServerUnreachableError,
  type SessionOwner,
  TokenRejectedError,
  type Upstreams,
  type UpstreamTarget,
  unavailableError,
} from '../upstream/index.ts';
import {
  fetchAllPages,
  INSTRUCTIONS,
  type ListRequest,
  type ListTarget,
  SPECS,
} from './list-pages.ts';
import { createListWatches, type ListWatches } from './list-watches.ts';

const CACHE = 'mcp-lists';
/** Time that a merged list waits for a server. */
const WAIT_MS = 2_500;
const FETCH_MS = 20_000;
/** Time to live of a list whose server reports changes, or sent this `ttlMs`. */
const WATCHED_TTL_MS = 10 * 60_000;
/** Time to live of other lists, and of failures. */
const UNWATCHED_TTL_MS = 5_000;
/** Age up to which a list can allow a call of a pinned tool. */
const RECENT_MS = 60_000;
/** Age up to which a list is used while its server is unreachable. */
const STALE_MS = 60 * 60_000;
/** Debounce of reported changes. */
const CHANGE_DEBOUNCE_MS = 100;
const SWEEP_MS = 60_000;
const ENTRIES_MAX = 2_000;

export interface ServerLists {
  /** Throws RpcError without a list in time. */
  get(request: ListRequest): Promise<unknown[]>;
  /** Returns the list that this process fetched in the last minute, or null. */
  getRecent(request: ListRequest): Promise<unknown[] | null>;
  /** Like `get`, but returns null for a failed server, and does not wait for a server that was slow before. */
  getWithoutDelay(request: ListRequest): Promise<unknown[] | null>;
  /** Invalidates the list in every process, and notifies their listeners. */
  reportChange(target: Pick<UpstreamTarget, 'tenantId' | 'backendId'>, kind: ListKind): void;
  /** Subscribes to changes that any process reported. */
  onChange(listener: ChangeListener): void;
  stop(): void;
}

type ChangeListener = (tenantId: string, backendId: string, kind: ListKind) => void;

/** A cached list. `proof` is a hash of the credential with which it was fetched. */
interface Entry {
  items: unknown[];
  proof: string;
  fetchedMs: number;
  untilMs: number;
}

interface Pending {
  items: Promise<unknown[]>;
  proof: string;
  startedMs: number;
  /** Start of the wait, which is earlier for a slow server that reports changes all the time. */
  waitFromMs: number;
  /** True: the server reported a change since the start. */
  isOutdated: boolean;
}

interface Deps {
  db: Db;
  upstreams: Upstreams;
  notifications: Notifications;
  nowMs?: () => number;
}

/** Returns the lists of this process. */
export function createLists(deps: Deps): ServerLists {
  return new CachedLists(deps);
}

class CachedLists implements ServerLists {
  readonly #db: Db;
  readonly #upstreams: Upstreams;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Map<string, Pending>();
  /** Lists that did not arrive in time, with the proof of the request. */
  readonly #slow = new Map<string, string>();
  readonly #failed = new Map<string, { error: unknown; proof: string; untilMs: number }>();
  readonly #watches: ListWatches;
  readonly #listeners: ChangeListener[] = [];
  readonly #debounced = new Set<string>();
  readonly #sweep: NodeJS.Timeout;

  constructor({ db, upstreams, notifications, nowMs = () => performance.now() }: Deps) {
    this.#db = db;
    this.#upstreams = upstreams;
    this.#nowMs = nowMs;
    this.#watches = createListWatches({ upstreams, nowMs, unusedMs: WATCHED_TTL_MS * 2 });
    notifications.onNotice((notice) => this.#onNotice(notice));
    notifications.onLost(() => {
      this.#entries.clear();
      for (const pending of this.#pending.values()) pending.isOutdated = true;
    });
    this.#sweep = setInterval(() => {
      for (const [key, { untilMs }] of this.#failed) {
        if (untilMs <= this.#nowMs()) this.#failed.delete(key);
      }
      this.#watches.sweep();
    }, SWEEP_MS).unref();
  }

  async get(request: ListRequest): Promise<unknown[]> {
    const key = keyOf(request);
    const owner = ownerOf(request);
    const proof = await credentialProof(request.target);
    const cached = this.#cached(key, proof);
    const isUsable = cached !== undefined && cached.untilMs > this.#nowMs();
    if (isUsable && request.target.drift === 'flag') {
      this.#watches.touch(watchTargetOf(request), owner);
      return cached.items;
    }
    const staleOrThrow = (error: unknown) => this.#staleOrThrow(request, { cached, proof }, error);
    const failure = this.#failed.get(key);
    if (failure?.proof === proof && failure.untilMs > this.#nowMs()) {
      return staleOrThrow(failure.error);
    }
    this.#failed.delete(key);
    const fetching = this.#fetchOnce(request, owner, key, proof);
    const waitMs = fetching.waitFromMs + WAIT_MS - this.#nowMs();
    const items = await withTimeout(fetching.items, waitMs).catch(staleOrThrow);
    if (items !== null) return items;
    setBounded(this.#slow, key, proof);
    if (cached !== undefined && this.#isYoungerThan(cached, STALE_MS)) return cached.items;
    throw unavailableError(request.target, "it didn't return its list in time");
  }

  async getRecent(request: ListRequest): Promise<unknown[] | null> {
    const proof = await nullOnRpcError(credentialProof(request.target));
    const cached = proof === null ? undefined : this.#cached(keyOf(request), proof);
    return cached !== undefined && this.#isYoungerThan(cached, RECENT_MS) ? cached.items : null;
  }

  async getWithoutDelay(request: ListRequest): Promise<unknown[] | null> {
    const key = keyOf(request);
    const proof = await nullOnRpcError(credentialProof(request.target));
    if (proof === null) return null;
    const isSlow = this.#slow.get(key) === proof;
    const fetching = nullOnRpcError(this.get(request));
    if (!isSlow) return fetching;
    fetching.catch(() => undefined);
    const cached = this.#cached(key, proof);
    return cached !== undefined && this.#isYoungerThan(cached, STALE_MS) ? cached.items : null;
  }

  reportChange(target: Pick<UpstreamTarget, 'tenantId' | 'backendId'>, kind: ListKind): void {
    const { tenantId, backendId } = target;
    const key = `${tenantId}/${backendId}/${kind}`;
    if (this.#debounced.has(key)) return;
    this.#debounced.add(key);
    setTimeout(() => {
      this.#debounced.delete(key);
      // If the database is down, at least this process invalidates its list.
      notify(this.#db, { kind: 'forget', cache: CACHE, keys: [key] }).catch(() =>
        this.#applyChange(tenantId, backendId, kind),
      );
    }, CHANGE_DEBOUNCE_MS).unref();
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#watches.stop();
  }

  #onNotice(notice: Notice): void {
    const backendIds = changedBackends(notice);
    // A changed backend may be disabled or have another URL, so its watches end too.
    if (backendIds.size > 0) {
      this.#watches.end(backendIds);
      this.#invalidateWhere((key) => backendIds.has(key.split('/')[1] ?? ''));
    }
    if (notice.kind !== 'forget' || notice.cache !== CACHE) return;
    for (const key of notice.keys) {
      const [tenantId = '', backendId = '', kind] = key.split('/');
      this.#applyChange(tenantId, backendId, kind as ListKind);
    }
  }

  #applyChange(tenantId: string, backendId: string, kind: ListKind): void {
    const prefix = `${tenantId}/${backendId}/`;
    this.#invalidateWhere(
      (key) => key.startsWith(prefix) && SPECS[methodOfKey(key)]?.kind === kind,
    );
    for (const listener of this.#listeners) listener(tenantId, backendId, kind);
  }

  #invalidateWhere(matches: (key: string) => boolean): void {
    for (const cache of [this.#entries, this.#failed]) {
      for (const key of [...cache.keys()]) if (matches(key)) cache.delete(key);
    }
    for (const [key, pending] of this.#pending) if (matches(key)) pending.isOutdated = true;
  }

  #cached(key: string, proof: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry?.proof === proof ? entry : undefined;
  }

  #isYoungerThan({ fetchedMs }: Entry, ms: number): boolean {
    return fetchedMs > this.#nowMs() - ms;
  }

  /** Returns a stale list of an unreachable server, or throws the error. */
  #staleOrThrow(
    request: ListRequest,
    { cached, proof }: { cached: Entry | undefined; proof: string },
    error: unknown,
  ): unknown[] {
    if (!(error instanceof ServerUnreachableError)) throw error;
    const stale = cached ?? this.#newestOfOtherCapabilities(request, proof);
    if (stale === undefined || !this.#isYoungerThan(stale, STALE_MS)) throw error;
    return stale.items;
  }

  /** Returns the newest list that was fetched for a client with other capabilities. */
  #newestOfOtherCapabilities(request: ListRequest, proof: string): Entry | undefined {
    const [prefix, suffix] = [`${targetKey(request)}/`, `/${request.method}`];
    return [...this.#entries]
      .filter(
        ([key, entry]) => key.startsWith(prefix) && key.endsWith(suffix) && entry.proof === proof,
      )
      .map(([, entry]) => entry)
      .sort((a, b) => b.fetchedMs - a.fetchedMs)[0];
  }

  /** Joins a pending fetch, or starts a new fetch if that is outdated or has another proof. */
  #fetchOnce(request: ListRequest, owner: SessionOwner, key: string, proof: string): Pending {
    const existing = this.#pending.get(key);
    if (existing?.isOutdated === false && existing.proof === proof) return existing;
    const startedMs = this.#nowMs();
    // A slow server that reports changes all the time does not get a new wait with each request.
    const isLate = existing?.proof === proof && this.#slow.get(key) === proof;
    const pending: Pending = {
      items: Promise.resolve([]),
      proof,
      startedMs,
      waitFromMs: isLate ? existing.waitFromMs : startedMs,
      isOutdated: false,
    };
    this.#pending.set(key, pending);
    pending.items = this.#fetchAndCache(request, owner, key, pending);
    pending.items.catch(() => undefined);
    return pending;
  }

  async #fetchAndCache(
    request: ListRequest,
    owner: SessionOwner,
    key: string,
    pending: Pending,
  ): Promise<unknown[]> {
    const { proof, startedMs } = pending;
    const isCurrent = () => !pending.isOutdated && this.#pending.get(key) === pending;
    try {
      const entry = await this.#fetch(request, owner, isCurrent);
      // An outdated list is recorded too, because waiting requests receive it.
      await request.onItems(entry.items);
      if (isCurrent()) setBounded(this.#entries, key, { ...entry, proof });
      return entry.items;
    } catch (error) {
      // A missing credential may be provided the next moment, so this failure is not cached.
      const isCredential =
        error instanceof CredentialRequiredError || error instanceof TokenRejectedError;
      if (!isCredential && isCurrent()) {
        const untilMs = this.#nowMs() + UNWATCHED_TTL_MS;
        setBounded(this.#failed, key, { error, proof, untilMs });
      }
      throw error;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
      const isFast = this.#nowMs() - startedMs < WAIT_MS;
      if (isFast && this.#slow.get(key) === proof) this.#slow.delete(key);
    }
  }

  async #fetch(
    request: ListRequest,
    owner: SessionOwner,
    isCurrent: () => boolean,
  ): Promise<Omit<Entry, 'proof'>> {
    const signal = AbortSignal.timeout(FETCH_MS);
    const { target, method } = request;
    const list = this.#fetchWithCapabilities(request, owner, signal);
    const { items, ttlMs, capabilities } = await list.catch((error: unknown) => {
      throw signal.aborted ? unavailableError(target, "it didn't return its list in time") : error;
    });
    const capability = capabilities?.[SPECS[method]?.kind ?? ''];
    const reportsChanges = isObject(capability) && capability.listChanged === true;
    // No watch is started for a backend that was disabled in the meantime.
    const isWatched =
      reportsChanges &&
      isCurrent() &&
      this.#watches.isLive(watchTargetOf(request), owner, (kind) =>
        this.reportChange(target, kind),
      );
    const ttl = isWatched
      ? WATCHED_TTL_MS
      : Math.min(Math.max(ttlMs, UNWATCHED_TTL_MS), WATCHED_TTL_MS);
    return { items, fetchedMs: this.#nowMs(), untilMs: this.#nowMs() + ttl };
  }

  async #fetchWithCapabilities(request: ListRequest, owner: SessionOwner, signal: AbortSignal) {
    const list = await fetchAllPages(request, owner, signal);
    // No server reports changes of its instructions.
    if (request.method === INSTRUCTIONS) return { ...list, capabilities: null };
    const capabilities = await this.#upstreams.fetchCapabilities(request.target, owner, signal);
    return { ...list, capabilities };
  }
}

/**
 * Returns a hash of the credential, so that a list is not served after its user's credential was revoked or replaced. Throws
 * RpcError without a credential, or if the login is slow.
 */
async function credentialProof(target: ListTarget): Promise<string> {
  if (target.isShared) return '';
  return hashSecret(JSON.stringify(await credentialsInTime(target))).toString('hex');
}

async function credentialsInTime(target: ListTarget) {
  const credentials = await withTimeout(target.credentials(), WAIT_MS);
  if (credentials === null) throw unavailableError(target, "its login doesn't respond");
  return credentials;
}

const watchTargetOf = ({ target, watchTarget = target }: ListRequest): ListTarget => watchTarget;

/** Returns a request that loads its credentials once, for several uses. */
export function withSharedCredentials(request: ListRequest): ListRequest {
  let loading: ReturnType<ListTarget['credentials']> | undefined;
  const { target } = request;
  const credentials = () => {
    loading ??= credentialsInTime(target);
    return loading;
  };
  return { ...request, target: { ...target, credentials }, watchTarget: target };
}

function targetKey({ target, userKey }: ListRequest): string {
  const { tenantId, backendId, version, isShared } = target;
  return `${tenantId}/${backendId}/${version}/${isShared ? '' : userKey}`;
}
const scopeOf = (request: ListRequest) =>
  `${targetKey(request)}/${JSON.stringify(request.capabilities)}`;
const keyOf = (request: ListRequest) => `${scopeOf(request)}/${request.method}`;
const methodOfKey = (key: string) => /[a-z]+(?:\/templates)?\/list$/.exec(key)?.[0] ?? '';

/** Returns the owner of the session in which the list is fetched. */
const ownerOf = (request: ListRequest): SessionOwner => ({
  hash: hashSecret(`list ${scopeOf(request)}`),
  capabilities: request.capabilities,
  logLevel: null,
});

/** Sets an entry, and evicts the oldest beyond the limit. */
function setBounded<T>(cache: Map<string, T>, key: string, value: T): void {
  cache.delete(key);
  cache.set(key, value);
  for (const oldest of cache.keys()) {
    if (cache.size <= ENTRIES_MAX) break;
    cache.delete(oldest);
  }
}

const REASON_CHARS = 300;

/** Returns the reason for a missing list, which may be the server's message, or null for an unexpected error. */
export function missingReason(error: unknown): string | null {
  if (!(error instanceof RpcError)) return null;
  const { message } = error;
  return message.length > REASON_CHARS ? `${message.slice(0, REASON_CHARS)}…` : message;
}
