// Starts app alerts: the evaluation of all apps, once over all hub processes, and the queue of deliveries.
import { isDatabaseAway, transact } from '../../../platform/db/database.ts';
import { HANGING_AFTER_MS } from '../../../platform/delivery/attempt.ts';
import type { DeliveryJob } from '../../../platform/delivery/run-delivery.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Queue } from '../../../platform/jobs/queue.ts';
import { deliver, toQueueItem } from './deliver.ts';
import { evaluateApp, resetUnmonitored } from './evaluate.ts';
import { deleteOldAppDeliveries, selectFailing, selectLostDeliveries } from './store.ts';
import type { AppAlertDeps, AppAlerts } from './types.ts';

const SWEEP_MAX = 500;
/** The most attempts that may hang at once; beyond them the oldest is aborted. */
const HANGING_MAX = 128;

/** Opens the queue of deliveries and returns the evaluator. */
export async function startAppAlerts(deps: AppAlertDeps, jobs: Jobs): Promise<AppAlerts> {
  const queue: Queue<DeliveryJob> = await jobs.openQueue<DeliveryJob>({
    name: 'app-alert-deliveries',
    concurrency: 16,
    perConcurrencyKey: 4,
    expireInSeconds: 60,
    hanging: { afterMs: HANGING_AFTER_MS, max: HANGING_MAX },
    run: (job, stopped) => deliver(deps, () => queue, job, stopped),
  });
  return {
    async evaluate(now) {
      // States are read before the apps: a state that another process stores in between has another version.
      const failing = await selectFailing(deps.db);
      const apps = await deps.alertingApps();
      await resetUnmonitored(deps.db, failing, apps);
      for (const app of apps) {
        await evaluateApp(deps, queue, app, now).catch((error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          // An error of an app must not block the evaluation of other apps.
          deps.log.error(
            { err: error, app: app.app_id },
            'could not evaluate the alerts of an app',
          );
        });
      }
    },
    async sweep() {
      await transact(deps.db, async (tx) => {
        const lost = await selectLostDeliveries(tx, SWEEP_MAX);
        await queue.enqueue(
          tx,
          lost.map((delivery) => ({
            ...toQueueItem(delivery.tenant_id, delivery.app_id, delivery),
            deduplicationKey: `${delivery.delivery_id} swept`,
          })),
        );
      });
    },
    deleteOld: () => deleteOldAppDeliveries(deps.db),
  };
}
