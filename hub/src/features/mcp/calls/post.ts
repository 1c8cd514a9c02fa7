// POST: a message of a client. A request gets a response; a notification or response gets 202.
import type { RequestId } from '@modelcontextprotocol/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordError } from '../../../platform/http/errors/errors.ts';
import {
  detectRevision,
  errorMessage,
  isNotification,
  isRequest,
  type ProtocolRevision,
  parseMessage,
  RPC,
  RpcError,
  type RpcMessage,
  rejectRemovedMethod,
  toRpcError,
  toServerMessage,
} from '../protocol/index.ts';
import {
  headerOf,
  initialize,
  loadBackends,
  notifyServers,
  openListenStream,
  type RequestContext,
  resolveOwner,
  sendToServer,
  setLogLevel,
} from '../sessions/index.ts';
import type { SessionOwner } from '../upstream/index.ts';
import { answerRequest } from './answer-request.ts';
import type { GatewayDeps } from './context.ts';
import { deliverClientResponse } from './elicitation.ts';

/** Handles a message. Errors are sent as JSON-RPC errors. */
export async function postMessage(
  deps: GatewayDeps,
  context: RequestContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let message: RpcMessage | null = null;
  try {
    checkContentHeaders(request);
    message = parseMessage((request.body as Buffer | undefined) ?? Buffer.alloc(0));
    const revision = detectRevision(message, {
      version: headerOf(request, 'mcp-protocol-version'),
      method: headerOf(request, 'mcp-method'),
      name: headerOf(request, 'mcp-name'),
    });
    if (revision === 'modern') rejectRemovedMethod(message.method ?? '');
    return await dispatchMessage(deps, context, { revision, message }, request, reply);
  } catch (error) {
    if (!(error instanceof RpcError)) recordError(error, request, reply);
    const failure = toRpcError(error);
    const id = message !== null && isRequest(message) ? (message.id as RequestId) : null;
    return reply.code(failure.status).send(errorMessage(id, failure));
  }
}

/** Throws RpcError with 415. */
function checkContentHeaders({ headers }: FastifyRequest): void {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    const reason = 'Content-Type must be application/json.';
    throw new RpcError(RPC.invalidRequest, reason, { status: 415 });
  }
  if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) {
    throw new RpcError(RPC.invalidRequest, "Content-Encoding isn't supported.", { status: 415 });
  }
}

async function dispatchMessage(
  deps: GatewayDeps,
  context: RequestContext,
  { revision, message }: { revision: ProtocolRevision; message: RpcMessage },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (message.method === 'initialize') return initialize(deps, context, message, reply);
  const sessionId = headerOf(request, 'mcp-session-id');
  const owner = await resolveOwner(deps, context, revision, sessionId, message);
  if (!isRequest(message)) {
    await deliver(deps, context, owner, message);
    return reply.code(202).send();
  }
  if (message.method === 'subscriptions/listen' && revision === 'modern') {
    return openListenStream(deps, context, { owner, message }, reply);
  }
  const emptyResult = { jsonrpc: '2.0', id: message.id, result: {} };
  if (message.method === 'ping') return reply.send(emptyResult);
  if (message.method === 'logging/setLevel' && revision === 'legacy') {
    await setLogLevel(deps, context, owner, message);
    return reply.send(emptyResult);
  }
  const hasSession = revision === 'legacy' && sessionId !== undefined;
  return answerRequest(deps, context, { revision, owner, message, hasSession }, request, reply);
}

/** Delivers a notification or a response to the request, the server or the servers that it concerns. */
async function deliver(
  deps: GatewayDeps,
  context: RequestContext,
  owner: SessionOwner,
  message: RpcMessage,
): Promise<void> {
  if (isNotification(message) && message.method === 'notifications/cancelled') {
    return deps.requestsInFlight.cancel(owner, message.params?.requestId);
  }
  if (message.method === 'notifications/roots/list_changed') {
    return notifyServers(deps, context, owner, message);
  }
  if (message.method === undefined && (await deliverClientResponse(deps, owner, message))) return;
  const addressed = toServerMessage(message);
  if (addressed === null) return;
  const [backend] = await loadBackends(deps, context, addressed.backendId);
  if (backend?.backendId !== addressed.backendId) return;
  await sendToServer(deps, context, { backend, owner }, addressed.message);
}
