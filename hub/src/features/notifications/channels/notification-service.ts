// The notification service: selects the targets of an event, stores its deliveries and their jobs in the event's own
// transaction, and runs the queue. A delivery whose job was lost is found by the sweep.
import { randomUUID } from 'node:crypto';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Tx, transact } from '../../../platform/db/database.ts';
import { HANGING_AFTER_MS } from '../../../platform/delivery/attempt.ts';
import type { DeliveryJob } from '../../../platform/delivery/run-delivery.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { matchesAlert } from './channel-rules.ts';
import { selectAccessRequestChannels, selectChannelFilters } from './channel-store.ts';
import { createDeliveries } from './create-deliveries.ts';
import { type DeliverDeps, deliver } from './deliver.ts';
import {
  type AppTarget,
  deleteOldDeliveries,
  insertAppDeliveries,
  insertDeliveries,
  insertTest,
  NO_DEVICE,
  selectLostDeliveries,
  selectPendingDeliveries,
} from './delivery-store.ts';
import { deleteOldMeters } from './digest-store.ts';
import { createFailingChannels } from './failing-channels.ts';
import { createHealthLog } from './health-log.ts';
import { targetKey, toAwaitedItem, toQueueItem, toRetryItems } from './queue-items.ts';

export const DELIVERY_DAYS = 30;
const QUEUE = 'notification-deliveries';
/** Concurrent attempts in a hub process. */
const CONCURRENCY = 128;
/** Concurrent attempts to a target, over all hub processes. */
const PER_TARGET = 4;
/** Slots for failing channels, with a single attempt each. */
const PROBES = 24;
/** Maximum of hanging attempts, for memory and sockets; beyond it the oldest is aborted. */
const HANGING_MAX = 512;
/** Longer than a claim, so that the process that takes over a lost job can claim the delivery. */
const JOB_SECONDS = 60;
const SWEEP_MAX = 1_000;

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

export interface NewBudgetNotice {
  tenantId: string;
  noticeId: string;
  severity: Severity;
}

/** Each method with a transaction stores its deliveries and jobs with the caller's own changes, or not at all. */
export interface NotificationService {
  /** Notifies the channels that match new alerts of a device. */
  notifyOfAlerts(tx: Tx, alerts: NewAlerts): Promise<void>;
  /** Notifies the channels that include access requests, once for each request. */
  notifyOfAccessRequest(tx: Tx, request: NewAccessRequest): Promise<void>;
  /** Notifies the channels of all devices that take a notice's severity. */
  notifyOfBudget(tx: Tx, notice: NewBudgetNotice): Promise<void>;
  /**
   * Notifies targets of gateway apps, each by a delivery of its own. `facts` are stored as JSON, and formatted by
   * `formatAppAlert` when they are sent.
   */
  notifyOfAppAlert(
    tx: Tx,
    tenantId: string,
    facts: object,
    targets: readonly AppTarget[],
  ): Promise<void>;
  /** Sends a test through a channel. Returns the id of the delivery. */
  sendTest(tx: Tx, tenantId: string, channelId: string): Promise<string>;
  /** Queues deliveries of a channel that were made due. */
  retryNow(
    tx: Tx,
    key: { tenantId: string; channelId: string; deliveryIds: readonly string[] },
  ): Promise<void>;
  /** Queues the pending deliveries of a channel that was enabled again. */
  resume(tx: Tx, tenantId: string, channelId: string): Promise<void>;
  /** Queues deliveries that are due and whose job was lost. */
  sweep(): Promise<void>;
  /** Deletes deliveries after 30 days. */
  deleteOld(): Promise<void>;
}

export interface NotificationDeps extends Omit<DeliverDeps, 'logHealthChange' | 'failing'> {
  /** Returns the device groups of a device. */
  groupsOf(tx: Tx, tenantId: string, deviceId: string): Promise<string[]>;
}

interface Notifier extends NotificationDeps {
  queue: Queue<DeliveryJob>;
}

