// What must not be done: the caller is told why, and of a call by what an administrator finds it in the log.
import type { Decision } from '../rules/index.ts';
import { Blocked } from './messages.ts';

export function notForThem(what: string, reason: string, why: string): Blocked {
  return new Blocked(`${what} isn't available to you: ${why}.`, { reason });
}

/**
 * The same of a call, with what `C/mcp/tool-calls?request_id=` finds its row by: in the words too, for they are all that
 * most clients show, and all of it that the export holds.
 */
export function blockedCall({ message, data }: Blocked, callId: string): Blocked {
  const more = { ...(data as object | undefined), request_id: callId };
  return new Blocked(`${message} Request ${callId}.`, more);
}

/** What a rule means for whom it keeps out; who else it names is nobody's business. */
export function ruleWords({ why, rule }: Extract<Decision, { allowed: false }>): string {
  const said = rule.reason === null ? '' : ` (${rule.reason.slice(0, 300)})`;
  return why === 'denied'
    ? `an access rule of your organization denies it${said}`
    : `an access rule of your organization allows it for others only${said}`;
}
