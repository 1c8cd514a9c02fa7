// Step guardInput: guardrails scan the parameters of a request before its server receives them.
import {
  type GuardrailFindings,
  type GuardrailSet,
  type Guardrails,
  rejectBlocked,
  scanContent,
  scanSide,
  selectGuardrails,
  toVerdict,
} from '../guardrails/index.ts';
import { splitMeta } from '../protocol/index.ts';
import { isSealedByGateway } from './call-state.ts';
import type { CallTrace } from './call-trace.ts';
import { loggedArguments, type ResolvedCall } from './context.ts';

/** Returns the parameters as the server may receive them. Records the findings. Throws BlockedError. */
export function guardInput(
  { input }: GuardrailSet,
  { params, tool }: ResolvedCall,
  findings: GuardrailFindings,
): Record<string, unknown> {
  findings.isInputScanned = true;
  if (input.length === 0) return params;
  const { _meta, requestState, ...content } = params;
  // The name of a tool, the URI of a resource and a state are scanned, but never redacted: they identify the request.
  const { name, uri, ref } = content;
  const { protocol, own } = splitMeta(_meta);
  // The gateway did not seal a foreign state, so it may contain anything.
  const isForeignState = typeof requestState === 'string' && !isSealedByGateway(params);
  const scannedContent = {
    ...content,
    ...(own === null ? {} : { _meta: own }),
    ...(isForeignState ? { requestState } : {}),
  };
  const { value, masked, predictions } = scanSide(scannedContent, input, findings, 'input');
  findings.input = toVerdict(predictions);
  const logged = findings.input.outcome === 'blocked' ? masked : value;
  findings.arguments = loggedArguments(tool, logged as Record<string, unknown>);
  rejectBlocked(predictions, 'the call');
  const redacted = value as Record<string, unknown>;
  const meta = own === null ? _meta : { ...protocol, ...(redacted._meta as object) };
  const identifiers = Object.entries({ name, uri, ref, requestState, _meta: meta });
  return {
    ...redacted,
    ...Object.fromEntries(identifiers.filter(([, identifier]) => identifier !== undefined)),
  };
}

/**
 * Redacts the logged arguments of a request that was refused before guardInput: its row must not contain what a guardrail
 * keeps from the server. Arguments that cannot be scanned are removed.
 */
export async function redactLoggedArguments(
  guardrails: Guardrails,
  tenantId: string,
  trace: CallTrace,
): Promise<void> {
  const { findings, backend, tool } = trace;
  if (backend === null || findings?.isInputScanned === true) return;
  const redact = async (sent: unknown): Promise<unknown> => {
    const set = await guardrails.get(tenantId);
    if (set === null) return sent;
    const target = { backend: { backendId: backend.backend_id ?? '' }, tool };
    const input = selectGuardrails(set, target)?.input ?? [];
    return input.length === 0 ? sent : scanContent(sent, input).masked;
  };
  trace.arguments = await redact(trace.arguments).catch(() => null);
  if (findings !== null) findings.arguments = trace.arguments;
}
