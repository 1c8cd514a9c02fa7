// Alerting of apps: failure rates by app and by provider on what arrives, told by mail and webhook, once over all hubs.
import { createHash, randomUUID } from 'node:crypto';
import { deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { Logger } from 'pino';
import type { MailConfig } from '../../../platform/config/config.ts';
import { type Db, isDatabaseAway, type Tx, transact } from '../../../platform/db/database.ts';
import {
  attempt,
  failed,
  HANGING_AFTER_MS,
  type Outcome,
  postMessage,
  sendMail,
} from '../../../platform/delivery/attempt.ts';
import { postChat } from '../../../platform/delivery/chat/post.ts';
import {
  HAND_OVER_RETRY_MS,
  type HandedOverJob,
  handOverJob,
  isHandedOverBy,
} from '../../../platform/delivery/hand-over.ts';
import { secondsToNextAttempt } from '../../../platform/delivery/retry-schedule.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import type { Peers } from '../../../platform/peers.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { keyText } from '../events/index.ts';
import { type AlertLevel, changeOf, failureRate, levelOf } from './rules.ts';
import {
  type AppAlertFacts,
  type AppClaim,
  claimAppDelivery,
  deleteOldAppDeliveries,
  type FailingState,
  finishAppDelivery,
  insertAppDeliveries,
  type NewDelivery,
  type ProviderCounts,
  releaseAppDelivery,
  type StateRow,
  selectCounts,
  selectFailing,
  selectForgottenApps,
  selectStates,
  storeState,
} from './store.ts';
import { chatMessage, mailText, webhookText } from './words.ts';

/** An app whose configuration asks for alerts, with its channels. */
export interface AlertingApp {
  tenant_id: string;
  app_id: string;
  name: string;
  alerting: {
    app_level?: Partial<AlertLevel>;
    provider_level?: Partial<AlertLevel>;
    channels?: {
      emails?: string[];
      webhooks?: { id: string; type?: 'vendorL' | 'generic' }[];
    };
  };
}

export interface AppAlertDeps {
  db: Db;
  log: Logger;
  metrics: Metrics;
  outbound: Outbound;
  mail: MailConfig | null;
  peers: Peers;
  /** Of all tenants, enabled ones only. */
  alertingApps(): Promise<AlertingApp[]>;
  /** The URL of an app's webhook as it is now; null where it has none any more. Throws UnsealError. */
  webhookOf(
    tenantId: string,
    appId: string,
    webhookId: string,
  ): Promise<{ url: string; type: 'vendorL' | 'generic' } | null>;
}

export interface AppAlerts {
  /** Looks at every app that wants it; safe to run anywhere, at any time. */
  evaluate(now: Date): Promise<void>;
  sweep(): Promise<void>;
  deleteOld(): Promise<void>;
}

interface Job extends HandedOverJob {
  tenant_id: string;
  delivery_id: string;
}

const ATTEMPT_MS = 5_000;
const MAIL_ATTEMPT_MS = 15_000;
const SWEPT_AT_ONCE = 500;
/** So many attempts hang at once; beyond them the longest ends before its time. */
const HANGING_MAX = 128;

export async function startAppAlerts(deps: AppAlertDeps, jobs: Jobs): Promise<AppAlerts> {
  const queue: Queue<Job> = await jobs.openQueue<Job>({
    name: 'app-alert-deliveries',
    concurrency: 16,
    perConcurrencyKey: 4,
    expireInSeconds: 60,
    hanging: { afterMs: HANGING_AFTER_MS, max: HANGING_MAX },
    run: (job, stopped) => deliver(deps, () => queue, job, stopped),
  });
  return {
    async evaluate(now) {
      // Read first: what another hub process stores after the apps were read has another version.
      const failing = await selectFailing(deps.db);
      const apps = await deps.alertingApps();
      await forgetUnwatched(deps.db, failing, apps);
      for (const app of apps) {
        await evaluateApp(deps, queue, app, now).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          // One app's trouble must not keep the others from being looked at.
          deps.log.error({ err: error, app: app.app_id }, 'an app could not be looked at');
        });
      }
    },
    async sweep() {
      await transact(deps.db, async (tx) => {
        const forgotten = await selectForgottenApps(tx, SWEPT_AT_ONCE);
        await queue.enqueue(
          tx,
          forgotten.map((one) => ({
            ...itemOf(one.tenant_id, one.app_id, one),
            deduplicationKey: `${one.delivery_id} swept`,
          })),
        );
      });
    },
    deleteOld: () => deleteOldAppDeliveries(deps.db),
  };
}

