// A test alert to every enabled route, sent by the process that asks and not by a hub's queue: for an operator who wants
// to know now whether alerts would arrive.
import { randomUUID } from 'node:crypto';
import type { RouteKind } from '@gatewarden/shared/wire/console/alert-routes.ts';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { toSingleLine } from '../../../platform/delivery/single-line.ts';
import { storeOutcome } from './delivery-outcome.ts';
import { claimDelivery, insertDeliveries, NO_DEVICE } from './delivery-store.ts';
import { alertWords, testAlert } from './messages.ts';
import { type SendDeps, send } from './send-message.ts';
import { type EnabledRoute, selectRoutesOfAll } from './store.ts';

export interface RouteTrial {
  tenant_id: string;
  route_id: string;
  kind: RouteKind;
  name: string;
  ok: boolean;
  /** Without the URL and without what the other side wrote. */
  detail: string;
}

export interface TrialDeps extends SendDeps {
  db: Db;
  /** How people reach the console. */
  origin: string;
  stopped: AbortSignal;
}

const AT_ONCE = 8;
const MESSAGE = "This is a test by the server's operator (doctor --prove). No action is needed.";

/** Sends a test message through each channel and records it in the channel's history. `tenantId` null: all tenants. */
export async function tryRoutes(deps: TrialDeps, tenantId: string | null): Promise<RouteTrial[]> {
  const routes = await selectRoutesOfAll(deps.db, tenantId);
  const trials: RouteTrial[] = [];
  let next = 0;
  const worker = async () => {
    while (!deps.stopped.aborted) {
      const at = next++;
      const route = routes[at];
      if (route === undefined) return;
      const { name, ...facts } = route;
      const outcome = await tryRoute(deps, route);
      trials[at] = { ...facts, name: toSingleLine(name), ...outcome };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  deps.stopped.throwIfAborted();
  return trials;
}

async function tryRoute(
  deps: TrialDeps,
  { tenant_id: tenantId, route_id: routeId }: EnabledRoute,
): Promise<Pick<RouteTrial, 'ok' | 'detail'>> {
  const { db, stopped } = deps;
  const deliveryId = randomUUID();
  await transact(db, async (tx) => {
    await insertDeliveries(tx, { tenantId, deviceId: NO_DEVICE, isTest: true }, [
      {
        ...{ delivery_id: deliveryId, route_id: routeId, alert_id: randomUUID() },
        ...{ severity: null, digest_id: null },
      },
    ]);
    await recordAudit(tx, {
      tenantId,
      actor: { kind: 'operator', id: 'doctor', email: null },
      operation: 'alert_route.test',
      resource: { kind: 'alert_route', id: routeId },
      requestId: null,
      detail: { delivery_id: deliveryId },
    });
  });
  const claim = await claimDelivery(db, tenantId, deliveryId);
  if (claim === null) return { ok: false, detail: 'the route is not there any more' };
  const alert = testAlert({ alertId: claim.alert_id, deviceId: NO_DEVICE, at: claim.created_at });
  const words = alertWords({
    tenantId,
    route: { route_id: routeId, name: claim.name },
    consoleUrl: `${deps.origin}/console/t/${tenantId}/activity/alerts`,
    isTest: true,
    alert: { ...alert, message: MESSAGE },
  });
  const outcome = await send(deps, claim, words, stopped);
  // No second attempt: a test message that arrives hours later is of no use.
  await transact(db, (tx) => storeOutcome(tx, claim, outcome, null));
  return outcome.is === 'delivered'
    ? { ok: true, detail: outcome.note ?? 'taken' }
    : { ok: false, detail: outcome.error };
}
