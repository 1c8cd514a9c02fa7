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
import { budgetWords, type SentBudgetNotice } from './budget-messages.ts';
import { takesAlert } from './channel-rules.ts';
import { makeDeliveries } from './collect.ts';
import { createTurns, type NotifyNextTurn } from './delivery-order.ts';
import { NOTHING_LEFT, storeOutcome } from './delivery-outcome.ts';
import {
  type Claim,
  claimDelivery,
  deleteOldDeliveries,
  insertDeliveries,
  NO_DEVICE,
  releaseDelivery,
  selectForgotten,
  selectWaiting,
} from './delivery-store.ts';
import { digestWords } from './digest-messages.ts';
import { deleteOldMeters, selectDigest } from './digest-store.ts';
import { shownIn } from './digests.ts';
import { createFailing, type FailingRoutes } from './failing-channels.ts';
import { alertWords, type SentAlert, testAlert, type Words } from './messages.ts';
import { requestWords, type SentRequest } from './request-messages.ts';
import { type SendDeps, send } from './send-message.ts';
import { selectEnabledRoutes, selectRequestRoutes } from './store.ts';

export const DELIVERY_DAYS = 30;
const QUEUE = 'alert-deliveries';
/** Attempts at once in one hub process, and to one route over all of them. */
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

export interface NewRequest {
  tenantId: string;
  deviceId: string;
  accessRequestId: string;
}

export interface NewBudgetNotice {
  tenantId: string;
  noticeId: string;
  severity: Severity;
}

export interface AlertRouting {
  /** Makes the deliveries of new alerts, in the transaction that stores those. */
  routeNew(tx: Tx, fresh: NewAlerts): Promise<void>;
  /** Makes the deliveries of a new request for an exception, in the transaction that stores it; of each one once. */
  routeRequest(tx: Tx, asked: NewRequest): Promise<void>;
  /** Creates the deliveries of a notice about a budget, in the transaction that stores it. */
  routeBudgetNotice(tx: Tx, notice: NewBudgetNotice): Promise<void>;
  /** Makes the delivery of a test; gives its id. */
  sendTest(tx: Tx, tenantId: string, routeId: string): Promise<string>;
  /** Jobs for deliveries that were made due. */
  wake(
    tx: Tx,
    key: { tenantId: string; routeId: string; deliveryIds: readonly string[] },
  ): Promise<void>;
  /** Jobs for what waited while the route was disabled. */
  resume(tx: Tx, tenantId: string, routeId: string): Promise<void>;
  /** Finds deliveries whose job was lost. */
  sweep(): Promise<void>;
  deleteOld(): Promise<void>;
}

export interface RoutingDeps extends SendDeps {
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
  /** Null after the notice was deleted. */
  selectBudgetNotice(db: Db, tenantId: string, noticeId: string): Promise<SentBudgetNotice | null>;
}

type DeliveryDeps = RoutingDeps & { tellTurn: NotifyNextTurn; failing: FailingRoutes };

