// Step authorizeTool: the tool must be offered by the backend's tool rules, and an access policy must allow it to the caller.
import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import { matchesToolRules } from '../access-policies/index.ts';
import { describePolicy, notAvailable } from './blocked.ts';
import type { CallTrace } from './call-trace.ts';
import type { ResolvedCall } from './context.ts';

/** Records the decision in the trace. Throws BlockedError if the caller may not use the tool or the server. */
export function authorizeTool({ backend, tool }: ResolvedCall, trace: CallTrace | null): void {
  const subject = subjectOf({ backend, tool });
  if (tool !== null && !matchesToolRules(tool, backend.tools)) {
    recordAccess(trace, backend.version, 'tool_not_offered');
    throw notAvailable(subject, 'tool_not_offered', "it isn't offered");
  }
  const decision = backend.evaluateAccess(tool);
  recordAccess(trace, backend.version, decision.why, decision.rule?.rule_id ?? null);
  if (!decision.allowed) throw notAvailable(subject, decision.why, describePolicy(decision));
}

/** Returns the subject of a sentence about the tool, or about the server for other requests. */
export const subjectOf = ({ backend, tool }: Pick<ResolvedCall, 'backend' | 'tool'>) =>
  tool === null ? `The MCP server "${backend.name}"` : `The tool "${tool}"`;

/** Records the reason for which a request was allowed or refused. */
export function recordAccess(
  trace: CallTrace | null,
  backendVersion: number,
  why: AccessReason['why'],
  ruleId: string | null = null,
): void {
  if (trace !== null) trace.access = { why, rule_id: ruleId, backend_version: backendVersion };
}
