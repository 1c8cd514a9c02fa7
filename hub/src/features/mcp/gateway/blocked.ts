// A call that must not be made: the caller is told why, and by what an administrator finds it in the log.
import type { Decision } from '../rules/index.ts';
import { Blocked } from './messages.ts';

/** `callId` is what `C/mcp/tool-calls?request_id=` finds the row by; null: of what is no call of a tool there is none. */
export function notForThem(
  what: string,
  reason: string,
  why: string,
  callId: string | null,
): Blocked {
  const request = callId === null ? '' : ` Request ${callId}.`;
  return new Blocked(`${what} may not be used here: ${why}.${request}`, { reason });
}

/** What a rule means for whom it keeps out; who else it names is nobody's business. */
export function ruleWords({ why, rule }: Extract<Decision, { allowed: false }>): string {
  const said = rule.reason === null ? '' : ` (${rule.reason.slice(0, 300)})`;
  return why === 'denied'
    ? `a rule of your company denies it${said}`
    : `by a rule of your company it is for others only${said}`;
}
