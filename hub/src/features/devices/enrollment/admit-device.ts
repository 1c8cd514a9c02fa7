// The first step of every POST of a device: its row exists, is locked, and the request may speak for it.
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { AgentPrincipal } from '../../../platform/auth/agent.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { checkDevice } from './check-device.ts';
import { type DeviceState, upsertDevice } from './store.ts';

/**
 * Enrols or refreshes the device in the caller's transaction. Throws `invalid_device_id`, `device_token_required` or
 * `subscriber_mismatch`; the transaction then takes everything back.
 */
export async function admitDevice(
  tx: Tx,
  agent: AgentPrincipal,
  facts: WireDevice,
  now: Date,
): Promise<DeviceState & { is_new: boolean }> {
  const state = await upsertDevice(tx, {
    tenantId: agent.tenantId,
    subscriberId: agent.subscriberId,
    facts,
    now,
  });
  checkDevice(agent, facts.device_id, state);
  if (state.has_moved) {
    const keys = [`${agent.tenantId}/${state.device_id}`];
    await notify(tx, { kind: 'forget', cache: 'device', keys });
  }
  return state;
}
