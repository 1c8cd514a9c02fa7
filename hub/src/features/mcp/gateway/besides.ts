// What a server says besides its answers, on its way to a client: by the rules as they are at that moment, for a stream
// may be open for days.
import { missingCapability } from './asking.ts';
import { checkOutput, rulesFor, unguarded } from './checks.ts';
import { errorMessage, type Id, isRequest, RPC, type Rpc, RpcError } from './messages.ts';
import type { Backend, Owner } from './targets.ts';
import type { Upstreams } from './upstreams.ts';
import { backendsFor, type GatewayDeps, type Visit } from './visit.ts';

const TELL_MS = 10_000;

/** The message as its client may have it; null: it may not. A question that nobody hears is refused for it. */
export async function besides(
  deps: GatewayDeps,
  visit: Visit,
  { backend, owner }: { backend: Backend; owner: Owner },
  message: Rpc,
): Promise<Rpc | null> {
  if (isRequest(message) && (await refuseUndeclared(deps, { backend, owner }, message)))
    return null;
  // Blocked, or the rules cannot be read: it does not pass, and the stream stays.
  const passed = await permitted(deps, visit, backend.backendId, message).catch(() => null);
  if (passed === null && isRequest(message)) {
    await refuseQuestion(deps, { backend, owner }, message, 'The gateway blocked this message.');
  }
  return passed;
}

/**
 * Refuses a server's request for which the client did not declare the capability: a client that does not know it would
 * never answer. False where the request may go on to the client.
 */
async function refuseUndeclared(
  deps: { upstreams: Upstreams },
  from: { backend: Backend; owner: Owner },
  request: Rpc,
): Promise<boolean> {
  const missing = missingCapability(from.owner, request);
  if (missing === null) return false;
  const why = `The client does not support ${missing}.`;
  await refuseQuestion(deps, from, request, why, RPC.methodNotFound);
  return true;
}

/** Whether a server's request may be sent to the client; else the server is told why not. */
export async function mayReachClient(
  scene: { upstreams: Upstreams; takesStream: boolean },
  from: { backend: Backend; owner: Owner },
  request: Rpc,
): Promise<boolean> {
  if (await refuseUndeclared(scene, from, request)) return false;
  if (scene.takesStream) return true;
  await refuseQuestion(scene, from, request, "The client doesn't support input requests.");
  return false;
}

/** Tells the server that its question is not answered. Never throws. */
export async function refuseQuestion(
  { upstreams }: { upstreams: Upstreams },
  { backend, owner }: { backend: Backend; owner: Owner },
  { id }: Rpc,
  why: string,
  code: number = RPC.invalidRequest,
): Promise<void> {
  const refused = errorMessage(id as Id, new RpcError(code, why));
  // It is waited for: a server that asks without end is slowed by that, and nobody else.
  await upstreams
    .tell(backend, owner, refused, AbortSignal.timeout(TELL_MS))
    // A server that does not take the answer waits as long as it likes.
    .catch(() => undefined);
}

/** Throws Blocked. */
async function permitted(
  deps: GatewayDeps,
  visit: Visit,
  backendId: string,
  message: Rpc,
): Promise<Rpc | null> {
  const backend = (await backendsFor(deps, visit, backendId)).find(
    (one) => one.backendId === backendId,
  );
  if (backend === undefined) return null;
  const isResource = message.method === 'notifications/resources/updated';
  if (!(isResource ? backend.ruled(null).allowed : backend.reaches())) return null;
  const set = await deps.callRules.of(visit.caller.tenantId);
  const rules = set === null ? null : rulesFor(set, { backend, tool: null });
  return rules === null ? message : checkOutput(rules.output, message, unguarded());
}
