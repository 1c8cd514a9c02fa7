// From alert to delivery. Pending → claimed by one hub process → delivered, or pending again for a later try, or failed.
// Rows and jobs are stored with the alert; a delivery whose job was lost is found by the sweep.
import { randomUUID } from 'node:crypto';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Logger } from 'pino';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HANGING_AFTER_MS, type Outcome } from '../../../platform/delivery/attempt.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import { type DeliveryJob, runDelivery } from '../../../platform/delivery/run-delivery.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import type { Peers } from '../../../platform/peers.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { formatAccessRequest, type SentRequest } from './access-request-messages.ts';
import { matchesAlert } from './channel-rules.ts';
import { selectAccessRequestChannels, selectChannelFilters } from './channel-store.ts';
import { createDeliveries } from './create-deliveries.ts';
import {
  type Claim,
  claimDelivery,
  deleteOldDeliveries,
  insertDeliveries,
  NO_DEVICE,
  releaseDelivery,
  selectLostDeliveries,
  selectPendingDeliveries,
} from './delivery-store.ts';
import { formatDigest } from './digest-messages.ts';
import { deleteOldMeters, selectDigest } from './digest-store.ts';
import { maxAlertsShown } from './digests.ts';
import { createFailingChannels, type FailingChannels } from './failing-channels.ts';
import { createHealthLog, type LogHealthChange } from './health-log.ts';
import { formatAlert, type MessageFormats, type SentAlert, testAlert } from './messages.ts';
import { EVENT_REMOVED, recordOutcome } from './record-outcome.ts';
import { type SendDeps, send } from './send-message.ts';

export const DELIVERY_DAYS = 30;
const QUEUE = 'alert-deliveries';
/** Attempts at once in one hub process, and to one channel over all of them. */
const CONCURRENCY = 128;
const PER_ROUTE = 4;
/** Routes that fail, one attempt each. */
const PROBES = 24;
/** For memory and sockets: beyond them the longest ends before its time. */
const HANGING_MAX = 512;
/** Longer than a claim holds, so that who takes a lost job over may claim. */
const JOB_SECONDS = 60;
const SWEPT_AT_ONCE = 1_000;

export interface NewAlerts {
  tenantId: string;
  deviceId: string;
  alerts: readonly { alert_id: string; severity: Severity }[];
}

export interface NewAccessRequest {
  tenantId: string;
  deviceId: string;
  accessRequestId: string;
}

export interface NotificationService {
  /** Makes the deliveries of new alerts, in the transaction that stores those. */
  notifyOfAlerts(tx: Tx, fresh: NewAlerts): Promise<void>;
  /** Makes the deliveries of a new request for an exception, in the transaction that stores it; of each one once. */
  notifyOfAccessRequest(tx: Tx, asked: NewAccessRequest): Promise<void>;
  /** Makes the delivery of a test; gives its id. */
  sendTest(tx: Tx, tenantId: string, channelId: string): Promise<string>;
  /** Jobs for deliveries that were made due. */
  wake(
    tx: Tx,
    key: { tenantId: string; channelId: string; deliveryIds: readonly string[] },
  ): Promise<void>;
  /** Jobs for what waited while the channel was disabled. */
  resume(tx: Tx, tenantId: string, channelId: string): Promise<void>;
  /** Finds deliveries whose job was lost. */
  sweep(): Promise<void>;
  deleteOld(): Promise<void>;
}

export interface NotificationDeps extends SendDeps {
  db: Db;
  log: Logger;
  metrics: Metrics;
  pages: PageEvents;
  /** How people reach the console. */
  origin: string;
  peers: Peers;
  /** The groups that a device is in. */
  groupsOf(tx: Tx, tenantId: string, deviceId: string): Promise<string[]>;
  /** In the same order; without those that are not stored any more. */
  selectAlerts(
    db: Db,
    tenantId: string,
    which: readonly { alert_id: string; device_id: string }[],
  ): Promise<SentAlert[]>;
  /** Null where it is not stored any more. */
  selectRequest(db: Db, tenantId: string, accessRequestId: string): Promise<SentRequest | null>;
}

type DeliveryDeps = NotificationDeps & {
  logHealthChange: LogHealthChange;
  failing: FailingChannels;
};

