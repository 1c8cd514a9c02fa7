// Delivers app alerts: a job claims a delivery, makes an attempt by mail or webhook, and stores the result.
import { deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import { transact } from '../../../platform/db/database.ts';
import {
  attempt,
  failed,
  type Outcome,
  postMessage,
  sendMail,
} from '../../../platform/delivery/attempt.ts';
import { postChat } from '../../../platform/delivery/chat/post.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import { type DeliveryJob, runDelivery } from '../../../platform/delivery/run-delivery.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { chatMessage, mailText, webhookText } from './messages.ts';
import {
  type AppClaim,
  claimAppDelivery,
  finishAppDelivery,
  type NewDelivery,
  releaseAppDelivery,
} from './store.ts';
import type { AppAlertDeps } from './types.ts';

const ATTEMPT_MS = 5_000;
const MAIL_ATTEMPT_MS = 15_000;

/** The concurrency key is the target of an app: while it hangs, other targets of the app are served. */
export const toQueueItem = (tenantId: string, appId: string, delivery: NewDelivery) => ({
  data: { tenant_id: tenantId, delivery_id: delivery.delivery_id },
  concurrencyKey: `${appId} ${delivery.kind} ${delivery.target}`,
  deduplicationKey: delivery.delivery_id,
  owner: tenantId,
});

/** Makes an attempt of a delivery. See `runDelivery` for the steps. */
export const deliver = (
  deps: AppAlertDeps,
  queue: () => Queue<DeliveryJob>,
  job: DeliveryJob,
  shutdown: AbortSignal,
): Promise<void> =>
  runDelivery(
    {
      db: deps.db,
      peers: deps.peers,
      queue,
      claim: ({ tenant_id, delivery_id }) => claimAppDelivery(deps.db, tenant_id, delivery_id),
      send: (claim, signal) => send(deps, claim, signal),
      release: releaseAppDelivery,
      settle: (claim, outcome) => settle(deps, queue(), claim, outcome),
    },
    job,
    shutdown,
  );

/** Stores the outcome and the job of the next attempt in the same transaction. */
async function settle(
  deps: AppAlertDeps,
  queue: Queue<DeliveryJob>,
  claim: AppClaim,
  outcome: Outcome,
): Promise<void> {
  const isDelivered = outcome.is === 'delivered';
  const seconds =
    isDelivered || outcome.gone
      ? null
      : secondsToNextAttempt(claim.attempts, outcome.retryAfterSeconds, Math.random());
  const nextAt = seconds === null ? null : new Date(Date.now() + seconds * 1000);
  const state = isDelivered ? 'delivered' : nextAt === null ? 'failed' : 'pending';
  const isStored = await transact(deps.db, async (tx) => {
    const { status } = outcome;
    const error = isDelivered ? outcome.note : outcome.error;
    if (!(await finishAppDelivery(tx, claim, { state, status, error, nextAt }))) return false;
    if (nextAt !== null) {
      const item = toQueueItem(claim.tenant_id, claim.app_id, claim);
      await queue.enqueue(tx, [{ ...item, startAfter: nextAt }]);
    }
    return true;
  });
  if (!isStored) return;
  deps.metrics.alertDeliveries.inc({
    kind: `app_${claim.kind}`,
    outcome: state === 'pending' ? 'retried' : state,
  });
  if (!isDelivered) logFailure(deps, claim, outcome.error, state);
}

function logFailure(deps: AppAlertDeps, claim: AppClaim, reason: string, state: string): void {
  deps.log.warn(
    { event: 'app_alert_not_delivered', tenant: claim.tenant_id, app: claim.app_id, reason },
    state === 'failed'
      ? 'dropped an alert of an app after the last attempt'
      : 'could not deliver an alert of an app, will retry',
  );
}

function send(deps: AppAlertDeps, claim: AppClaim, shutdown: AbortSignal): Promise<Outcome> {
  const { facts, target, tenant_id: tenantId, app_id: appId, delivery_id: id } = claim;
  if (claim.kind === 'email') {
    const { mail } = deps;
    return attempt(MAIL_ATTEMPT_MS, shutdown, async (signal) =>
      mail === null
        ? failed({ error: 'the server has no mail server configured', forbiddenBy: 'HUB_SMTP_URL' })
        : sendMail(mail, { to: [target], ...mailText(facts), id }, signal),
    );
  }
  return attempt(ATTEMPT_MS, shutdown, async (signal) => {
    const webhook = await deps.webhookOf(tenantId, appId, target);
    if (webhook === null) return failed({ error: "the app's webhook was removed", gone: true });
    const { url } = webhook;
    // Equal for every attempt, so that a receiver can recognize a repetition.
    const headers = { 'webhook-id': `msg_${id}` };
    if (webhook.type === 'vendorL') {
      const format = deriveChatFormat(new URL(url));
      const message = chatMessage(tenantId, facts);
      return postChat(deps.outbound, { url, format, headers }, message, signal);
    }
    const body = webhookText(tenantId, facts);
    return postMessage(deps.outbound, url, { headers, body }, signal);
  });
}
