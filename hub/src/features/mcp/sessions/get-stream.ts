// The GET stream of a session (revisions before 2026-07-28), and the servers' streams that it follows.
import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  changedListKind,
  LEGACY_VERSIONS,
  RPC,
  RpcError,
  type RpcMessage,
} from '../protocol/index.ts';
import {
  type Backend,
  followWithRetry,
  type SessionOwner,
  selectConnectedBackends,
} from '../upstream/index.ts';
import {
  backendIdOf,
  headerOf,
  loadBackends,
  type RequestContext,
  resolveOwner,
  type SessionDeps,
  tokenHolder,
} from './request-context.ts';
import { acceptsEventStream, tooManyStreams, writeStreamHead } from './response-stream.ts';
import { resumeStream } from './resume-stream.ts';
import { FeedSet, type FeedTarget, forwardToClient, RefreshQueue } from './server-feeds.ts';
import { selectSubscriptions } from './store.ts';

/** Returns the session id of a GET request. Throws RpcError with 400, 405 or 406. */
function checkGetRequest(request: FastifyRequest, reply: FastifyReply): string {
  const version = headerOf(request, 'mcp-protocol-version');
  if (version !== undefined && !LEGACY_VERSIONS.includes(version)) {
    // The revision 2026-07-28 has no GET stream.
    reply.header('allow', 'POST');
    throw new RpcError(RPC.upstream, 'Method not allowed.', { status: 405 });
  }
  if (!acceptsEventStream(request)) {
    throw new RpcError(RPC.upstream, 'Accept must include text/event-stream.', { status: 406 });
  }
  const session = headerOf(request, 'mcp-session-id');
  if (session === undefined) {
    throw new RpcError(RPC.invalidRequest, 'Mcp-Session-Id is missing.', { status: 400 });
  }
  return session;
}

/** Opens the GET stream of a session, or resumes the response that `Last-Event-ID` names. Throws RpcError. */
export async function openGetStream(
  deps: SessionDeps,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sessionId = checkGetRequest(request, reply);
  const loadOwner = () => resolveOwner(deps, context, 'legacy', sessionId, null);
  const owner = await loadOwner();
  const revalidate = async () => {
    await context.revalidate();
    await loadOwner();
  };
  const lastEventId = headerOf(request, 'last-event-id');
  const isResumed =
    lastEventId !== undefined &&
    (await resumeStream(deps, context, { owner, lastEventId, revalidate }, reply));
  if (isResumed) return reply;
  const follower = new SessionFollower(deps, context, owner);
  const session = owner.hash.toString('hex');
  await deps.streams.announceOpening(session);
  const { tenantId, tokenId } = context.caller;
  const stream = deps.streams.open({
    tenantId,
    tokenId,
    holder: tokenHolder(context.caller),
    session,
    backendId: backendIdOf(context.namespace),
    response: reply.raw,
    toClient: (message) => message,
    revalidate,
    refresh: () => follower.refresh(),
  });
  if (stream === null) throw tooManyStreams();
  writeStreamHead(reply);
  reply.raw.write(': open\n\n');
  // Messages of the gap are lost, so a client that comes back loads all lists again.
  if (lastEventId !== undefined) stream.notifyAllListsChanged();
  follower.start(stream);
  return reply;
}

interface Feed {
  backend: Backend;
  filter: SubscriptionFilter;
}

/** Follows the streams of the servers with which the session is connected, or to whose resources it subscribed. */
class SessionFollower {
  readonly #deps: SessionDeps;
  readonly #context: RequestContext;
  readonly #owner: SessionOwner;
  readonly #queue = new RefreshQueue();
  #stream: { target: FeedTarget; feeds: FeedSet<Feed> } | null = null;

  constructor(deps: SessionDeps, context: RequestContext, owner: SessionOwner) {
    this.#deps = deps;
    this.#context = context;
    this.#owner = owner;
  }

  start(target: FeedTarget): void {
    const feeds = new FeedSet<Feed>(target, (feed, signal) => this.#follow(feed, target, signal));
    this.#stream = { target, feeds };
    this.refresh();
  }

  refresh(): void {
    const stream = this.#stream;
    if (stream === null || stream.target.signal.aborted) return;
    this.#queue.add(async () => stream.feeds.replace(await this.#loadFeeds()));
  }

  async #loadFeeds(): Promise<Map<string, Feed>> {
    const { db } = this.#deps;
    const { hash } = this.#owner;
    const backends = await loadBackends(this.#deps, this.#context);
    const ids = backends.map(({ backendId }) => backendId);
    const connected = new Set(await selectConnectedBackends(db, hash, ids));
    const subscriptions = await selectSubscriptions(db, hash);
    const feeds = new Map<string, Feed>();
    for (const backend of backends) {
      const { backendId, version } = backend;
      const uris = subscriptions
        .filter((subscription) => subscription.backend_id === backendId)
        .map(({ uri }) => uri);
      if (uris.length > 0) {
        const filter = { resourceSubscriptions: uris };
        feeds.set(JSON.stringify([backendId, version, uris]), { backend, filter });
      } else if (connected.has(backendId)) {
        feeds.set(JSON.stringify([backendId, version]), { backend, filter: {} });
      }
    }
    return feeds;
  }

  #follow({ backend, filter }: Feed, target: FeedTarget, signal: AbortSignal): void {
    const { lists, streams, upstreams } = this.#deps;
    const owner = this.#owner;
    const message = async (received: RpcMessage) => {
      const kind = changedListKind(received);
      if (kind !== null) return lists.reportChange(backend, kind);
      await forwardToClient(this.#deps, this.#context, { backend, owner }, received, target);
    };
    let isAnnounced = false;
    // A server without a stream is announced once, so that only its first call waits for the stream.
    const live = (isLive: boolean) => {
      if (isLive || !isAnnounced) {
        streams.announceFollowed(owner.hash.toString('hex'), backend.backendId);
      }
      isAnnounced = true;
    };
    const source = { target: backend, owner, filter };
    void followWithRetry(upstreams, source, { message, live }, signal).then(() => live(false));
  }
}
