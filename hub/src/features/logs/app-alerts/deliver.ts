// Delivers app alerts: a job claims a delivery, makes an attempt by mail or webhook, and stores the result.
import { deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import { type Tx, transact } from '../../../platform/db/database.ts';
import {
  attempt,
  failed,
  type Outcome,
  postMessage,
  sendMail,
} from '../../../platform/delivery/attempt.ts';
import { postChat } from '../../../platform/delivery/chat/post.ts';
import {
  HAND_OVER_RETRY_MS,
  handOverJob,
  isHandedOverBy,
} from '../../../platform/delivery/hand-over.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { chatMessage, mailText, webhookText } from './messages.ts';
import {
  type AppClaim,
  claimAppDelivery,
  finishAppDelivery,
  type NewDelivery,
  releaseAppDelivery,
} from './store.ts';
import type { AppAlertDeps, DeliveryJob } from './types.ts';

const ATTEMPT_MS = 5_000;
const MAIL_ATTEMPT_MS = 15_000;

/** The concurrency key is the target of an app: while it hangs, other targets of the app are served. */
export const toQueueItem = (tenantId: string, appId: string, delivery: NewDelivery) => ({
  data: { tenant_id: tenantId, delivery_id: delivery.delivery_id },
  concurrencyKey: `${appId} ${delivery.kind} ${delivery.target}`,
  deduplicationKey: delivery.delivery_id,
  owner: tenantId,
});

/** Makes an attempt of a delivery, and queues the next attempt after a failure. */
export async function deliver(
  deps: AppAlertDeps,
  queue: () => Queue<DeliveryJob>,
  job: DeliveryJob,
  shutdown: AbortSignal,
): Promise<void> {
  const enqueueLeft = (tx: Tx, left: DeliveryJob, startAfter?: Date) =>
    queue().enqueue(tx, [{ ...toHandedOverItem(left), ...(startAfter && { startAfter }) }]);
  if (isHandedOverBy(deps.peers, job)) {
    const later = new Date(Date.now() + HAND_OVER_RETRY_MS);
    return transact(deps.db, (tx) => enqueueLeft(tx, job, later));
  }
  const claim = await claimAppDelivery(deps.db, job.tenant_id, job.delivery_id);
  if (claim === null) return;
  const outcome = await send(deps, claim, shutdown);
  const left = await handOverJob(deps.peers, job, outcome);
  if (left !== null) {
    return transact(deps.db, async (tx) => {
      if (await releaseAppDelivery(tx, claim)) await enqueueLeft(tx, left);
    });
  }
  const isDelivered = outcome.is === 'delivered';
  const seconds =
    isDelivered || outcome.gone
      ? null
      : secondsToNextAttempt(claim.attempts, outcome.retryAfterSeconds, Math.random());
  const nextAt = seconds === null ? null : new Date(Date.now() + seconds * 1000);
  const state = isDelivered ? 'delivered' : nextAt === null ? 'failed' : 'pending';
  const counts = await transact(deps.db, async (tx) => {
    const { status } = outcome;
    const error = isDelivered ? outcome.note : outcome.error;
    if (!(await finishAppDelivery(tx, claim, { state, status, error, nextAt }))) return false;
    if (nextAt !== null) {
      const item = toQueueItem(claim.tenant_id, claim.app_id, claim);
      await queue().enqueue(tx, [{ ...item, startAfter: nextAt }]);
    }
    return true;
  });
  if (!counts) return;
  deps.metrics.alertDeliveries.inc({
    kind: `app_${claim.kind}`,
    outcome: state === 'pending' ? 'retried' : state,
  });
  if (!isDelivered) {
    deps.log.warn(
      {
        event: 'app_alert_not_delivered',
        tenant: claim.tenant_id,
        app: claim.app_id,
        reason: outcome.error,
      },
      state === 'failed'
        ? 'dropped an alert of an app after the last attempt'
        : 'could not deliver an alert of an app, will retry',
    );
  }
}

const toHandedOverItem = (job: DeliveryJob) => ({
  data: job,
  concurrencyKey: `${job.delivery_id} left`,
  deduplicationKey: `${job.delivery_id} left`,
  owner: job.tenant_id,
});

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
