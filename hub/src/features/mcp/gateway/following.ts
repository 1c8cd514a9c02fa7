// The streams besides answers: GET of the older revision, `subscriptions/listen` of the newest. Behind each stand the
// streams of the servers that have something to say to this client alone; changes of lists come from whoever listens.

import { randomUUID } from 'node:crypto';
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { releaseBody } from '../../../platform/http/limits/in-flight-bodies.ts';
import { hijackResponse } from '../../../platform/http/server/security-headers.ts';
import { besides } from './besides.ts';
import { keepFollowing } from './feeds.ts';
import { type Id, RPC, type Rpc, RpcError } from './messages.ts';
import { prefixedUri, splitUri } from './names.ts';
import { resumeStream } from './resuming.ts';
import { LEGACY_KNOWN } from './revisions.ts';
import {
  changedList,
  type Filter,
  filterOf,
  fromServer,
  isAskedFor,
  type ListKind,
  listChanged,
  stamped,
} from './server-messages.ts';
import { eventText } from './sse.ts';
import {
  deleteSession,
  SUBSCRIPTIONS_MAX,
  selectSubscriptions,
  selectUpstreamsOf,
} from './store.ts';
import type { Backend, Owner } from './targets.ts';
import { backendsFor, type GatewayDeps, headerOf, holderOf, ownerOf, type Visit } from './visit.ts';

const KINDS: readonly ListKind[] = ['tools', 'prompts', 'resources'];

function begin(reply: FastifyReply): void {
  // What was asked for is known, and the stream may stay for days.
  releaseBody(reply.request);
  hijackResponse(reply).writeHead(200, {
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  });
}

const tooMany = () =>
  new RpcError(RPC.upstream, 'Too many open streams for this token.', { status: 429 });

/** GET at an MCP URL, within a session of the older revision. Throws RpcError. */
export async function openStream(
  deps: GatewayDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const version = headerOf(request, 'mcp-protocol-version');
  if (version !== undefined && !LEGACY_KNOWN.includes(version)) {
    // Of the newest revision there is none.
    reply.header('allow', 'POST');
    throw new RpcError(RPC.upstream, 'Method not allowed.', { status: 405 });
  }
  if (!/text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '')) {
    throw new RpcError(RPC.upstream, 'Accept must include text/event-stream.', { status: 406 });
  }
  const session = headerOf(request, 'mcp-session-id');
  if (session === undefined) {
    throw new RpcError(RPC.invalidRequest, 'Mcp-Session-Id is missing.', { status: 400 });
  }
  const sessionOwner = () => ownerOf(deps, visit, 'legacy', session, null);
  const owner = await sessionOwner();
  const again = async () => {
    await visit.again();
    await sessionOwner();
  };
  const lastEventId = headerOf(request, 'last-event-id');
  const isResumed =
    lastEventId !== undefined &&
    (await resumeStream(deps, visit, { owner, lastEventId, begin, again }, reply));
  if (isResumed) return reply;
  const follower = createFollower(deps, visit, owner);
  await deps.streams.announce(owner.hash.toString('hex'));
  const stream = deps.streams.open({
    tenantId: visit.caller.tenantId,
    tokenId: visit.caller.tokenId,
    holder: holderOf(visit.caller),
    session: owner.hash.toString('hex'),
    backendId: visit.namespace.kind === 'backend' ? visit.namespace.backendId : null,
    response: reply.raw,
    form: (message) => message,
    again,
    refresh: () => follower.refresh(),
  });
  if (stream === null) throw tooMany();
  begin(reply);
  reply.raw.write(': open\n\n');
  // What was said meanwhile is not kept: whoever comes back is told to look at everything anew.
  if (lastEventId !== undefined) {
    for (const kind of KINDS) stream.write(listChanged(kind));
  }
  follower.start(stream);
  return reply;
}

interface Stream {
  write(message: Rpc): void;
  signal: AbortSignal;
}

/** Writes what a server says besides its answers, where its client may have it. */
async function tell(
  deps: GatewayDeps,
  visit: Visit,
  from: { backend: Backend; owner: Owner },
  message: Rpc,
  to: Pick<Stream, 'write'>,
): Promise<void> {
  const passed = await besides(deps, visit, from, message);
  const isAggregated = visit.namespace.kind === 'aggregated';
  if (passed !== null) to.write(fromServer(passed, from.backend, isAggregated));
}

