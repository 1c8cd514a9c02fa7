// Stores the outcome of an attempt together with the health of its channel.
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
  /** The next attempt is at this time. */
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
 * Stores the outcome. `seconds` until the next attempt after a failure; null: there is none. Returns null if nothing
 * changed: the claim was lost meanwhile, or a replayed delivery had arrived before and its event is removed.
 */
export async function recordOutcome(
  tx: Tx,
  claim: Claim,
  outcome: Outcome,
  seconds: number | null,
): Promise<DeliveryResult | null> {
  if (outcome.is === 'failed' && outcome === EVENT_REMOVED && claim.delivered_at !== null) {
    await restoreDelivered(tx, claim, outcome.error);
    return null;
  }
  if (outcome.is === 'delivered') {
    if (!(await finishDelivered(tx, claim, outcome))) return null;
    await finishDigest(tx, claim, 'delivered', { ...outcome, error: outcome.note });
    return { is: 'delivered', before: await recordHealth(tx, claim, outcome, false) };
  }
  const end = await finishFailed(tx, claim, { ...outcome, seconds });
  if (end === undefined) return null;
  const before = await recordHealth(tx, claim, outcome, seconds === null);
  if (outcome.gone) await disableChannel(tx, claim);
  if (end.next_attempt_at !== null) return { is: 'retried', at: end.next_attempt_at, before };
  await finishDigest(tx, claim, 'failed', outcome);
  return { is: 'failed', before };
}

/** Stores the health of the channel. Returns its previous state; null if no channel was called. */
async function recordHealth(
  tx: Tx,
  { tenant_id: tenantId, channel_id: id }: Claim,
  outcome: Outcome,
  gaveUp: boolean,
): Promise<PreviousState | null> {
  if (id === null || outcome === EVENT_REMOVED) return null;
  if (outcome.is === 'delivered') return recordSuccess(tx, tenantId, id, outcome.status);
  const { status, error } = outcome;
  return recordFailure(tx, tenantId, id, { status, error, gaveUp, at: new Date() });
}

async function finishDigest(
  tx: Tx,
  claim: Claim,
  state: 'delivered' | 'failed',
  { status, error }: { status: number | null; error: string | null },
): Promise<void> {
  if (claim.digest_alerts === null) return;
  await finishDigestAlerts(tx, claim.tenant_id, claim.delivery_id, { state, status, error });
}

/** Disables a channel whose target answered 410, with an audit event. */
async function disableChannel(
  tx: Tx,
  { tenant_id: tenantId, channel_id: id }: Claim,
): Promise<void> {
  if (id === null || !(await disableGoneChannel(tx, tenantId, id))) return;
  await recordAudit(tx, {
    tenantId,
    actor: { kind: 'hub', id: 'alert-delivery', email: null },
    operation: 'alert_route.disable',
    resource: { kind: 'alert_route', id },
    requestId: null,
    detail: { reason: 'the destination responded with 410 (gone)' },
  });
}