/** A group is one target of an app: while it hangs, the app's others are told. */
const itemOf = (tenantId: string, appId: string, one: NewDelivery) => ({
  data: { tenant_id: tenantId, delivery_id: one.delivery_id },
  concurrencyKey: `${appId} ${one.kind} ${one.target}`,
  deduplicationKey: one.delivery_id,
  owner: tenantId,
});

/**
 * What was failing when its alerts were switched off may have recovered and failed again unseen: switched on, it is looked at
 * anew, and no sooner than its cooldown allows.
 */
async function forgetUnwatched(
  db: Db,
  failing: readonly FailingState[],
  apps: readonly AlertingApp[],
): Promise<void> {
  const watched = new Set(
    apps.flatMap(({ app_id: id, alerting: { app_level: ofApp, provider_level: ofProvider } }) => [
      ...(ofApp?.enabled === true ? [`${id} app`] : []),
      ...(ofProvider?.enabled === true ? [`${id} provider`] : []),
    ]),
  );
  for (const state of failing) {
    if (watched.has(`${state.app_id} ${state.level}`)) continue;
    const place = { tenantId: state.tenant_id, appId: state.app_id };
    await transact(db, (tx) => storeState(tx, place, state, { ...state, is_failing: false }));
  }
}

/** What is looked at: the app as a whole, or one of its providers. */
interface Subject {
  level: 'app' | 'provider';
  provider: string;
  /** As its state is found: a name may be longer than an index holds. */
  key: string;
  rules: AlertLevel;
  counts: { requests: number; failures: number };
}

async function evaluateApp(
  deps: AppAlertDeps,
  queue: Queue<Job>,
  app: AlertingApp,
  now: Date,
): Promise<void> {
  const place = { tenantId: app.tenant_id, appId: app.app_id };
  const ofApp = levelOf(app.alerting.app_level);
  const ofProvider = levelOf(app.alerting.provider_level);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const since = { app: ago(ofApp.window_minutes), provider: ago(ofProvider.window_minutes) };
  const [counts, states] = await Promise.all([
    selectCounts(deps.db, place, since, now),
    selectStates(deps.db, place),
  ]);
  for (const subject of subjectsOf(counts, ofApp, ofProvider)) {
    const before = states.find(
      (one) => one.level === subject.level && one.provider === subject.key,
    );
    await settleSubject(deps, queue, app, subject, before ?? null, now);
  }
}

function subjectsOf(
  counts: readonly ProviderCounts[],
  ofApp: AlertLevel,
  ofProvider: AlertLevel,
): Subject[] {
  const sum = (of: 'app_requests' | 'app_failures') =>
    counts.reduce((total, one) => total + one[of], 0);
  const app: Subject = {
    level: 'app',
    provider: '',
    key: '',
    rules: ofApp,
    counts: { requests: sum('app_requests'), failures: sum('app_failures') },
  };
  const providers = counts.flatMap(({ provider, requests, failures }): Subject[] =>
    provider === null || provider === ''
      ? []
      : [
          {
            level: 'provider',
            provider,
            key: keyOf(provider),
            rules: ofProvider,
            counts: { requests, failures },
          },
        ],
  );
  return [app, ...providers].filter(({ rules }) => rules.enabled);
}

