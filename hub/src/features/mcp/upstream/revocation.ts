// Revocation of a user's own credential, in whichever process: when it is removed or replaced, the user is removed, or a policy
// denies the server. A call then ends; a stream is reopened with the new credential, as soon as it is available.
import type { Notice, Notifications } from '../../../platform/feed/notifications.ts';
import { createLinkedList } from '../../../platform/http/limits/linked-list.ts';
import { type RpcMessage, raceAbort } from '../protocol/index.ts';
import { LocalAbortError } from './follow.ts';
import { CredentialRequiredError, type SessionOwner, type UpstreamTarget } from './targets.ts';
import type { OpenStreamOptions, UpstreamRequest, Upstreams } from './upstreams.ts';

type TargetFilter = (target: UpstreamTarget) => boolean;

/** Returns which targets an invalidation concerns, by the name of the cache: the credential of no other user is renewed. */
const CONCERNED_TARGETS = new Map<string, (keys: readonly string[]) => TargetFilter>([
  ['mcp-connection', ofConnections],
  ['mcp-grant', ofConnections],
  // A user's access, or the allowed e-mail domains of a tenant, changed.
  ['person', (keys) => (target) => target.email !== null && keys.includes(target.email)],
  ['mcp-settings', ofTenants],
  ['mcp-rules', ofTenants],
]);

function ofTenants(keys: readonly string[]): TargetFilter {
  return ({ tenantId }) => keys.includes(tenantId);
}

/** The keys are tenant, backend and user. */
function ofConnections(keys: readonly string[]): TargetFilter {
  const connections = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/'))));
  return ({ tenantId, backendId }) => connections.has(`${tenantId}/${backendId}`);
}

/** Interval of checks while the login or the database is down, or notifications may be lost. */
const RETRY_MS = 2_000;

type Credentials = Record<string, string>;

/** A call or stream that depends on a user's credential. */
interface Dependent {
  target: UpstreamTarget;
  /** Called with the current credentials; null: there are none. */
  onCredentials(credentials: Credentials | null): void;
  retry?: NodeJS.Timeout;
  isReleased: boolean;
}

/** Returns the servers with calls and streams that end with the credential of their user. */
export function withRevocation(upstreams: Upstreams, notifications: Notifications): Upstreams {
  return new RevocableUpstreams(upstreams, new CredentialMonitor(notifications));
}

class CredentialMonitor {
  readonly #notifications: Notifications;
  readonly #dependents = createLinkedList<Dependent>();

