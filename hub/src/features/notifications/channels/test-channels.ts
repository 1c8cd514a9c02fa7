// A test alert to every enabled channel, sent by the process that asks and not by a hub's queue: for an operator who wants
// to know now whether alerts would arrive.
import { randomUUID } from 'node:crypto';
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import { type EnabledChannel, selectEnabledChannels } from './channel-store.ts';
import { claimDelivery, insertDeliveries, NO_DEVICE } from './delivery-store.ts';
import { formatAlert, testAlert } from './messages.ts';
import { recordOutcome } from './record-outcome.ts';
import { type SendDeps, send } from './send-message.ts';

export interface ChannelTestResult {
  tenant_id: string;
  route_id: string;
  kind: ChannelKind;
  name: string;
  ok: boolean;
  /** Without the URL and without what the other side wrote. */
  detail: string;
}

export interface ChannelTestDeps extends SendDeps {
  db: Db;
  /** How people reach the console. */
  origin: string;
  stopped: AbortSignal;
}

const AT_ONCE = 8;
const MESSAGE = "This is a test by the server's operator (doctor --prove). No action is needed.";

/** Sends a test message through each channel and records it in the channel's history. `tenantId` null: all tenants. */
export async function testChannels(
  deps: ChannelTestDeps,
  tenantId: string | null,
): Promise<ChannelTestResult[]> {
  const channels = await selectEnabledChannels(deps.db, tenantId);
  const trials: ChannelTestResult[] = [];
  let next = 0;
  const worker = async () => {
    while (!deps.stopped.aborted) {
      const at = next++;
      const channel = channels[at];
      if (channel === undefined) return;
      const { name, channel_id: route_id, ...facts } = channel;
      const outcome = await testChannel(deps, channel);
      trials[at] = { ...facts, route_id, name: toSingleLine(name), ...outcome };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  deps.stopped.throwIfAborted();
  return trials;
}

async function testChannel(
  deps: ChannelTestDeps,
  { tenant_id: tenantId, channel_id: channelId }: EnabledChannel,
): Promise<Pick<ChannelTestResult, 'ok' | 'detail'>> {
  const { db, stopped } = deps;
  const deliveryId = randomUUID();
  await transact(db, async (tx) => {
    await insertDeliveries(tx, { tenantId, deviceId: NO_DEVICE, isTest: true }, [
      {
        ...{ delivery_id: deliveryId, channel_id: channelId, alert_id: randomUUID() },
        ...{ severity: null, digest_id: null },
      },
    ]);
    await recordAudit(tx, {
      tenantId,
      actor: { kind: 'operator', id: 'doctor', email: null },
      operation: 'alert_route.test',
      resource: { kind: 'alert_route', id: channelId },
      requestId: null,
      detail: { delivery_id: deliveryId },
    });
  });
  const claim = await claimDelivery(db, tenantId, deliveryId);
  if (claim === null) return { ok: false, detail: 'the channel is not there any more' };
  const alert = testAlert({ alertId: claim.alert_id, deviceId: NO_DEVICE, at: claim.created_at });
  const words = formatAlert({
    tenantId,
    channel: { id: channelId, name: claim.name },
    consoleUrl: `${deps.origin}/console/t/${tenantId}/activity/alerts`,
    isTest: true,
    alert: { ...alert, message: MESSAGE },
  });
  const outcome = await send(deps, claim, words, stopped);
  // No second attempt: a test message that arrives hours later is of no use.
  await transact(db, (tx) => recordOutcome(tx, claim, outcome, null));
  return outcome.is === 'delivered'
    ? { ok: true, detail: outcome.note ?? 'taken' }
    : { ok: false, detail: outcome.error };
}
