// In one word how the agent is: what the icon shows and the window's heading says. Pure; pages use it as well.
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';

export const STATES = ['ok', 'attention', 'paused', 'away'] as const;
export type TrayState = (typeof STATES)[number];

/** Null: no service answers. */
export function stateOf(status: AgentStatus | null): TrayState {
  if (status === null) return 'away';
  if (status.pause.until !== null) return 'paused';
  const isTroubled =
    !status.hub.reachable || status.enforcement === 'off' || status.breaker === 'open';
  return isTroubled ? 'attention' : 'ok';
}