export async function startAlertRouting(given: RoutingDeps, jobs: Jobs): Promise<AlertRouting> {
  const { db } = given;
  const failing = createFailing(db);
  const deps: DeliveryDeps = { ...given, tellTurn: createTurns(given.log), failing };
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
    routeNew: (tx, batch) => routeAlerts(deps, queue, tx, batch),
    routeRequest: (tx, request) => routeAccessRequest(deps, queue, tx, request),
    routeBudgetNotice: (tx, notice) => routeBudgetNotice(deps, queue, tx, notice),
    async sendTest(tx, tenantId, routeId) {
      const delivery = {
        delivery_id: randomUUID(),
        route_id: routeId,
        alert_id: randomUUID(),
        severity: null,
        digest_id: null,
      };
      await insertDeliveries(tx, { tenantId, deviceId: NO_DEVICE, isTest: true }, [delivery]);
      await queue.enqueue(tx, [awaited(tenantId, routeId, delivery.delivery_id)]);
      return delivery.delivery_id;
    },
    async wake(tx, { tenantId, routeId, deliveryIds }) {
      const now = retryJobs(tenantId, routeId, deliveryIds);
      await queue.enqueue(tx, now);
    },
    async resume(tx, tenantId, routeId) {
      const waiting = await selectWaiting(tx, tenantId, routeId);
      await queue.enqueue(
        tx,
        waiting.map((row) => ({
          ...item(tenantId, routeId, row.delivery_id),
          startAfter: row.next_attempt_at,
        })),
      );
    },
    sweep: () =>
      transact(db, async (tx) => {
        const forgotten = await selectForgotten(tx, SWEPT_AT_ONCE);
        await queue.enqueue(
          tx,
          forgotten.map((row) => ({
            ...item(row.tenant_id, row.route_id, row.delivery_id),
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
  const channels = await selectEnabledRoutes(tx, tenantId);
  if (channels.length === 0) return;
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.flatMap((route) => {
    const taken = alerts.filter((alert) => takesAlert(route, alert.severity, groups));
    return taken.length === 0 ? [] : { route, alerts: taken };
  });
  if (matches.length === 0) return;
  const deliveries = await makeDeliveries(tx, { tenantId, deviceId }, matches);
  await queue.enqueue(
    tx,
    deliveries.map((row) => ({
      ...item(tenantId, row.route_id, row.delivery_id),
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
  { tenantId, deviceId, accessRequestId }: NewRequest,
): Promise<void> {
  const channels = await selectRequestRoutes(tx, tenantId);
  const groups = await loadGroups(deps, tx, tenantId, deviceId, channels);
  const matches = channels.filter(({ group_id: id }) => id === null || groups.includes(id));
  if (matches.length === 0) return;
  const deliveries = await insertDeliveries(
    tx,
    { tenantId, deviceId, isTest: false, about: 'access_request' },
    matches.map((route) => ({
      delivery_id: randomUUID(),
      route_id: route.route_id,
      alert_id: accessRequestId,
      severity: null,
      digest_id: null,
    })),
  );
  await queue.enqueue(
    tx,
    deliveries.map((delivery) => item(tenantId, delivery.route_id, delivery.delivery_id)),
  );
  deps.pages.announce(tenantId, 'alert-routes');
}

/** Creates and enqueues the deliveries of a notice, for channels of all devices that take its severity. */
async function routeBudgetNotice(
  deps: DeliveryDeps,
  queue: Queue<DeliveryJob>,
  tx: Tx,
  { tenantId, noticeId, severity }: NewBudgetNotice,
): Promise<void> {
  const channels = await selectEnabledRoutes(tx, tenantId);
  const matches = channels.filter((channel) => takesAlert(channel, severity, []));
  if (matches.length === 0) return;
  const deliveries = await insertDeliveries(
    tx,
    { tenantId, deviceId: NO_DEVICE, isTest: false, about: 'budget_notice' },
    matches.map(({ route_id }) => ({
      ...{ delivery_id: randomUUID(), route_id, alert_id: noticeId, severity, digest_id: null },
    })),
  );
  await queue.enqueue(
    tx,
    deliveries.map((delivery) => item(tenantId, delivery.route_id, delivery.delivery_id)),
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

const item = (tenantId: string, routeId: string, deliveryId: string) => ({
  data: { tenant_id: tenantId, delivery_id: deliveryId },
  concurrencyKey: routeId,
  deduplicationKey: deliveryId,
  owner: tenantId,
});

/** Somebody looks at the page: it goes at once, also while the route fails or others of its messages hang. */
const awaited = (tenantId: string, routeId: string, deliveryId: string) => ({
  ...item(tenantId, routeId, deliveryId),
  concurrencyKey: `${routeId} now`,
  isAwaited: true,
});

/** Returns jobs that retry deliveries now. The job of the scheduled attempt may still be waiting, so its key differs. */
function retryJobs(tenantId: string, routeId: string, deliveryIds: readonly string[]) {
  const createItem = deliveryIds.length === 1 ? awaited : item;
  return deliveryIds.map((id) => ({
    ...createItem(tenantId, routeId, id),
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
        const words = await wordsFor(deps, claim);
        return words === null ? NOTHING_LEFT : send(deps, claim, words, signal);
      },
      release: releaseDelivery,
      async settle(claim, outcome) {
        await settle(deps, queue(), claim, outcome);
        deps.pages.announce(claim.tenant_id, 'alert-routes');
      },
      onHandOver: (claim) =>
        deps.log.info(
          { event: 'alert_delivery_left', delivery: claim.delivery_id, route: claim.route_id },
          'a delivery that the settings of this hub forbid is left to other hubs',
        ),
    },
    job,
    shutdown,
  );

/** Returns the texts of a message; null if its alerts or request are deleted. */
async function wordsFor(deps: RoutingDeps, claim: Claim): Promise<Words | null> {
  const { tenant_id: tenantId, device_id: deviceId, alert_id: alertId } = claim;
  const place = {
    tenantId,
    route: { route_id: claim.route_id, name: claim.name },
    consoleUrl: `${deps.origin}/console/t/${tenantId}/activity/alerts`,
  };
  if (claim.digest_alerts !== null) {
    const { delivery_id: digestId, created_at: at } = claim;
    const { counts, first } = await selectDigest(deps.db, tenantId, digestId, shownIn(claim.kind));
    const alerts = await deps.selectAlerts(deps.db, tenantId, first);
    return alerts.length === 0 ? null : digestWords({ ...place, digestId, at, counts, alerts });
  }
  if (claim.about === 'access_request') {
    const asked = await deps.selectRequest(deps.db, tenantId, alertId);
    const page = `${deps.origin}/console/t/${tenantId}/policies/access-requests`;
    const consoleUrl = `${page}?state=open&device_id=${deviceId}`;
    return asked === null ? null : requestWords({ ...place, consoleUrl }, asked);
  }
  if (claim.about === 'budget_notice') {
    const notice = await deps.selectBudgetNotice(deps.db, tenantId, alertId);
    const consoleUrl = `${deps.origin}/console/t/${tenantId}/gateway/usage`;
    return notice === null ? null : budgetWords({ ...place, consoleUrl }, notice);
  }
  const alert = claim.is_test
    ? testAlert({ alertId, deviceId, at: claim.created_at })
    : (await deps.selectAlerts(deps.db, tenantId, [{ alert_id: alertId, device_id: deviceId }]))[0];
  if (alert === undefined) return null;
  // A test's alert is stored nowhere.
  const address = claim.is_test ? '' : `?alert=${alertId}.${deviceId}`;
  const consoleUrl = `${place.consoleUrl}${address}`;
  return alertWords({ ...place, consoleUrl, isTest: claim.is_test, alert });
}

/** Stores the outcome, the channel's health and the job of the next attempt in the same transaction. */
async function settle(
  deps: DeliveryDeps,
  queue: Queue<DeliveryJob>,
  claim: Claim,
  outcome: Outcome,
): Promise<void> {
  const { tenant_id: tenantId, route_id: routeId, kind } = claim;
  const mayRetry = outcome.is === 'failed' && outcome !== NOTHING_LEFT && !outcome.gone;
  const tries = claim.attempts - claim.earlier_attempts;
  const seconds = mayRetry
    ? secondsToNextAttempt(tries, outcome.retryAfterSeconds, Math.random())
    : null;
  const ending = await transact(deps.db, async (tx) => {
    const stored = await storeOutcome(tx, claim, outcome, seconds);
    if (stored?.is === 'retried') {
      const again = item(tenantId, routeId, claim.delivery_id);
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
  deps.failing.note(routeId, ending);
  deps.tellTurn(claim, outcome, ending);
}
