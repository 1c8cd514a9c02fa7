// Responses and notifications of a legacy client for a server, outside of its calls. Guardrails for input apply to them too.
import { guardMessage, noFindings, selectGuardrails } from '../guardrails/index.ts';
import { BlockedError, type RpcMessage } from '../protocol/index.ts';
import type { Backend, SessionOwner } from '../upstream/index.ts';
import { rejectServerRequest } from './filter-server-message.ts';
import type { RequestContext, SessionDeps } from './request-context.ts';

const SEND_TIMEOUT_MS = 10_000;

/**
 * Sends a response or notification to the server that sent a request. The message names no tool, so the guardrails for all
 * tools apply. The server waits for a response, so a blocked message is replaced by an error.
 */
export async function sendToServer(
  deps: SessionDeps,
  { caller }: RequestContext,
  { backend, owner }: { backend: Backend; owner: SessionOwner },
  message: RpcMessage,
): Promise<void> {
  // Any client can invent such an id, so a client without access to the server sends nothing.
  if (!backend.hasAnyAccess()) return;
  const set = await deps.guardrails.get(caller.tenantId);
  const rules = set === null ? null : selectGuardrails(set, { backend, tool: null });
  try {
    const guarded = rules === null ? message : guardMessage(rules.input, message, noFindings());
    if (guarded === null) return;
    await deps.upstreams.send(backend, owner, guarded, AbortSignal.timeout(SEND_TIMEOUT_MS));
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
    await rejectServerRequest(
      deps,
      { backend, owner },
      message,
      'The gateway blocked the response.',
    );
  }
}