/** Opens the queue of deliveries and returns the service. */
export async function startNotificationService(
  deps: NotificationDeps,
  jobs: Jobs,
): Promise<NotificationService> {
  const { db } = deps;
  const failing = createFailingChannels(db);
  const deliverDeps = { ...deps, logHealthChange: createHealthLog(deps.log), failing };
  const queue: Queue<DeliveryJob> = await jobs.openQueue<DeliveryJob>({
    name: QUEUE,
    concurrency: CONCURRENCY,
    perConcurrencyKey: PER_TARGET,
    hanging: { afterMs: HANGING_AFTER_MS, max: HANGING_MAX },
    probes: { slots: PROBES, failingKeys: failing.ids },
    expireInSeconds: JOB_SECONDS,
    run: (job, stopped) => deliver(deliverDeps, () => queue, job, stopped),
  });
  const notifier = { ...deps, queue };
  return {
    notifyOfAlerts: (tx, alerts) => notifyOfAlerts(notifier, tx, alerts),
    notifyOfAccessRequest: (tx, request) => notifyOfAccessRequest(notifier, tx, request),
    notifyOfBudget: (tx, notice) => notifyOfBudget(notifier, tx, notice),
    async notifyOfAppAlert(tx, tenantId, facts, targets) {
      const deliveries = targets.map((target) => ({ ...target, delivery_id: randomUUID() }));
      await insertAppDeliveries(tx, tenantId, facts, deliveries);
      await queue.enqueue(
        tx,
        deliveries.map(({ delivery_id, ...target }) =>
          toQueueItem(tenantId, targetKey({ ...target, channel_id: null }), delivery_id),
        ),
      );
    },
    async sendTest(tx, tenantId, channelId) {
      const id = await insertTest(tx, tenantId, channelId);
      await queue.enqueue(tx, [toAwaitedItem(tenantId, channelId, id)]);
      return id;
    },
    retryNow: (tx, { tenantId, channelId, deliveryIds }) =>
      queue.enqueue(tx, toRetryItems(tenantId, channelId, deliveryIds)),
    async resume(tx, tenantId, channelId) {
      const pending = await selectPendingDeliveries(tx, tenantId, channelId);
      await queue.enqueue(
        tx,
        pending.map(({ delivery_id: id, next_attempt_at: startAfter }) => ({
          ...toQueueItem(tenantId, channelId, id),
          startAfter,
        })),
      );
    },
    sweep: () =>
      transact(db, async (tx) => {
        const lost = await selectLostDeliveries(tx, SWEEP_MAX);
        await queue.enqueue(
          tx,
          lost.map((row) => ({
            ...toQueueItem(row.tenant_id, targetKey(row), row.delivery_id),
            // The job of a later attempt has the usual key and would exclude this job.
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

async function notifyOfAlerts(
  deps: Notifier,
  tx: Tx,
  { tenantId, deviceId, alerts }: NewAlerts,
): Promise<void> {
  const channels = await selectChannelFilters(tx, tenantId);
  if (channels.length === 0) return;
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.flatMap((channel) => {
    const matching = alerts.filter((alert) => matchesAlert(channel, alert.severity, groups));
    return matching.length === 0 ? [] : { channel, alerts: matching };
  });
  if (matches.length === 0) return;
  const deliveries = await createDeliveries(tx, { tenantId, deviceId }, matches);
  await deps.queue.enqueue(
    tx,
    deliveries.map((delivery) => ({
      ...toQueueItem(tenantId, delivery.channel_id, delivery.delivery_id),
      ...(delivery.due_at === undefined ? {} : { startAfter: delivery.due_at }),
    })),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

async function notifyOfAccessRequest(
  deps: Notifier,
  tx: Tx,
  { tenantId, deviceId, accessRequestId }: NewAccessRequest,
): Promise<void> {
  const channels = await selectAccessRequestChannels(tx, tenantId);
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.filter(({ group_id: id }) => id === null || groups.includes(id));
  if (matches.length === 0) return;
  const deliveries = await insertDeliveries(
    tx,
    { tenantId, deviceId, isTest: false, subject: 'access_request' },
    matches.map(({ channel_id }) => ({
      delivery_id: randomUUID(),
      channel_id,
      alert_id: accessRequestId,
      severity: null,
      digest_id: null,
    })),
  );
  await deps.queue.enqueue(
    tx,
    deliveries.map(({ channel_id, delivery_id }) => toQueueItem(tenantId, channel_id, delivery_id)),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

async function notifyOfBudget(
  deps: Notifier,
  tx: Tx,
  { tenantId, noticeId, severity }: NewBudgetNotice,
): Promise<void> {
  const channels = await selectChannelFilters(tx, tenantId);
  const matches = channels.filter((channel) => matchesAlert(channel, severity, []));
  if (matches.length === 0) return;
  const deliveries = await insertDeliveries(
    tx,
    { tenantId, deviceId: NO_DEVICE, isTest: false, subject: 'budget_notice' },
    matches.map(({ channel_id }) => ({
      ...{ delivery_id: randomUUID(), channel_id, alert_id: noticeId, severity, digest_id: null },
    })),
  );
  await deps.queue.enqueue(
    tx,
    deliveries.map(({ channel_id, delivery_id }) => toQueueItem(tenantId, channel_id, delivery_id)),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

/** Returns the groups of a device, or none if no channel is limited to a group. */
async function loadGroups(
  deps: Notifier,
  tx: Tx,
  tenantId: string,
  deviceId: string,
  channels: readonly { group_id: string | null }[],
): Promise<string[]> {
  const isGrouped = channels.some((channel) => channel.group_id !== null);
  return isGrouped ? deps.groupsOf(tx, tenantId, deviceId) : [];
}
