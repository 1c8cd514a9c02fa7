// Servers of the revision 2024-11-05 (HTTP+SSE) behind the interface of all servers. As the later revisions require, a server
// that rejects `initialize` by POST with 400, 404 or 405 is requested again by GET, as an event stream.
import { type RpcMessage, raceAbort } from '../protocol/index.ts';
import { startCallClock } from './call-clock.ts';
import { toLegacyMessage } from './legacy-message.ts';
import { createSseConnections, type SseConnections, type SseInbox } from './sse-connections.ts';
import { InitializeRejectedError, type SessionOwner, type UpstreamTarget } from './targets.ts';
import type { UpstreamHttp } from './upstream-http.ts';
import type { OpenStreamOptions, UpstreamLimits, UpstreamRequest, Upstreams } from './upstreams.ts';

/** Time for which a server counts as a server of this transport. */
const DETECTED_MS = 10 * 60_000;
const DETECTED_MAX = 10_000;
const CANCEL_MS = 10_000;

/** Returns the servers with a fallback to HTTP+SSE. */
export function withLegacySse(
  upstreams: Upstreams,
  options: { http: UpstreamHttp; limits: UpstreamLimits },
): Upstreams {
  return new LegacySseUpstreams(upstreams, options);
}

class LegacySseUpstreams implements Upstreams {
  readonly #upstreams: Upstreams;
  readonly #limits: UpstreamLimits;
  readonly #connections: SseConnections;
  /** Expiry of each detected server, by id and version. */
  readonly #detected = new Map<string, number>();
  #lastId = 0;

  constructor(
    upstreams: Upstreams,
    { http, limits }: { http: UpstreamHttp; limits: UpstreamLimits },
  ) {
    this.#upstreams = upstreams;
    this.#limits = limits;
    this.#connections = createSseConnections({ http, ...limits });
  }

  async *call(
    target: UpstreamTarget,
    owner: SessionOwner,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<RpcMessage> {
    if (!this.#isDetected(target)) {
      try {
        return yield* this.#upstreams.call(target, owner, request, signal);
      } catch (error) {
        await this.#detect(target, owner, error);
      }
    }
    yield* this.#callBySse(target, owner, request, signal);
  }

  send(
    target: UpstreamTarget,
    owner: SessionOwner,
    message: RpcMessage,
    signal: AbortSignal,
  ): Promise<void> {
    return this.#withFallback(
      target,
      owner,
      () => this.#upstreams.send(target, owner, message, signal),
      () => this.#sendBySse(target, owner, message, signal),
    );
  }

  async endSession(target: UpstreamTarget, owner: SessionOwner): Promise<void> {
    if (this.#isDetected(target)) this.#connections.end(target, owner);
    else await this.#upstreams.endSession(target, owner);
  }

  revisionOf(target: UpstreamTarget, signal: AbortSignal) {
    return this.#upstreams.revisionOf(target, signal);
  }

  fetchInstructions(target: UpstreamTarget, owner: SessionOwner, signal: AbortSignal) {
    return this.#withFallback(
      target,
      owner,
      () => this.#upstreams.fetchInstructions(target, owner, signal),
      async () => {
        // A new connection, because instructions come with the result of `initialize` only.
        this.#connections.end(target, owner);
        return (await this.#connect(target, owner, signal)).instructions;
      },
    );
  }

  fetchCapabilities(target: UpstreamTarget, owner: SessionOwner, signal: AbortSignal) {
    return this.#withFallback(
      target,
      owner,
      () => this.#upstreams.fetchCapabilities(target, owner, signal),
      async () => (await this.#connect(target, owner, signal)).capabilities,
    );
  }

  /** The transport has a single stream per connection, so there is no other stream to open. */
  openStream(
    target: UpstreamTarget,
    owner: SessionOwner,
    options: OpenStreamOptions,
    signal: AbortSignal,
  ): ReturnType<Upstreams['openStream']> {
    return this.#withFallback<Awaited<ReturnType<Upstreams['openStream']>>>(
      target,
      owner,
      () => this.#upstreams.openStream(target, owner, options, signal),
      async () => false,
    );
  }

  #isDetected(target: UpstreamTarget): boolean {
    return (this.#detected.get(detectionKey(target)) ?? 0) > Date.now();
  }

  /** Detects the transport after a failure. Throws the failure if the server does not have this transport. */
  async #detect(target: UpstreamTarget, owner: SessionOwner, failure: unknown): Promise<void> {
    if (!(failure instanceof InitializeRejectedError)) throw failure;
    await this.#connections.get(target, owner).catch(() => {
      throw failure;
    });
    if (this.#detected.size >= DETECTED_MAX) this.#detected.clear();
    this.#detected.set(detectionKey(target), Date.now() + DETECTED_MS);
  }

  async #withFallback<T>(
    target: UpstreamTarget,
    owner: SessionOwner,
    byHttp: () => Promise<T>,
    bySse: () => Promise<T>,
  ): Promise<T> {
    if (this.#isDetected(target)) return bySse();
    try {
      return await byHttp();
    } catch (error) {
      await this.#detect(target, owner, error);
      return bySse();
    }
  }

  #connect(target: UpstreamTarget, owner: SessionOwner, signal: AbortSignal) {
    return raceAbort(this.#connections.get(target, owner), signal);
  }

  async *#callBySse(
    target: UpstreamTarget,
    owner: SessionOwner,
    { id, method, params }: UpstreamRequest,
    caller: AbortSignal,
  ): AsyncGenerator<RpcMessage> {
    const upstreamId = `sse-${++this.#lastId}`;
    const clock = startCallClock(target, caller, this.#limits.clientInputMs);
    let inbox: SseInbox | null = null;
    let isRunning = false;
    try {
      const connection = await this.#connect(target, owner, clock.signal);
      inbox = connection.openInbox(upstreamId, clock.refresh);
      const sent: RpcMessage = {
        jsonrpc: '2.0',
        id: upstreamId,
        method,
        ...(params === undefined ? {} : { params }),
      };
      await connection.post(toLegacyMessage(sent), clock.signal);
      isRunning = true;
      for (;;) {
        const message = await inbox.next(clock.signal);
        clock.refresh();
        if (message.method === undefined) {
          isRunning = false;
          yield { ...message, id };
          return;
        }
        if (message.id != null) clock.awaitClient();
        yield message;
      }
    } catch (error) {
      caller.throwIfAborted();
      throw clock.expired() ?? error;
    } finally {
      clock.stop();
      inbox?.close();
      if (isRunning) this.#cancel(target, owner, upstreamId);
    }
  }

  #cancel(target: UpstreamTarget, owner: SessionOwner, requestId: string): void {
    const params = { requestId, reason: 'The client canceled the request.' };
    const message: RpcMessage = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    const signal = AbortSignal.timeout(CANCEL_MS);
    void this.#sendBySse(target, owner, message, signal).catch(() => undefined);
  }

  async #sendBySse(
    target: UpstreamTarget,
    owner: SessionOwner,
    message: RpcMessage,
    signal: AbortSignal,
  ): Promise<void> {
    const connection = await this.#connect(target, owner, signal);
    await connection.post(toLegacyMessage(message), signal);
  }
}

const detectionKey = ({ backendId, version }: UpstreamTarget) => `${backendId} ${version}`;
