// `subscriptions/listen` of the revision 2026-07-28: a stream of list changes and resource updates that the client requested.

import { randomUUID } from 'node:crypto';
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { RequestId, SubscriptionFilter } from '@modelcontextprotocol/client';
import type { FastifyReply } from 'fastify';
import {
  changedListKind,
  formatEvent,
  matchesFilter,
  parseListenFilter,
  prefixUri,
  RPC,
  RpcError,
  type RpcMessage,
  splitUri,
  withSubscriptionId,
} from '../protocol/index.ts';
import { type Backend, followWithRetry, type SessionOwner } from '../upstream/index.ts';
import {
  backendIdOf,
  loadBackends,
  type RequestContext,
  type SessionDeps,
  tokenHolder,
} from './request-context.ts';
import { tooManyStreams, writeStreamHead } from './response-stream.ts';
import { FeedSet, forwardToClient, RefreshQueue } from './server-feeds.ts';
import { deleteSession, SUBSCRIPTIONS_MAX } from './store.ts';

/** Resources of a backend that a stream listens to. */
interface ResourceFeed {
  backend: Backend;
  /** URIs of the backend. */
  uris: string[];
  /** URIs of the client, with the prefix of the backend at the aggregated URL. */
  clientUris: string[];
}

/** Opens the stream of a `subscriptions/listen` request, until the client or the gateway ends it. Throws RpcError. */
export async function openListenStream(
  deps: SessionDeps,
  context: RequestContext,
  { owner, message }: { owner: SessionOwner; message: RpcMessage },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const filter = checkedFilter(message);
  const id = message.id as RequestId;
  const initialFeeds = await loadResourceFeeds(deps, context, filter);
  const accepted = acceptedFilter(filter, initialFeeds);
  let refresh: () => void = () => undefined;
  const stream = deps.streams.open({
    tenantId: context.caller.tenantId,
    tokenId: context.caller.tokenId,
    holder: tokenHolder(context.caller),
    session: null,
    backendId: backendIdOf(context.namespace),
    response: reply.raw,
    toClient: (change) => (matchesFilter(change, accepted) ? withSubscriptionId(change, id) : null),
    revalidate: () => context.revalidate(),
    refresh: () => refresh(),
    finalMessage: () => completedListen(id),
  });
  if (stream === null) throw tooManyStreams();
  writeStreamHead(reply);
  const acknowledgement: RpcMessage = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: accepted },
  };
  reply.raw.write(formatEvent(withSubscriptionId(acknowledgement, id)));
  if (Object.keys(filter).length === 0) {
    stream.end();
    return reply;
  }
  const feeds = new FeedSet<ResourceFeed>(stream, ({ backend, uris }, signal) => {
    const { capabilities } = owner;
    const write = (update: RpcMessage) =>
      forwardToClient(deps, context, { backend, owner }, update, stream);
    void followResources(deps, { backend, uris, capabilities }, write, signal);
  });
  const acceptedUris = new Set(accepted.resourceSubscriptions);
  feeds.replace(byBackend(initialFeeds, acceptedUris));
  const queue = new RefreshQueue();
  refresh = () =>
    queue.add(async () => {
      feeds.replace(byBackend(await loadResourceFeeds(deps, context, filter), acceptedUris));
    });
  return reply;
}

function checkedFilter({ params }: RpcMessage): SubscriptionFilter {
  const filter = parseListenFilter(params);
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
  return filter;
}

/** Returns the filter without the resources of backends that the user does not reach. */
function acceptedFilter(
  filter: SubscriptionFilter,
  feeds: readonly ResourceFeed[],
): SubscriptionFilter {
  const { resourceSubscriptions: uris, ...lists } = filter;
  if (uris === undefined) return lists;
  const known = new Set(feeds.flatMap(({ clientUris }) => clientUris));
  return { ...lists, resourceSubscriptions: uris.filter((uri) => known.has(uri)) };
}

/** Only resources that were acknowledged are followed: the client does not expect updates of others. */
function byBackend(
  feeds: readonly ResourceFeed[],
  acceptedUris: ReadonlySet<string>,
): Map<string, ResourceFeed> {
  const accepted = feeds.filter(({ clientUris }) =>
    clientUris.some((uri) => acceptedUris.has(uri)),
  );
  return new Map(
    accepted.map((feed) => [JSON.stringify([feed.backend.backendId, feed.backend.version]), feed]),
  );
}

function completedListen(id: RequestId): RpcMessage {
  return {
    jsonrpc: '2.0',
    id,
    result: {
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    },
  };
}

async function loadResourceFeeds(
  deps: SessionDeps,
  context: RequestContext,
  { resourceSubscriptions: requested }: SubscriptionFilter,
): Promise<ResourceFeed[]> {
  if (requested === undefined) return [];
  const isAggregated = context.namespace.kind === 'aggregated';
  const backends = await loadBackends(deps, context);
  return backends
    .filter((backend) => backend.evaluateAccess(null).allowed)
    .map((backend) => {
      if (!isAggregated) return { backend, uris: requested, clientUris: requested };
      const parts = requested.map(splitUri).filter((part) => part?.slug === backend.slug);
      const uris = parts.map((part) => part?.uri ?? '');
      return { backend, uris, clientUris: uris.map((uri) => prefixUri(backend.slug, uri)) };
    })
    .filter(({ uris }) => uris.length > 0);
}

/** Follows resources of a backend. A legacy server needs a session for the subscriptions, which ends with the stream. */
async function followResources(
  { upstreams, db }: SessionDeps,
  feed: { backend: Backend; uris: string[]; capabilities: SessionOwner['capabilities'] },
  write: (message: RpcMessage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { backend, uris, capabilities } = feed;
  const hash = hashSecret(`listen ${randomUUID()}`);
  const owner: SessionOwner = { hash, capabilities, logLevel: null };
  const filter = { resourceSubscriptions: uris };
  let isLegacy = false;
  try {
    isLegacy = (await upstreams.revisionOf(backend, signal)) === 'legacy';
    const on = {
      message: async (update: RpcMessage) => {
        if (changedListKind(update) === null && update.id == null) await write(update);
      },
    };
    const following = followWithRetry(upstreams, { target: backend, owner, filter }, on, signal);
    if (isLegacy) {
      for (const uri of uris) {
        const request = { id: 'subscribe', method: 'resources/subscribe', params: { uri } };
        for await (const _message of upstreams.call(backend, owner, request, signal));
      }
    }
    await following;
  } catch {
    // The server is down, or the stream ended: the client receives no updates of these resources.
  } finally {
    if (isLegacy) {
      await upstreams.endSession(backend, owner).catch(() => undefined);
      await deleteSession(db, owner.hash).catch(() => undefined);
    }
  }
}
