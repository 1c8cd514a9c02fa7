// Summarizes the agent's state in a word, for the icon and the window's heading. Pure; pages use it as well.
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';

export const STATES = ['ok', 'attention', 'paused', 'away'] as const;
export type TrayState = (typeof STATES)[number];

/** `unknown`: nothing was asked yet since the service started; `refused`: the hub is there, and takes nothing of this device. */
export function hubStateOf({
  reachable,
  last_error,
}: AgentStatus['hub']): 'reached' | 'refused' | 'away' | 'unknown' {
  if (reachable) return /^40[13] /.test(last_error ?? '') ? 'refused' : 'reached';
  return last_error === null ? 'unknown' : 'away';
}

/** Null: no service answers. */
export function stateOf(status: AgentStatus | null): TrayState {
  if (status === null) return 'away';
  if (status.pause.until !== null) return 'paused';
  const isTroubled =
    ['refused', 'away'].includes(hubStateOf(status.hub)) ||
    status.enforcement === 'off' ||
    status.breaker === 'open';
  return isTroubled ? 'attention' : 'ok';
}