export async function startNotificationService(
  given: NotificationDeps,
  jobs: Jobs,
): Promise<NotificationService> {
  const { db } = given;
  const failing = createFailingChannels(db);
  const deps: DeliveryDeps = { ...given, logHealthChange: createHealthLog(given.log), failing };
  const queue: Queue<DeliveryJob> = await jobs.openQueue<DeliveryJob>({
    name: QUEUE,
    concurrency: CONCURRENCY,
    perConcurrencyKey: PER_ROUTE,
    hanging: { afterMs: HANGING_AFTER_MS, max: HANGING_MAX },
    probes: { slots: PROBES, failingKeys: failing.groups },
    expireInSeconds: JOB_SECONDS,
    run: (job, stopped) => deliver(deps, () => queue, job, stopped),
  });
  return {
    notifyOfAlerts: (tx, batch) => routeAlerts(deps, queue, tx, batch),
    notifyOfAccessRequest: (tx, request) => routeAccessRequest(deps, queue, tx, request),
    async sendTest(tx, tenantId, channelId) {
      const delivery = {
        delivery_id: randomUUID(),
        channel_id: channelId,
        alert_id: randomUUID(),
        severity: null,
        digest_id: null,
      };
      await insertDeliveries(tx, { tenantId, deviceId: NO_DEVICE, isTest: true }, [delivery]);
      await queue.enqueue(tx, [awaited(tenantId, channelId, delivery.delivery_id)]);
      return delivery.delivery_id;
    },
    async wake(tx, { tenantId, channelId, deliveryIds }) {
      const now = retryJobs(tenantId, channelId, deliveryIds);
      await queue.enqueue(tx, now);
    },
    async resume(tx, tenantId, channelId) {
      const waiting = await selectPendingDeliveries(tx, tenantId, channelId);
      await queue.enqueue(
        tx,
        waiting.map((row) => ({
          ...item(tenantId, channelId, row.delivery_id),
          startAfter: row.next_attempt_at,
        })),
      );
    },
    sweep: () =>
      transact(db, async (tx) => {
        const forgotten = await selectLostDeliveries(tx, SWEPT_AT_ONCE);
        await queue.enqueue(
          tx,
          forgotten.map((row) => ({
            ...item(row.tenant_id, row.channel_id, row.delivery_id),
            // Beside the job of a later try, which would keep this one out.
            deduplicationKey: `${row.delivery_id} swept`,
          })),
        );
      }),
    async deleteOld() {
      await deleteOldDeliveries(db, DELIVERY_DAYS);
      await deleteOldMeters(db);
    },
  };
}

