// The outcome of an attempt, stored together with the health of its channel.
import { recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import { type Claim, finishAsBefore, finishDelivered, finishFailed } from './delivery-store.ts';
import { finishParts } from './digest-store.ts';
import { disableGone, noteArrival, noteFailure, type PreviousState } from './store.ts';

export type Ending = (
  | { is: 'delivered' }
  | { is: 'failed' }
  /** To be tried again then. */
  | { is: 'retried'; at: Date }
) & {
  /** The state of the channel before the attempt; null if the attempt concerns no channel. */
  before: PreviousState | null;
};

/** The event was erased or its retention ended. The channel was not called, so that its health does not change. */
export const NOTHING_LEFT: Outcome = {
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
export async function storeOutcome(
  tx: Tx,
  claim: Claim,
  outcome: Outcome,
  seconds: number | null,
): Promise<Ending | null> {
  const { tenant_id: tenantId, route_id: routeId } = claim;
  const isDigest = claim.digest_alerts !== null;
  if (outcome.is === 'delivered') {
    if (!(await finishDelivered(tx, claim, outcome))) return null;
    const { status, note: error } = outcome;
    if (isDigest) {
      await finishParts(tx, tenantId, claim.delivery_id, { state: 'delivered', status, error });
    }
    return { is: 'delivered', before: await noteArrival(tx, tenantId, routeId, status) };
  }
  if (outcome === NOTHING_LEFT && claim.delivered_at !== null) {
    await finishAsBefore(tx, claim, outcome.error);
    return null;
  }
  const end = await finishFailed(tx, claim, { ...outcome, seconds });
  if (end === undefined) return null;
  const { status, error } = outcome;
  const gaveUp = seconds === null;
  const before =
    outcome === NOTHING_LEFT
      ? null
      : await noteFailure(tx, tenantId, routeId, { status, error, gaveUp, at: new Date() });
  if (outcome.gone) await disable(tx, claim);
  if (end.next_attempt_at !== null) return { is: 'retried', at: end.next_attempt_at, before };
  if (isDigest) {
    await finishParts(tx, tenantId, claim.delivery_id, { state: 'failed', status, error });
  }
  return { is: 'failed', before };
}

async function disable(tx: Tx, claim: Claim): Promise<void> {
  if (!(await disableGone(tx, claim.tenant_id, claim.route_id))) return;
  await recordAudit(tx, {
    tenantId: claim.tenant_id,
    actor: { kind: 'hub', id: 'alert-delivery', email: null },
    operation: 'alert_route.disable',
    resource: { kind: 'alert_route', id: claim.route_id },
    requestId: null,
    detail: { reason: 'the destination responded with 410 (gone)' },
  });
}
