// The outcome of an attempt, stored together with the health of its channel.
import { recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import {
  disableGoneChannel,
  type PreviousState,
  recordFailure,
  recordSuccess,
} from './channel-store.ts';
import { type Claim, finishDelivered, finishFailed, restoreDelivered } from './delivery-store.ts';
import { finishDigestAlerts } from './digest-store.ts';

export type DeliveryResult = (
  | { is: 'delivered' }
  | { is: 'failed' }
  /** To be tried again then. */
  | { is: 'retried'; at: Date }
) & {
  /** The state of the channel before the attempt; null if the attempt concerns no channel. */
  before: PreviousState | null;
};

/** The event was erased or its retention ended. The channel was not called, so that its health does not change. */
export const EVENT_REMOVED: Outcome = {
  is: 'failed',
  status: null,
  error: 'not sent: the event is no longer stored',
  retryAfterSeconds: null,
  gone: false,
  recipientsLeft: null,
  forbiddenBy: null,
};

/**
 * `seconds` to the next try after a failure; null: there is none. Gives null where nothing came of it: the claim was lost
 * meanwhile, or what is to be sent again had arrived and is not stored any more.
 */
export async function recordOutcome(
  tx: Tx,
  claim: Claim,
  outcome: Outcome,
  seconds: number | null,
): Promise<DeliveryResult | null> {
  const { tenant_id: tenantId, channel_id: channelId } = claim;
  const isDigest = claim.digest_alerts !== null;
  if (outcome.is === 'delivered') {
    if (!(await finishDelivered(tx, claim, outcome))) return null;
    const { status, note: error } = outcome;
    if (isDigest) {
      await finishDigestAlerts(tx, tenantId, claim.delivery_id, {
        state: 'delivered',
        status,
        error,
      });
    }
    return { is: 'delivered', before: await recordSuccess(tx, tenantId, channelId, status) };
  }
  if (outcome === EVENT_REMOVED && claim.delivered_at !== null) {
    await restoreDelivered(tx, claim, outcome.error);
    return null;
  }
  const end = await finishFailed(tx, claim, { ...outcome, seconds });
  if (end === undefined) return null;
  const { status, error } = outcome;
  const gaveUp = seconds === null;
  const before =
    outcome === EVENT_REMOVED
      ? null
      : await recordFailure(tx, tenantId, channelId, { status, error, gaveUp, at: new Date() });
  if (outcome.gone) await disable(tx, claim);
  if (end.next_attempt_at !== null) return { is: 'retried', at: end.next_attempt_at, before };
  if (isDigest) {
    await finishDigestAlerts(tx, tenantId, claim.delivery_id, { state: 'failed', status, error });
  }
  return { is: 'failed', before };
}

async function disable(tx: Tx, claim: Claim): Promise<void> {
  if (!(await disableGoneChannel(tx, claim.tenant_id, claim.channel_id))) return;
  await recordAudit(tx, {
    tenantId: claim.tenant_id,
    actor: { kind: 'hub', id: 'alert-delivery', email: null },
    operation: 'alert_route.disable',
    resource: { kind: 'alert_route', id: claim.channel_id },
    requestId: null,
    detail: { reason: 'the destination responded with 410 (gone)' },
  });
}
