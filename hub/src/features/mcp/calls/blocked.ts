// Errors for requests that a policy refuses, with the reason for the caller.
import type { Decision } from '../access-policies/index.ts';
import { BlockedError } from '../protocol/index.ts';

/** Returns the error for a tool or server that is not available to the caller. */
export function notAvailable(subject: string, code: string, reason: string): BlockedError {
  return new BlockedError(`${subject} isn't available to you: ${reason}.`, { reason: code });
}

/**
 * Adds the request id by which `C/mcp/tool-calls?request_id=` finds the log row. The message contains the id too, because most
 * clients and the export show nothing else.
 */
export function withRequestId({ message, data }: BlockedError, requestId: string): BlockedError {
  const details = { ...(data as object | undefined), request_id: requestId };
  return new BlockedError(`${message} Request ${requestId}.`, details);
}

/** Describes the policy that denies access. The other users of the policy are confidential. */
export function describePolicy({ why, rule }: Extract<Decision, { allowed: false }>): string {
  const reason = rule.reason === null ? '' : ` (${rule.reason.slice(0, 300)})`;
  return why === 'denied'
    ? `an access rule of your organization denies it${reason}`
    : `an access rule of your organization allows it for others only${reason}`;
}