/** Names that only differ far behind are still two. */
function keyOf(provider: string): string {
  const short = keyText(provider);
  if (short === provider) return provider;
  return `${short.slice(0, -64).toWellFormed()}${createHash('sha256').update(provider).digest('hex')}`;
}

async function settleSubject(
  deps: AppAlertDeps,
  queue: Queue<Job>,
  app: AlertingApp,
  subject: Subject,
  before: StateRow | null,
  now: Date,
): Promise<void> {
  const { level, provider, key, rules, counts } = subject;
  const known = before && { isFailing: before.is_failing, raisedAt: before.raised_at.getTime() };
  const change = changeOf(rules, counts, known, now.getTime());
  if (change === null) return;
  const isFailing = change.to === 'failing';
  const place = { tenantId: app.tenant_id, appId: app.app_id };
  const facts: AppAlertFacts = {
    event: change.to,
    app: { id: app.app_id, name: app.name },
    level,
    provider: level === 'app' ? null : provider,
    ...counts,
    failure_rate: Math.round(failureRate(counts) * 100) / 100,
    threshold: rules.failure_rate_threshold,
    window_minutes: rules.window_minutes,
    at: now.toISOString(),
  };
  const raisedAt = isFailing ? now : (before?.raised_at ?? now);
  await transact(deps.db, async (tx) => {
    const after = { level, provider: key, is_failing: isFailing, raised_at: raisedAt };
    // Another hub process saw the same, and tells.
    if (!(await storeState(tx, place, before, after))) return;
    if (!change.tell) return;
    const deliveries = deliveriesFor(app);
    await insertAppDeliveries(tx, place, facts, deliveries);
    await queue.enqueue(
      tx,
      deliveries.map((one) => itemOf(app.tenant_id, app.app_id, one)),
    );
  });
}

/** One for each address and each webhook: what one of them has does not come again because another has not. */
function deliveriesFor({ alerting: { channels } }: AlertingApp): NewDelivery[] {
  const to = (kind: NewDelivery['kind']) => (target: string) => ({
    delivery_id: randomUUID(),
    kind,
    target,
  });
  return [
    ...(channels?.emails ?? []).map(to('email')),
    ...(channels?.webhooks ?? []).map(({ id }) => id).map(to('webhook')),
  ];
}

async function deliver(
  deps: AppAlertDeps,
  queue: () => Queue<Job>,
  job: Job,
  stopped: AbortSignal,
): Promise<void> {
  const enqueueLeft = (tx: Tx, left: Job, startAfter?: Date) =>
    queue().enqueue(tx, [{ ...leftItem(left), ...(startAfter && { startAfter }) }]);
  if (isHandedOverBy(deps.peers, job)) {
    const later = new Date(Date.now() + HAND_OVER_RETRY_MS);
    return transact(deps.db, (tx) => enqueueLeft(tx, job, later));
  }
  const claim = await claimAppDelivery(deps.db, job.tenant_id, job.delivery_id);
  if (claim === null) return;
  const outcome = await send(deps, claim, stopped);
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
      const item = itemOf(claim.tenant_id, claim.app_id, claim);
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
        ? 'an alert of an app was given up'
        : 'an alert of an app was not delivered yet',
    );
  }
}

const leftItem = (job: Job) => ({
  data: job,
  concurrencyKey: `${job.delivery_id} left`,
  deduplicationKey: `${job.delivery_id} left`,
  owner: job.tenant_id,
});

function send(deps: AppAlertDeps, claim: AppClaim, stopped: AbortSignal): Promise<Outcome> {
  const { facts, target, tenant_id: tenantId, app_id: appId, delivery_id: id } = claim;
  if (claim.kind === 'email') {
    const { mail } = deps;
    return attempt(MAIL_ATTEMPT_MS, stopped, async (signal) =>
      mail === null
        ? failed({ error: 'the server has no mail server configured', forbiddenBy: 'HUB_SMTP_URL' })
        : sendMail(mail, { to: [target], ...mailText(facts), id }, signal),
    );
  }
  return attempt(ATTEMPT_MS, stopped, async (signal) => {
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
