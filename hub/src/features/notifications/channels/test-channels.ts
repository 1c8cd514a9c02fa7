// Tests enabled channels from the calling process instead of a hub's queue, so that an operator gets the results at once.
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import { type EnabledChannel, selectEnabledChannels } from './channel-store.ts';
import { claimDelivery, insertTest, NO_DEVICE } from './delivery-store.ts';
import { formatAlert, testAlert } from './messages.ts';
import { recordOutcome } from './record-outcome.ts';
import { type SendDeps, send } from './send-message.ts';

/** The result of a test, as the report of `doctor --prove` contains it. */
export interface ChannelTestResult {
  tenant_id: string;
  route_id: string;
  kind: ChannelKind;
  name: string;
  ok: boolean;
  /** The outcome, without the URL and the content of the response. */
  detail: string;
}

export interface ChannelTestDeps extends Omit<SendDeps, 'loadAppWebhook'> {
  db: Db;
  /** The console's URL without a path. */
  origin: string;
  stopped: AbortSignal;
}

const CONCURRENCY = 8;
const MESSAGE = "This is a test by the server's operator (doctor --prove). No action is needed.";

/** Sends a test through each enabled channel and records it in the channel's history. `tenantId` null: all tenants. */
export async function testChannels(
  deps: ChannelTestDeps,
  tenantId: string | null,
): Promise<ChannelTestResult[]> {
  const channels = await selectEnabledChannels(deps.db, tenantId);
  const results: ChannelTestResult[] = [];
  let next = 0;
  const worker = async () => {
    while (!deps.stopped.aborted) {
      const at = next++;
      const channel = channels[at];
      if (channel === undefined) return;
      const { name, channel_id: route_id, ...facts } = channel;
      const outcome = await testChannel(deps, channel);
      results[at] = { ...facts, route_id, name: toSingleLine(name), ...outcome };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  deps.stopped.throwIfAborted();
  return results;
}

async function testChannel(
  deps: ChannelTestDeps,
  { tenant_id: tenantId, channel_id: channelId }: EnabledChannel,
): Promise<Pick<ChannelTestResult, 'ok' | 'detail'>> {
  const { db, stopped } = deps;
  const deliveryId = await transact(db, async (tx) => {
    const id = await insertTest(tx, tenantId, channelId);
    await recordAudit(tx, {
      tenantId,
      actor: { kind: 'operator', id: 'doctor', email: null },
      operation: 'alert_route.test',
      resource: { kind: 'alert_route', id: channelId },
      requestId: null,
      detail: { delivery_id: id },
    });
    return id;
  });
  const claim = await claimDelivery(db, tenantId, deliveryId);
  if (claim === null || claim.channel_id === null) {
    return { ok: false, detail: 'the channel was deleted' };
  }
  const alert = testAlert({ alertId: claim.alert_id, deviceId: NO_DEVICE, at: claim.created_at });
  const formats = formatAlert({
    tenantId,
    channel: { id: channelId, name: claim.name },
    consoleUrl: `${deps.origin}/console/t/${tenantId}/activity/alerts`,
    isTest: true,
    alert: { ...alert, message: MESSAGE },
  });
  const outcome = await send(
    { ...deps, loadAppWebhook: async () => null },
    claim,
    formats,
    stopped,
  );
  // A failed test is not retried: a test that arrives hours later is of no use.
  await transact(db, (tx) => recordOutcome(tx, claim, outcome, null));
  return outcome.is === 'delivered'
    ? { ok: true, detail: outcome.note ?? 'delivered' }
    : { ok: false, detail: outcome.error };
}
