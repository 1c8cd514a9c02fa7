// What the log keeps of a call that was refused before guardrails looked at its arguments: what they would have kept
// from the server, they keep from the row too.
import { type Rules, scanned } from '../call-rules/index.ts';
import { rulesFor } from './checks.ts';
import type { CallTrace } from './methods.ts';

/** Replaces in the trace what a rule would have found. */
export async function hideArguments(
  callRules: Rules,
  tenantId: string,
  trace: CallTrace,
): Promise<void> {
  const { guarded, backend, tool } = trace;
  if (backend === null || guarded?.isLookedAt === true) return;
  const hide = async (sent: unknown): Promise<unknown> => {
    const set = await callRules.of(tenantId);
    const at = { backendId: backend.backend_id ?? '', name: backend.name };
    const input = set === null ? [] : (rulesFor(set, { backend: at, tool })?.input ?? []);
    return input.length === 0 ? sent : scanned(sent, input).masked;
  };
  // Too large to be looked at, or nobody knows by which rules: the row does without.
  trace.arguments = await hide(trace.arguments).catch(() => null);
  if (guarded !== null) guarded.arguments = trace.arguments;
}