/** Ends what is not wanted any more, and begins what is new; all of it ends with the stream. */
function keepOnly<T>(
  feeds: Map<string, AbortController>,
  wants: ReadonlyMap<string, T>,
  to: Pick<Stream, 'signal'>,
  begin: (one: T, signal: AbortSignal) => void,
): void {
  for (const [key, abort] of feeds) {
    if (wants.has(key)) continue;
    abort.abort();
    feeds.delete(key);
  }
  for (const [key, one] of wants) {
    if (feeds.has(key) || to.signal.aborted) continue;
    const abort = new AbortController();
    feeds.set(key, abort);
    begin(one, AbortSignal.any([abort.signal, to.signal]));
  }
}

/** Follows what the servers say to this session: of the older revision those it has a session with. */
function createFollower(deps: GatewayDeps, visit: Visit, owner: Owner) {
  const feeds = new Map<string, AbortController>();
  let stream: Stream | null = null;
  let asking: Promise<void> = Promise.resolve();

  async function wanted(): Promise<Map<string, { backend: Backend; filter: Filter }>> {
    const backends = await backendsFor(deps, visit);
    const ids = backends.map((one) => one.backendId);
    const begun = new Set(await selectUpstreamsOf(deps.db, owner.hash, ids));
    const follows = await selectSubscriptions(deps.db, owner.hash);
    const found = new Map<string, { backend: Backend; filter: Filter }>();
    for (const backend of backends) {
      const { backendId, version } = backend;
      const uris = follows.filter((one) => one.backend_id === backendId).map((one) => one.uri);
      if (uris.length > 0) {
        const filter = { resourceSubscriptions: uris };
        found.set(JSON.stringify([backendId, version, uris]), { backend, filter });
      } else if (begun.has(backendId)) {
        found.set(JSON.stringify([backendId, version]), { backend, filter: {} });
      }
    }
    return found;
  }

  async function refreshed(to: Stream): Promise<void> {
    const wants = await wanted();
    keepOnly(feeds, wants, to, ({ backend, filter }, signal) => {
      const message = async (one: Rpc) => {
        const kind = changedList(one);
        if (kind !== null) return deps.lists.changed(backend, kind);
        await tell(deps, visit, { backend, owner }, one, to);
      };
      let isTold = false;
      // One that cannot be followed now, or has nothing to follow, is waited for once and not by each call.
      const live = (isLive: boolean) => {
        if (isLive || !isTold) deps.streams.follows(owner.hash.toString('hex'), backend.backendId);
        isTold = true;
      };
      void keepFollowing(
        deps.upstreams,
        { target: backend, owner, filter },
        { message, live },
        signal,
      ).then(() => live(false));
    });
  }

  const refresh = () => {
    const to = stream;
    if (to === null || to.signal.aborted) return;
    asking = asking.then(() => refreshed(to)).catch(() => undefined);
  };
  return {
    refresh,
    start(to: Stream) {
      stream = to;
      refresh();
    },
  };
}

