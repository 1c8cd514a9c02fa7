// Sessions of clients of the older revision, as rows: how one begins, what it says of itself later, and how it ends.

import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { idOf } from '../oauth/index.ts';
import { FOLLOWS, SESSIONS } from './client-streams.ts';
import { initialized } from './greetings.ts';
import { instructionsFor } from './instructions.ts';
import { isRequest, RPC, type Rpc, RpcError } from './messages.ts';
import { negotiated, refuseLongCapabilities } from './revisions.ts';
import {
  deleteSession,
  insertSession,
  selectUpstreamsOf,
  storeLogLevel,
  storeSubscription,
} from './store.ts';
import { deleteStreamsOf } from './stream-store.ts';
import type { Backend, Owner } from './targets.ts';
import {
  backendsFor,
  type GatewayDeps,
  holderOf,
  ownerOf,
  sessionHash,
  type Visit,
} from './visit.ts';

const FAN_MS = 5_000;

export async function initialize(
  deps: GatewayDeps,
  visit: Visit,
  message: Rpc,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isRequest(message))
    throw new RpcError(RPC.invalidRequest, 'initialize needs an id.', { status: 400 });
  const { namespace, caller } = visit;
  const { params } = message;
  if (typeof params?.protocolVersion !== 'string') {
    throw new RpcError(RPC.invalidParams, 'params.protocolVersion must be a text.', {
      status: 400,
    });
  }
  if (params.capabilities !== undefined && !isObject(params.capabilities)) {
    throw new RpcError(RPC.invalidParams, 'params.capabilities must be an object.', {
      status: 400,
    });
  }
  const version = negotiated(params.protocolVersion);
  const capabilities = params.capabilities ?? {};
  refuseLongCapabilities(capabilities);
  refuseOdd(capabilities, 'params.capabilities');
  const session = randomUUID();
  await insertSession(deps.db, sessionHash(session, caller), {
    namespace: idOf(namespace),
    token_id: caller.tokenId,
    protocol_version: version,
    capabilities,
  });
  const instructions = await instructionsFor({
    ...deps,
    tenantId: caller.tenantId,
    isAggregated: namespace.kind === 'aggregated',
    backends: await backendsFor(deps, visit),
    whose: caller.userId ?? holderOf(caller),
    owner: { capabilities },
  });
  return reply.header('mcp-session-id', session).send({
    jsonrpc: '2.0',
    id: message.id,
    result: initialized(version, instructions),
  });
}

/** Throws RpcError where the database could not hold it. */
function refuseOdd(value: unknown, where: string): void {
  if (sanitizeText(value, JSON.stringify(value)) === value) return;
  throw new RpcError(RPC.invalidParams, `${where} must not hold NUL or half of a character.`, {
    status: 400,
  });
}

/** In every process; servers are told that they need not keep theirs. Throws RpcError. */
export async function endSession(
  deps: GatewayDeps,
  visit: Visit,
  named: string | undefined,
): Promise<void> {
  if (named === undefined) {
    throw new RpcError(RPC.invalidRequest, 'Mcp-Session-Id is missing.', { status: 400 });
  }
  const owner = await ownerOf(deps, visit, 'legacy', named, null);
  const begun = await begunWith(deps, visit, owner);
  const key = owner.hash.toString('hex');
  // Before its sessions with servers end: a server hears of the calls that nobody waits for any more.
  await deps.running.cancelAll(owner);
  // Their names stand in the rows: they are told before these are gone.
  const told = Promise.allSettled(begun.map((one) => deps.upstreams.end(one, owner)));
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, FAN_MS).unref())]);
  await deleteSession(deps.db, owner.hash);
  await deleteStreamsOf(deps.db, owner.hash);
  deps.sessions.invalidate(key);
  await notify(deps.db, { kind: 'forget', cache: SESSIONS, keys: [key] });
}

/** The servers that have a session for this owner. */
async function begunWith(deps: GatewayDeps, visit: Visit, owner: Owner): Promise<Backend[]> {
  const backends = await backendsFor(deps, visit);
  const ids = backends.map((one) => one.backendId);
  const begun = new Set(await selectUpstreamsOf(deps.db, owner.hash, ids));
  return backends.filter((one) => begun.has(one.backendId));
}

/** A notice that concerns every server the session speaks with, such as that its roots changed. */
export async function tellAll(
  deps: GatewayDeps,
  visit: Visit,
  owner: Owner,
  message: Rpc,
): Promise<void> {
  const begun = await begunWith(deps, visit, owner);
  const signal = AbortSignal.timeout(FAN_MS);
  await Promise.allSettled(begun.map((one) => deps.upstreams.tell(one, owner, message, signal)));
}

const LEVELS = 'debug info notice warning error critical alert emergency'.split(' ');

/** Counts for the servers of this session, and for those that it comes to speak with later. Throws RpcError. */
export async function setLevel(
  deps: GatewayDeps,
  visit: Visit,
  owner: Owner,
  { params }: Rpc,
): Promise<void> {
  const level = params?.level;
  if (typeof level !== 'string' || !LEVELS.includes(level)) {
    throw new RpcError(RPC.invalidParams, `params.level must be one of ${LEVELS.join(', ')}.`);
  }
  const key = owner.hash.toString('hex');
  await storeLogLevel(deps.db, owner.hash, level);
  deps.sessions.invalidate(key);
  await notify(deps.db, { kind: 'forget', cache: SESSIONS, keys: [key] });
  const begun = await begunWith(deps, visit, owner);
  const signal = AbortSignal.timeout(FAN_MS);
  const request = { id: 'level', method: 'logging/setLevel', params: { level } };
  await Promise.allSettled(
    begun.map(async (one) => {
      if ((await deps.upstreams.eraOf(one, signal)) === 'modern') return;
      for await (const _answer of deps.upstreams.call(one, owner, request, signal));
    }),
  );
}

export async function follow(
  deps: GatewayDeps,
  owner: Owner,
  { backendId, uri, follows }: { backendId: string; uri: string; follows: boolean },
): Promise<void> {
  refuseOdd(uri, 'params.uri');
  await storeSubscription(deps.db, owner.hash, { backend_id: backendId, uri }, follows);
  const keys = [owner.hash.toString('hex')];
  await notify(deps.db, { kind: 'forget', cache: FOLLOWS, keys });
}