  constructor(notifications: Notifications) {
    this.#notifications = notifications;
    notifications.onNotice((notice) => this.#onNotice(notice), { again: true });
    // Revocations during the loss of notifications are unknown.
    notifications.onLost(() => {
      for (const dependent of this.#dependents) void this.#check(dependent);
    });
  }

  /** Registers a call or stream. Returns the function that releases it. */
  watch(target: UpstreamTarget, onCredentials: Dependent['onCredentials']): () => void {
    const dependent: Dependent = { target, onCredentials, isReleased: false };
    const remove = this.#dependents.add(dependent);
    if (!this.#notifications.isLive) this.#checkLater(dependent);
    return () => {
      dependent.isReleased = true;
      remove();
      clearTimeout(dependent.retry);
    };
  }

  #onNotice(notice: Notice): void {
    if (notice.kind !== 'forget') return;
    const isConcerned = CONCERNED_TARGETS.get(notice.cache)?.(notice.keys);
    if (isConcerned === undefined) return;
    const concerned = [...this.#dependents].filter(({ target }) => isConcerned(target));
    // The caches must be invalidated first.
    setImmediate(() => concerned.forEach((dependent) => void this.#check(dependent)));
  }

  async #check(dependent: Dependent): Promise<void> {
    if (dependent.isReleased) return;
    let isConclusive = true;
    try {
      dependent.onCredentials(await dependent.target.credentials());
    } catch (error) {
      if (error instanceof CredentialRequiredError) dependent.onCredentials(null);
      // A login or a database that is down revokes nothing.
      else isConclusive = false;
    }
    if (!isConclusive || !this.#notifications.isLive) this.#checkLater(dependent);
    else clearTimeout(dependent.retry);
  }

  /** Schedules the next check, at most once per dependent. */
  #checkLater(dependent: Dependent): void {
    clearTimeout(dependent.retry);
    if (dependent.isReleased) return;
    dependent.retry = setTimeout(() => void this.#check(dependent), RETRY_MS).unref();
  }
}

class RevocableUpstreams implements Upstreams {
  readonly #upstreams: Upstreams;
  readonly #monitor: CredentialMonitor;

  constructor(upstreams: Upstreams, monitor: CredentialMonitor) {
    this.#upstreams = upstreams;
    this.#monitor = monitor;
  }

  send(target: UpstreamTarget, owner: SessionOwner, message: RpcMessage, signal: AbortSignal) {
    return this.#upstreams.send(target, owner, message, signal);
  }

  endSession(target: UpstreamTarget, owner: SessionOwner) {
    return this.#upstreams.endSession(target, owner);
  }

  revisionOf(target: UpstreamTarget, signal: AbortSignal) {
    return this.#upstreams.revisionOf(target, signal);
  }

  fetchInstructions(target: UpstreamTarget, owner: SessionOwner, signal: AbortSignal) {
    return this.#upstreams.fetchInstructions(target, owner, signal);
  }

  fetchCapabilities(target: UpstreamTarget, owner: SessionOwner, signal: AbortSignal) {
    return this.#upstreams.fetchCapabilities(target, owner, signal);
  }

  async *call(
    target: UpstreamTarget,
    owner: SessionOwner,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<RpcMessage> {
    if (target.isShared) return yield* this.#upstreams.call(target, owner, request, signal);
    const revoked = new AbortController();
    const release = this.#monitor.watch(target, (credentials) => {
      if (credentials === null) revoked.abort();
    });
    const either = AbortSignal.any([signal, revoked.signal]);
    try {
      yield* this.#upstreams.call(target, owner, request, either);
    } catch (error) {
      if (!revoked.signal.aborted || signal.aborted) throw error;
      // Throws the error that names the missing credential, and where to provide it.
      await target.credentials();
      throw new CredentialRequiredError(`Your access to "${target.name}" was revoked.`, null);
    } finally {
      release();
    }
  }

  async openStream(
    target: UpstreamTarget,
    owner: SessionOwner,
    options: OpenStreamOptions,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RpcMessage> | false> {
    if (target.isShared) return this.#upstreams.openStream(target, owner, options, signal);
    const lease = new CredentialLease(target, this.#monitor);
    try {
      await lease.acquire(signal);
      const either = AbortSignal.any([signal, lease.changed]);
      const stream = await this.#upstreams.openStream(target, owner, options, either);
      if (stream !== false) return endWithLease(stream, lease);
    } catch (error) {
      lease.release();
      throw error;
    }
    lease.release();
    return false;
  }
}

/** The credential with which a stream is open. */
class CredentialLease {
  readonly #target: UpstreamTarget;
  readonly #changed = new AbortController();
  readonly release: () => void;
  /** JSON of the credential; null: not acquired yet. */
  #acquired: string | null = null;
  #notified = Promise.withResolvers<void>();
  #wasNotified = false;

  constructor(target: UpstreamTarget, monitor: CredentialMonitor) {
    this.#target = target;
    this.release = monitor.watch(target, (credentials) => this.#onCredentials(credentials));
  }

  /** Aborts when the credential changes or is revoked. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** Waits until there is a credential. A notification during the load makes the loaded credential outdated. */
  async acquire(signal: AbortSignal): Promise<void> {
    while (this.#acquired === null) {
      this.#notified = Promise.withResolvers();
      this.#wasNotified = false;
      try {
        const credentials = JSON.stringify(await this.#target.credentials());
        if (!this.#wasNotified) this.#acquired = credentials;
      } catch (error) {
        if (!(error instanceof CredentialRequiredError)) throw error;
        await raceAbort(this.#notified.promise, signal);
      }
    }
  }

  #onCredentials(credentials: Credentials | null): void {
    this.#wasNotified = true;
    if (this.#acquired === null) this.#notified.resolve();
    else if (JSON.stringify(credentials) !== this.#acquired) this.#changed.abort();
  }
}

async function* endWithLease<T>(
  stream: AsyncGenerator<T>,
  lease: CredentialLease,
): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw lease.changed.aborted ? new LocalAbortError() : error;
  } finally {
    lease.release();
  }
}