/** `subscriptions/listen`: stays open until one of both ends it. Throws RpcError. */
export async function openListen(
  deps: GatewayDeps,
  visit: Visit,
  { owner, message }: { owner: Owner; message: Rpc },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const filter = filterOf(message.params);
  if (filter === null) {
    throw new RpcError(RPC.invalidParams, 'params.notifications must say what to listen to.', {
      status: 400,
    });
  }
  if ((filter.resourceSubscriptions?.length ?? 0) > SUBSCRIPTIONS_MAX) {
    throw new RpcError(
      RPC.invalidParams,
      `resourceSubscriptions must hold at most ${SUBSCRIPTIONS_MAX} addresses.`,
      { status: 400 },
    );
  }
  const id = message.id as Id;
  const followed = await followedBy(deps, visit, filter);
  const named = new Set(followed.flatMap((one) => one.named));
  const { resourceSubscriptions: uris, ...lists } = filter;
  const honoured: Filter = {
    ...lists,
    ...(uris === undefined ? {} : { resourceSubscriptions: uris.filter((one) => named.has(one)) }),
  };
  let refresh: () => void = () => undefined;
  const stream = deps.streams.open({
    tenantId: visit.caller.tenantId,
    tokenId: visit.caller.tokenId,
    holder: holderOf(visit.caller),
    session: null,
    backendId: visit.namespace.kind === 'backend' ? visit.namespace.backendId : null,
    response: reply.raw,
    form: (one) => (isAskedFor(one, honoured) ? stamped(one, id) : null),
    again: () => visit.again(),
    refresh: () => refresh(),
    last: () => finishedListen(id),
  });
  if (stream === null) throw tooMany();
  begin(reply);
  const acknowledged: Rpc = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: honoured },
  };
  reply.raw.write(eventText(stamped(acknowledged, id)));
  if (Object.keys(filter).length === 0) {
    stream.end();
    return reply;
  }
  const feeds = new Map<string, AbortController>();
  const follow = (all: readonly Followed[]) => {
    // What the client was not told that it listens to it would not be given either.
    const told = all.filter((one) => one.named.some((uri) => named.has(uri)));
    const wants = new Map(
      told.map((one) => [JSON.stringify([one.backend.backendId, one.backend.version]), one]),
    );
    keepOnly(feeds, wants, stream, ({ backend, uris: own }, signal) => {
      const write = (one: Rpc) => tell(deps, visit, { backend, owner }, one, stream);
      void followResources(
        deps,
        { backend, uris: own, capabilities: owner.capabilities },
        write,
        signal,
      );
    });
  };
  follow(followed);
  // Servers are changed and disabled meanwhile; one that cannot be looked up now is followed on.
  let asking: Promise<void> = Promise.resolve();
  refresh = () => {
    asking = asking
      .then(async () => follow(await followedBy(deps, visit, filter)))
      .catch(() => undefined);
  };
  return reply;
}

function finishedListen(id: Id): Rpc {
  return {
    jsonrpc: '2.0',
    id,
    result: {
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    },
  };
}

interface Followed {
  backend: Backend;
  uris: string[];
  /** As the client knows them. */
  named: string[];
}

async function followedBy(deps: GatewayDeps, visit: Visit, filter: Filter): Promise<Followed[]> {
  if (filter.resourceSubscriptions === undefined) return [];
  const isAggregated = visit.namespace.kind === 'aggregated';
  const backends = await backendsFor(deps, visit);
  return backends
    .filter((one) => one.ruled(null).allowed)
    .map((backend) => {
      const uris = filter.resourceSubscriptions ?? [];
      const own = isAggregated
        ? uris.map(splitUri).flatMap((one) => (one?.slug === backend.slug ? [one.uri] : []))
        : uris;
      const named = isAggregated ? own.map((one) => prefixedUri(backend.slug, one)) : own;
      return { backend, uris: own, named };
    })
    .filter((one) => one.uris.length > 0);
}

/** A server of the older revision is subscribed to within a session of its own, which ends with the stream. */
async function followResources(
  deps: GatewayDeps,
  {
    backend,
    uris,
    capabilities,
  }: { backend: Backend; uris: string[]; capabilities: Owner['capabilities'] },
  write: (message: Rpc) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { upstreams, db } = deps;
  const owner: Owner = { hash: hashSecret(`listen ${randomUUID()}`), capabilities, logLevel: null };
  const filter = { resourceSubscriptions: uris };
  let isLegacy = false;
  try {
    isLegacy = (await upstreams.eraOf(backend, signal)) === 'legacy';
    const on = {
      message: async (one: Rpc) => {
        if (changedList(one) === null && one.id == null) await write(one);
      },
    };
    const following = keepFollowing(upstreams, { target: backend, owner, filter }, on, signal);
    if (isLegacy) {
      for (const uri of uris) {
        const request = { id: 'subscribe', method: 'resources/subscribe', params: { uri } };
        for await (const _one of upstreams.call(backend, owner, request, signal));
      }
    }
    await following;
  } catch {
    // The server is away, or the stream ended meanwhile: nothing is said of these resources.
  } finally {
    if (isLegacy) {
      await upstreams.end(backend, owner).catch(() => undefined);
      await deleteSession(db, owner.hash).catch(() => undefined);
    }
  }
}
