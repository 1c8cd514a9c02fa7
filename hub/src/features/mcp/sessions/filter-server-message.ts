// Messages of a server outside of responses, on their way to a client. A stream may be open for days, so each message is
// filtered by the access policies and guardrails of its moment.
import type { RequestId } from '@modelcontextprotocol/client';
import { guardMessage, noFindings, selectGuardrails } from '../guardrails/index.ts';
import {
  errorMessage,
  isRequest,
  missingCapability,
  RPC,
  RpcError,
  type RpcMessage,
} from '../protocol/index.ts';
import type { Backend, SessionOwner, Upstreams } from '../upstream/index.ts';
import { loadBackends, type RequestContext, type SessionDeps } from './request-context.ts';

const SEND_TIMEOUT_MS = 10_000;

interface Sender {
  backend: Backend;
  owner: SessionOwner;
}

/** Returns the message as the client may receive it, or null. A request that the client cannot receive is rejected. */
export async function filterServerMessage(
  deps: SessionDeps,
  context: RequestContext,
  sender: Sender,
  message: RpcMessage,
): Promise<RpcMessage | null> {
  if (isRequest(message) && (await rejectUndeclared(deps, sender, message))) return null;
  // The stream stays open when a message is blocked or the guardrails cannot be loaded.
  const filtered = await applyOutputGuardrails(
    deps,
    context,
    sender.backend.backendId,
    message,
  ).catch(() => null);
  if (filtered === null && isRequest(message)) {
    await rejectServerRequest(deps, sender, message, 'The gateway blocked this message.');
  }
  return filtered;
}

/** Rejects a request that needs an undeclared capability: the client would never respond. Returns whether it did. */
async function rejectUndeclared(
  deps: { upstreams: Upstreams },
  sender: Sender,
  request: RpcMessage,
): Promise<boolean> {
  const missing = missingCapability(sender.owner, request);
  if (missing === null) return false;
  const reason = `The client does not support ${missing}.`;
  await rejectServerRequest(deps, sender, request, reason, RPC.methodNotFound);
  return true;
}

/** Returns whether a server's request can reach the client. Rejects it if not. */
export async function mayReachClient(
  deps: { upstreams: Upstreams; acceptsStream: boolean },
  sender: Sender,
  request: RpcMessage,
): Promise<boolean> {
  if (await rejectUndeclared(deps, sender, request)) return false;
  if (deps.acceptsStream) return true;
  await rejectServerRequest(deps, sender, request, "The client doesn't support input requests.");
  return false;
}

/** Sends the server an error response to its request. Never throws. */
export async function rejectServerRequest(
  { upstreams }: { upstreams: Upstreams },
  { backend, owner }: Sender,
  { id }: RpcMessage,
  reason: string,
  code: number = RPC.invalidRequest,
): Promise<void> {
  const response = errorMessage(id as RequestId, new RpcError(code, reason));
  // The wait slows down a server that sends requests without end, and no other server.
  await upstreams
    .send(backend, owner, response, AbortSignal.timeout(SEND_TIMEOUT_MS))
    .catch(() => undefined);
}

/** Throws BlockedError. Returns null if the user has no access to the backend any more. */
async function applyOutputGuardrails(
  deps: SessionDeps,
  context: RequestContext,
  backendId: string,
  message: RpcMessage,
): Promise<RpcMessage | null> {
  const backends = await loadBackends(deps, context, backendId);
  const backend = backends.find((candidate) => candidate.backendId === backendId);
  if (backend === undefined) return null;
  const isResource = message.method === 'notifications/resources/updated';
  const isAllowed = isResource ? backend.evaluateAccess(null).allowed : backend.hasAnyAccess();
  if (!isAllowed) return null;
  const set = await deps.guardrails.get(context.caller.tenantId);
  const rules = set === null ? null : selectGuardrails(set, { backend, tool: null });
  return rules === null ? message : guardMessage(rules.output, message, noFindings());
}
