// Servers of the revision 2024-11-05 (HTTP+SSE) behind the same interface as all others. As that revision's successor says, a
// server that refuses `initialize` by POST with 400, 404 or 405 is asked for an event stream by GET.
import { startCallClock } from './call-clock.ts';
import type { Rpc } from './messages.ts';
import { createSseConnections, plainMessage, type SseInbox } from './sse-connections.ts';
import { InitializeRefused, type Owner, type Target } from './targets.ts';
import { waited } from './together.ts';
import type { UpstreamHttp } from './upstream-http.ts';
import type { UpstreamLimits, Upstreams } from './upstreams.ts';

/** How long a server counts as one of that revision; then it is asked anew. */
const KNOWN_MS = 10 * 60_000;
const KNOWN_MAX = 10_000;
const CANCEL_MS = 10_000;

export function withLegacySse(
  upstreams: Upstreams,
  { http, limits }: { http: UpstreamHttp; limits: UpstreamLimits },
): Upstreams {
  const connections = createSseConnections({ http, ...limits });
  const known = new Map<string, number>();
  let numbered = 0;
  const nameOf = ({ backendId, version }: Target) => `${backendId} ${version}`;
  const isKnown = (target: Target) => (known.get(nameOf(target)) ?? 0) > Date.now();

  /** Whether the failure means that the server is one of that revision. Rethrows it if not. */
  async function discover(target: Target, owner: Owner, failure: unknown): Promise<void> {
    if (!(failure instanceof InitializeRefused)) throw failure;
    await connections.of(target, owner).catch(() => {
      throw failure;
    });
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(nameOf(target), Date.now() + KNOWN_MS);
  }

  async function either<T>(
    target: Target,
    owner: Owner,
    usual: () => Promise<T>,
    bySse: () => Promise<T>,
  ): Promise<T> {
    if (isKnown(target)) return bySse();
    try {
      return await usual();
    } catch (error) {
      await discover(target, owner, error);
      return bySse();
    }
  }

  async function* callBySse(
    target: Target,
    owner: Owner,
    { id, method, params }: { id: Rpc['id']; method: string; params: Rpc['params'] },
    caller: AbortSignal,
  ): AsyncGenerator<Rpc> {
    const own = `sse-${++numbered}`;
    const clock = startCallClock(target, caller, limits.askedMs);
    let inbox: SseInbox | null = null;
    let isOver = true;
    try {
      const connection = await waited(connections.of(target, owner), clock.signal);
      inbox = connection.inbox(own, clock.came);
      const sent: Rpc = {
        jsonrpc: '2.0',
        id: own,
        method,
        ...(params === undefined ? {} : { params }),
      };
      await connection.post(plainMessage(sent), clock.signal);
      isOver = false;
      for (;;) {
        const message = await inbox.next(clock.signal);
        clock.came();
        if (message.method !== undefined) {
          if (message.id != null) clock.awaitClient();
          yield message;
          continue;
        }
        isOver = true;
        yield { ...message, ...(id === undefined ? {} : { id }) };
        return;
      }
    } catch (error) {
      caller.throwIfAborted();
      throw clock.expired() ?? error;
    } finally {
      clock.stop();
      inbox?.close();
      if (!isOver) {
        const reason = 'The client canceled the request.';
        const cancelled = { method: 'notifications/cancelled', params: { requestId: own, reason } };
        void tellBySse(target, owner, { jsonrpc: '2.0', ...cancelled }).catch(() => undefined);
      }
    }
  }

  async function tellBySse(
    target: Target,
    owner: Owner,
    message: Rpc,
    signal: AbortSignal = AbortSignal.timeout(CANCEL_MS),
  ): Promise<void> {
    const connection = await waited(connections.of(target, owner), signal);
    await connection.post(plainMessage(message), signal);
  }

  return {
    ...upstreams,
    async *call(target, owner, request, signal) {
      if (!isKnown(target)) {
        try {
          return yield* upstreams.call(target, owner, request, signal);
        } catch (error) {
          await discover(target, owner, error);
        }
      }
      yield* callBySse(target, owner, request, signal);
    },
    tell: (target, owner, message, signal) =>
      either(
        target,
        owner,
        () => upstreams.tell(target, owner, message, signal),
        () => tellBySse(target, owner, message, signal),
      ),
    async end(target, owner) {
      if (isKnown(target)) connections.end(target, owner);
      else await upstreams.end(target, owner);
    },
    instructionsOf: (target, owner, signal) =>
      either(
        target,
        owner,
        () => upstreams.instructionsOf(target, owner, signal),
        async () => {
          // A connection of its own, for instructions come at its beginning only.
          connections.end(target, owner);
          return (await waited(connections.of(target, owner), signal)).instructions;
        },
      ),
    capabilitiesOf: (target, owner, signal) =>
      either(
        target,
        owner,
        () => upstreams.capabilitiesOf(target, owner, signal),
        async () => (await waited(connections.of(target, owner), signal)).capabilities,
      ),
    // What such a server says between calls comes on the one stream that it has.
    follow: (target, owner, ask, signal) =>
      either<Awaited<ReturnType<Upstreams['follow']>>>(
        target,
        owner,
        () => upstreams.follow(target, owner, ask, signal),
        async () => false,
      ),
  };
}
