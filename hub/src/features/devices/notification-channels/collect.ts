// Makes the deliveries of new alerts: each by itself, or into a digest where a route has its fill.
import { randomUUID } from 'node:crypto';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import {
  growDigests,
  insertDigests,
  lockMeters,
  lockOpenDigests,
  type NewDigest,
  writeMeters,
} from './digest-store.ts';
import { type Shares, shareOut } from './digests.ts';
import type { RoutingRoute } from './store.ts';

/** A route with the alerts that it takes. */
export interface Taking {
  route: RoutingRoute;
  alerts: readonly { alert_id: string; severity: Severity }[];
}

/** A message that is to be sent, now or when it is due. */
export interface Waiting {
  route_id: string;
  delivery_id: string;
  due_at?: Date;
}

/** Everything in the caller's transaction. Gives what is to be sent: alerts by themselves, and digests that began. */
export async function makeDeliveries(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  taking: readonly Taking[],
): Promise<Waiting[]> {
  const shares = await shareAmong(tx, key.tenantId, taking);
  const deliveries: NewDelivery[] = [];
  const begun: NewDigest[] = [];
  const grown: { delivery_id: string; alerts: number }[] = [];
  for (const { route, alerts } of taking) {
    const shared = shares.get(route.route_id);
    const rest = [...alerts];
    const take = (count: number, digestId: string | null) => {
      for (const { alert_id, severity } of rest.splice(0, count)) {
        const delivery_id = randomUUID();
        const { route_id } = route;
        deliveries.push({ delivery_id, route_id, alert_id, severity, digest_id: digestId });
      }
    };
    take(shared?.alone ?? rest.length, null);
    for (const { id, isNew, alerts: count } of shared?.digests ?? []) {
      take(count, id);
      const digest = { delivery_id: id, alerts: count };
      if (!isNew || shared === undefined) grown.push(digest);
      else begun.push({ ...digest, route_id: route.route_id, due_at: shared.dueAt });
    }
  }
  await insertDigests(tx, key.tenantId, begun);
  await growDigests(tx, key.tenantId, grown);
  const made = await insertDeliveries(tx, { ...key, isTest: false }, deliveries);
  return [...made.filter((delivery) => delivery.digest_id === null), ...begun];
}

/** Of the routes that gather, behind the lock of their meters. */
async function shareAmong(
  tx: Tx,
  tenantId: string,
  taking: readonly Taking[],
): Promise<Map<string, Shares>> {
  const gathering = taking.flatMap(({ route, alerts }) =>
    route.digest_after === null
      ? []
      : { routeId: route.route_id, kind: route.kind, after: route.digest_after, n: alerts.length },
  );
  if (gathering.length === 0) return new Map();
  const meters = await lockMeters(
    tx,
    tenantId,
    gathering.map((item) => item.routeId),
  );
  const ids = [...meters.values()].flatMap(({ meter }) => meter.digestId ?? []);
  const open = await lockOpenDigests(tx, tenantId, ids);
  const shares = new Map(
    gathering.flatMap(({ routeId, kind, after, n }) => {
      const found = meters.get(routeId);
      if (found === undefined) return [];
      const { meter, now } = found;
      const shared = shareOut(
        meter,
        n,
        { kind, digestAfter: after },
        {
          now,
          open: open.get(meter.digestId ?? '') ?? null,
          newId: randomUUID,
        },
      );
      return [[routeId, shared] as const];
    }),
  );
  await writeMeters(
    tx,
    tenantId,
    [...shares].map(([routeId, { meter }]) => ({ routeId, meter })),
  );
  return shares;
}
