// Runs the job of a delivery: claim → render the message → send → store the outcome with the job of the next attempt.
import type { Logger } from 'pino';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import { type DeliveryJob, runDelivery } from '../../../platform/delivery/run-delivery.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import type { Peers } from '../../../platform/peers.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { formatAccessRequest, type SentRequest } from './access-request-messages.ts';
import { formatBudgetNotice, type SentBudgetNotice } from './budget-messages.ts';
import { type Claim, claimDelivery, releaseDelivery } from './delivery-store.ts';
import { formatDigest } from './digest-messages.ts';
import { selectDigest } from './digest-store.ts';
import { maxAlertsShown } from './digests.ts';
import type { FailingChannels } from './failing-channels.ts';
import type { LogHealthChange } from './health-log.ts';
import { formatAlert, type MessageFormats, type SentAlert, testAlert } from './messages.ts';
import { targetKey, toQueueItem } from './queue-items.ts';
import { EVENT_REMOVED, recordOutcome } from './record-outcome.ts';
import { type SendDeps, send } from './send-message.ts';

export interface MessageDeps {
  db: Db;
  /** The console's URL without a path. */
  origin: string;
  /** Returns the stored alerts in the order of their ids. */
  selectAlerts(
    db: Db,
    tenantId: string,
    ids: readonly { alert_id: string; device_id: string }[],
  ): Promise<SentAlert[]>;
  /** Returns the stored access request, or null. */
  selectRequest(db: Db, tenantId: string, accessRequestId: string): Promise<SentRequest | null>;
  /** Returns null for a deleted notice. */
  selectBudgetNotice(db: Db, tenantId: string, noticeId: string): Promise<SentBudgetNotice | null>;
  /** Formats an alert of a gateway app from the facts that were stored with its delivery. */
  formatAppAlert(tenantId: string, facts: object): MessageFormats;
}

export interface DeliverDeps extends SendDeps, MessageDeps {
  log: Logger;
  metrics: Metrics;
  pages: PageEvents;
  peers: Peers;
  logHealthChange: LogHealthChange;
  failing: FailingChannels;
}

/** Makes an attempt of a delivery. See `runDelivery` for the steps. */
export const deliver = (
  deps: DeliverDeps,
  queue: () => Queue<DeliveryJob>,
  job: DeliveryJob,
  shutdown: AbortSignal,
): Promise<void> =>
  runDelivery(
    {
      db: deps.db,
      peers: deps.peers,
      queue,
      claim: ({ tenant_id, delivery_id }) => claimDelivery(deps.db, tenant_id, delivery_id),
      async send(claim, signal) {
        const formats = await renderMessage(deps, claim);
        return formats === null ? EVENT_REMOVED : send(deps, claim, formats, signal);
      },
      release: releaseDelivery,
      async settle(claim, outcome) {
        await settle(deps, queue(), claim, outcome);
        if (claim.channel_id !== null) deps.pages.announce(claim.tenant_id, 'alert-routes');
      },
      onHandOver: (claim) =>
        deps.log.info(
          { event: 'delivery_handed_over', delivery: claim.delivery_id, target: targetKey(claim) },
          'handed a delivery that the settings of this hub forbid over to other hubs',
        ),
    },
    job,
    shutdown,
  );

/** Returns the formats of a message; null if its alerts or access request are deleted. */
async function renderMessage(deps: MessageDeps, claim: Claim): Promise<MessageFormats | null> {
  const { tenant_id: tenantId, device_id: deviceId, alert_id: alertId } = claim;
  if (claim.channel_id === null) return deps.formatAppAlert(tenantId, claim.facts);
  const context = {
    tenantId,
    channel: { id: claim.channel_id, name: claim.name },
    consoleUrl: `${deps.origin}/console/t/${tenantId}/activity/alerts`,
  };
  if (claim.digest_alerts !== null) {
    const { delivery_id: digestId, created_at: at } = claim;
    const { counts, first } = await selectDigest(
      deps.db,
      tenantId,
      digestId,
      maxAlertsShown(claim.kind),
    );
    const alerts = await deps.selectAlerts(deps.db, tenantId, first);
    return alerts.length === 0 ? null : formatDigest({ ...context, digestId, at, counts, alerts });
  }
  if (claim.subject === 'access_request') {
    const request = await deps.selectRequest(deps.db, tenantId, alertId);
    const page = `${deps.origin}/console/t/${tenantId}/policies/access-requests`;
    const consoleUrl = `${page}?state=open&device_id=${deviceId}`;
    return request && formatAccessRequest({ ...context, consoleUrl }, request);
  }
  if (claim.subject === 'budget_notice') {
    const notice = await deps.selectBudgetNotice(deps.db, tenantId, alertId);
    const consoleUrl = `${deps.origin}/console/t/${tenantId}/gateway/usage`;
    return notice && formatBudgetNotice({ ...context, consoleUrl }, notice);
  }
  if (claim.is_test) {
    const alert = testAlert({ alertId, deviceId, at: claim.created_at });
    return formatAlert({ ...context, isTest: true, alert });
  }
  const ids = [{ alert_id: alertId, device_id: deviceId }];
  const [alert] = await deps.selectAlerts(deps.db, tenantId, ids);
  if (alert === undefined) return null;
  const consoleUrl = `${context.consoleUrl}?alert=${alertId}.${deviceId}`;
  return formatAlert({ ...context, consoleUrl, isTest: false, alert });
}

/** Stores the outcome, the channel's health and the job of the next attempt in the same transaction. */
async function settle(
  deps: DeliverDeps,
  queue: Queue<DeliveryJob>,
  claim: Claim,
  outcome: Outcome,
): Promise<void> {
  const mayRetry = outcome.is === 'failed' && outcome !== EVENT_REMOVED && !outcome.gone;
  const attempts = claim.attempts - claim.earlier_attempts;
  const seconds = mayRetry
    ? secondsToNextAttempt(attempts, outcome.retryAfterSeconds, Math.random())
    : null;
  const target = targetKey(claim);
  const result = await transact(deps.db, async (tx) => {
    const stored = await recordOutcome(tx, claim, outcome, seconds);
    if (stored?.is === 'retried') {
      const item = toQueueItem(claim.tenant_id, target, claim.delivery_id);
      await queue.enqueue(tx, [{ ...item, startAfter: stored.at }]);
    }
    return stored;
  });
  // Another process has taken the delivery and records its result; otherwise it stays unchanged.
  if (result === null) return;
  const kind = claim.channel_id === null ? `app_${claim.app_target_kind}` : claim.kind;
  deps.metrics.alertDeliveries.inc({ kind, outcome: result.is });
  // The age of a replayed delivery is no measure of its duration.
  if (result.is === 'delivered' && claim.earlier_attempts === 0) {
    const age = (Date.now() - claim.created_at.getTime()) / 1000;
    deps.metrics.alertDeliverySeconds.observe({ kind }, Math.max(0, age));
  }
  deps.failing.note(target, result);
  if (claim.channel_id !== null) deps.logHealthChange(claim, outcome, result);
  else if (outcome.is === 'failed') {
    deps.log.warn(
      { event: 'app_alert_not_delivered', app: claim.app_id, kind, reason: outcome.error },
      `could not deliver an alert of an app: ${result.is}`,
    );
  }
}