/** Creates and enqueues the deliveries of new alerts: for each channel that takes an alert by severity and group. */
async function routeAlerts(
  deps: DeliveryDeps,
  queue: Queue<DeliveryJob>,
  tx: Tx,
  { tenantId, deviceId, alerts }: NewAlerts,
): Promise<void> {
  const channels = await selectChannelFilters(tx, tenantId);
  if (channels.length === 0) return;
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.flatMap((channel) => {
    const taken = alerts.filter((alert) => matchesAlert(channel, alert.severity, groups));
    return taken.length === 0 ? [] : { channel, alerts: taken };
  });
  if (matches.length === 0) return;
  const deliveries = await createDeliveries(tx, { tenantId, deviceId }, matches);
  await queue.enqueue(
    tx,
    deliveries.map((row) => ({
      ...item(tenantId, row.channel_id, row.delivery_id),
      ...(row.due_at === undefined ? {} : { startAfter: row.due_at }),
    })),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

/** Creates and enqueues the deliveries of a new access request, for the channels of its device's groups. */
async function routeAccessRequest(
  deps: DeliveryDeps,
  queue: Queue<DeliveryJob>,
  tx: Tx,
  { tenantId, deviceId, accessRequestId }: NewAccessRequest,
): Promise<void> {
  const channels = await selectAccessRequestChannels(tx, tenantId);
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.filter(({ group_id: id }) => id === null || groups.includes(id));
  if (matches.length === 0) return;
  const deliveries = await insertDeliveries(
    tx,
    { tenantId, deviceId, isTest: false, about: 'access_request' },
    matches.map((channel) => ({
      delivery_id: randomUUID(),
      channel_id: channel.channel_id,
      alert_id: accessRequestId,
      severity: null,
      digest_id: null,
    })),
  );
  await queue.enqueue(
    tx,
    deliveries.map((delivery) => item(tenantId, delivery.channel_id, delivery.delivery_id)),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

/** Returns the groups of a device, or none if no channel is limited to a group. */
async function loadGroups(
  deps: DeliveryDeps,
  tx: Tx,
  tenantId: string,
  deviceId: string,
  channels: readonly { group_id: string | null }[],
): Promise<string[]> {
  const isGrouped = channels.some((channel) => channel.group_id !== null);
  return isGrouped ? deps.groupsOf(tx, tenantId, deviceId) : [];
}

const item = (tenantId: string, channelId: string, deliveryId: string) => ({
  data: { tenant_id: tenantId, delivery_id: deliveryId },
  concurrencyKey: channelId,
  deduplicationKey: deliveryId,
  owner: tenantId,
});

/** Somebody looks at the page: it goes at once, also while the channel fails or others of its messages hang. */
const awaited = (tenantId: string, channelId: string, deliveryId: string) => ({
  ...item(tenantId, channelId, deliveryId),
  concurrencyKey: `${channelId} now`,
  isAwaited: true,
});

/** Returns jobs that retry deliveries now. The job of the scheduled attempt may still be waiting, so its key differs. */
function retryJobs(tenantId: string, channelId: string, deliveryIds: readonly string[]) {
  const createItem = deliveryIds.length === 1 ? awaited : item;
  return deliveryIds.map((id) => ({
    ...createItem(tenantId, channelId, id),
    deduplicationKey: `${id} now`,
  }));
}

/** Makes an attempt of a delivery. See `runDelivery` for the steps. */
const deliver = (
  deps: DeliveryDeps,
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
        const words = await renderMessage(deps, claim);
        return words === null ? EVENT_REMOVED : send(deps, claim, words, signal);
      },
      release: releaseDelivery,
      async settle(claim, outcome) {
        await settle(deps, queue(), claim, outcome);
        deps.pages.announce(claim.tenant_id, 'alert-routes');
      },
      onHandOver: (claim) =>
        deps.log.info(
          { event: 'alert_delivery_left', delivery: claim.delivery_id, channel: claim.channel_id },
          'a delivery that the settings of this hub forbid is left to other hubs',
        ),
    },
    job,
    shutdown,
  );

/** Returns the texts of a message; null if its alerts or request are deleted. */
async function renderMessage(deps: NotificationDeps, claim: Claim): Promise<MessageFormats | null> {
  const { tenant_id: tenantId, device_id: deviceId, alert_id: alertId } = claim;
  const place = {
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
    return alerts.length === 0 ? null : formatDigest({ ...place, digestId, at, counts, alerts });
  }
  if (claim.about === 'access_request') {
    const asked = await deps.selectRequest(deps.db, tenantId, alertId);
    const page = `${deps.origin}/console/t/${tenantId}/policies/access-requests`;
    const consoleUrl = `${page}?state=open&device_id=${deviceId}`;
    return asked === null ? null : formatAccessRequest({ ...place, consoleUrl }, asked);
  }
  const alert = claim.is_test
    ? testAlert({ alertId, deviceId, at: claim.created_at })
    : (await deps.selectAlerts(deps.db, tenantId, [{ alert_id: alertId, device_id: deviceId }]))[0];
  if (alert === undefined) return null;
  // A test's alert is stored nowhere.
  const address = claim.is_test ? '' : `?alert=${alertId}.${deviceId}`;
  const consoleUrl = `${place.consoleUrl}${address}`;
  return formatAlert({ ...place, consoleUrl, isTest: claim.is_test, alert });
}

/** Stores the outcome, the channel's health and the job of the next attempt in the same transaction. */
async function settle(
  deps: DeliveryDeps,
  queue: Queue<DeliveryJob>,
  claim: Claim,
  outcome: Outcome,
): Promise<void> {
  const { tenant_id: tenantId, channel_id: channelId, kind } = claim;
  const mayRetry = outcome.is === 'failed' && outcome !== EVENT_REMOVED && !outcome.gone;
  const tries = claim.attempts - claim.earlier_attempts;
  const seconds = mayRetry
    ? secondsToNextAttempt(tries, outcome.retryAfterSeconds, Math.random())
    : null;
  const ending = await transact(deps.db, async (tx) => {
    const stored = await recordOutcome(tx, claim, outcome, seconds);
    if (stored?.is === 'retried') {
      const again = item(tenantId, channelId, claim.delivery_id);
      await queue.enqueue(tx, [{ ...again, startAfter: stored.at }]);
    }
    return stored;
  });
  // Another process has taken the delivery and records its result; otherwise it stays unchanged.
  if (ending === null) return;
  deps.metrics.alertDeliveries.inc({ kind, outcome: ending.is });
  // What a person has sent again took no longer for that.
  if (ending.is === 'delivered' && claim.earlier_attempts === 0) {
    const took = (Date.now() - claim.created_at.getTime()) / 1000;
    deps.metrics.alertDeliverySeconds.observe({ kind }, Math.max(0, took));
  }
  deps.failing.note(channelId, ending);
  deps.logHealthChange(claim, outcome, ending);
}
