// Evaluates the failure rates of apps and of their providers, and notifies the targets of an app.
import { createHash } from 'node:crypto';
import { type Db, isDatabaseAway, transact } from '../../../platform/db/database.ts';
import type { AppTarget } from '../../notifications/channels/index.ts';
import { keyText } from '../events/index.ts';
import { type AlertLevel, failureRate, levelOf, nextChange } from './failure-state.ts';
import {
  type AppAlertFacts,
  type FailingState,
  type ProviderCounts,
  type StateRow,
  selectCounts,
  selectFailing,
  selectStates,
  storeState,
} from './store.ts';
import type { AlertingApp, AppAlertDeps, AppAlerts } from './types.ts';

/** Returns the evaluator of all apps. */
export function createAppAlerts(deps: AppAlertDeps): AppAlerts {
  return {
    async evaluate(now) {
      // States are read before the apps: a state that another process stores in between has another version.
      const failing = await selectFailing(deps.db);
      const apps = await deps.alertingApps();
      await resetUnmonitored(deps.db, failing, apps);
      for (const app of apps) {
        await evaluateApp(deps, app, now).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          // An error of an app must not block the evaluation of other apps.
          const message = 'could not evaluate the alerts of an app';
          deps.log.error({ err: error, app: app.app_id }, message);
        });
      }
    },
  };
}

/**
 * Ends failing states whose alerts were switched off: they may have recovered and failed again unobserved. Switched on
 * again, the app is evaluated anew, at the earliest after its cooldown.
 */
async function resetUnmonitored(
  db: Db,
  failing: readonly FailingState[],
  apps: readonly AlertingApp[],
): Promise<void> {
  const monitored = new Set(
    apps.flatMap(({ app_id: id, alerting: { app_level: ofApp, provider_level: ofProvider } }) => [
      ...(ofApp?.enabled === true ? [`${id} app`] : []),
      ...(ofProvider?.enabled === true ? [`${id} provider`] : []),
    ]),
  );
  for (const state of failing) {
    if (monitored.has(`${state.app_id} ${state.level}`)) continue;
    const ref = { tenantId: state.tenant_id, appId: state.app_id };
    await transact(db, (tx) => storeState(tx, ref, state, { ...state, is_failing: false }));
  }
}

/** The unit of evaluation: an app as a whole, or a single provider. */
interface Subject {
  level: 'app' | 'provider';
  provider: string;
  /** The provider's name in the database: a name may be longer than an index entry. */
  key: string;
  thresholds: AlertLevel;
  counts: { requests: number; failures: number };
}

/** Evaluates an app and its providers at `now`. */
async function evaluateApp(deps: AppAlertDeps, app: AlertingApp, now: Date): Promise<void> {
  const ref = { tenantId: app.tenant_id, appId: app.app_id };
  const ofApp = levelOf(app.alerting.app_level);
  const ofProvider = levelOf(app.alerting.provider_level);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const since = { app: ago(ofApp.window_minutes), provider: ago(ofProvider.window_minutes) };
  const [counts, states] = await Promise.all([
    selectCounts(deps.db, ref, since, now),
    selectStates(deps.db, ref),
  ]);
  for (const subject of subjectsOf(counts, ofApp, ofProvider)) {
    const before = states.find(
      (state) => state.level === subject.level && state.provider === subject.key,
    );
    await evaluateSubject(deps, app, subject, before ?? null, now);
  }
}

function subjectsOf(
  counts: readonly ProviderCounts[],
  ofApp: AlertLevel,
  ofProvider: AlertLevel,
): Subject[] {
  const sum = (of: 'app_requests' | 'app_failures') =>
    counts.reduce((total, counted) => total + counted[of], 0);
  const app: Subject = {
    level: 'app',
    provider: '',
    key: '',
    thresholds: ofApp,
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
            thresholds: ofProvider,
            counts: { requests, failures },
          },
        ],
  );
  return [app, ...providers].filter(({ thresholds }) => thresholds.enabled);
}

/** Returns the name, or a prefix with a hash: long names that differ only in their tail remain distinct. */
function keyOf(provider: string): string {
  const short = keyText(provider);
  if (short === provider) return provider;
  return `${short.slice(0, -64).toWellFormed()}${createHash('sha256').update(provider).digest('hex')}`;
}

async function evaluateSubject(
  deps: AppAlertDeps,
  app: AlertingApp,
  subject: Subject,
  before: StateRow | null,
  now: Date,
): Promise<void> {
  const { level, provider, key, thresholds, counts } = subject;
  const state = before && { isFailing: before.is_failing, raisedAt: before.raised_at.getTime() };
  const change = nextChange(thresholds, counts, state, now.getTime());
  if (change === null) return;
  const isFailing = change.to === 'failing';
  const ref = { tenantId: app.tenant_id, appId: app.app_id };
  const facts: AppAlertFacts = {
    event: change.to,
    app: { id: app.app_id, name: app.name },
    level,
    provider: level === 'app' ? null : provider,
    ...counts,
    failure_rate: Math.round(failureRate(counts) * 100) / 100,
    threshold: thresholds.failure_rate_threshold,
    window_minutes: thresholds.window_minutes,
    at: now.toISOString(),
  };
  const raisedAt = isFailing ? now : (before?.raised_at ?? now);
  await transact(deps.db, async (tx) => {
    const after = { level, provider: key, is_failing: isFailing, raised_at: raisedAt };
    // Another hub process observed the same change and notifies.
    if (!(await storeState(tx, ref, before, after))) return;
    if (!change.notify) return;
    await deps.notifyOfAppAlert(tx, app.tenant_id, facts, targetsOf(app));
  });
}

/** Returns the addresses and webhooks of an app. */
function targetsOf({ app_id, alerting: { channels } }: AlertingApp): AppTarget[] {
  const toTarget = (app_target_kind: AppTarget['app_target_kind']) => (app_target: string) => ({
    app_id,
    app_target_kind,
    app_target,
  });
  return [
    ...(channels?.emails ?? []).map(toTarget('email')),
    ...(channels?.webhooks ?? []).map(({ id }) => id).map(toTarget('webhook')),
  ];
}
