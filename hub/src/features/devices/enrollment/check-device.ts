// Validates that a token may act for a device. Pure.
import type { AgentPrincipal } from '../../../platform/auth/agent.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';

/**
 * Checks the device a request names against the header and the token. `bound` is true once a device token was
 * issued for it: from then on only that device's own token names it, and only for its subscriber.
 */
export function checkDevice(
  agent: AgentPrincipal,
  deviceId: string,
  state: { token_bound: boolean; subscriber_id: string; retired: boolean } | null,
): void {
  const named = deviceId.toLowerCase();
  if (state?.retired === true) throw new HubError('device_retired');
  if (agent.deviceId !== null && agent.deviceId !== named) {
    throw new HubError('invalid_device_id', '/device/device_id does not match X-Device-ID.');
  }
  const own = agent.token.deviceId;
  if (own !== null && own !== named) throw new HubError('device_token_required');
  if (own !== null && agent.token.subscriberId !== agent.subscriberId) {
    throw new HubError('subscriber_mismatch');
  }
  if (state?.token_bound !== true) return;
  if (own === null) throw new HubError('device_token_required');
  if (state.subscriber_id !== agent.subscriberId) throw new HubError('subscriber_mismatch');
}
