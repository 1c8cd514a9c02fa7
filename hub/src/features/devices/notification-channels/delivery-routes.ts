// C/alert-routes/{id}/test and …/deliveries: try a route, see what became of each delivery, try one again now.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AlertDeliveriesAnswer,
  AlertDeliveriesQuery,
  AlertDeliveryAnswer,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { Type } from 'typebox';
import { type AuditEvent, recordAudit } from '../../../platform/audit.ts';
import { auditEventOf, type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { deliveryRow, formatOf, type RouteTools } from './channel-rules.ts';
import { makeDue, selectDeliveries, selectDelivery } from './delivery-store.ts';
import type { AlertRouting } from './dispatch.ts';
import { registerReplay } from './replay.ts';
import { selectRoute } from './store.ts';
import { testNoteOf } from './test-messages.ts';

const RouteParams = Type.Object({ tenant_id: Type.String(), route_id: Uuid });
const DeliveryParams = Type.Object({
  tenant_id: Type.String(),
  route_id: Uuid,
  delivery_id: Uuid,
});
const tags = ['notification-channels'];

export function registerDeliveries(
  app: App,
  deps: {
    db: Db;
    cursors: CursorSealer;
    routing: AlertRouting;
    tools: Pick<RouteTools, 'secrets'>;
  },
): void {
  const { db, routing } = deps;
  /** Throws 404. */
  const noteOf = async (on: Db, tenantId: string, routeId: string) => {
    const route = await selectRoute(on, tenantId, routeId);
    if (route === null) throw new HubError('not_found');
    return testNoteOf(route.kind, formatOf(route, tenantId, deps.tools.secrets));
  };
  registerReplay(app, deps);
  registerDeliveryReading(app, deps);

  app.post(
    '/alert-routes/:route_id/test',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Send a test alert',
        params: RouteParams,
        response: { 202: AlertDeliveryAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const routeId = request.params.route_id.toLowerCase();
      const delivery = await transact(db, async (tx) => {
        const testNote = await noteOf(tx, tenantId, routeId);
        const deliveryId = await routing.sendTest(tx, tenantId, routeId);
        await recordAudit(tx, event(person, request.id, 'test', { routeId, deliveryId }));
        const stored = await selectDelivery(tx, { tenantId, routeId, deliveryId });
        return stored && deliveryRow(stored, testNote);
      });
      if (delivery === null) throw new HubError('not_found');
      return reply.code(202).send({ delivery, request_id: request.id });
    },
  );

  app.post(
    '/alert-routes/:route_id/deliveries/:delivery_id/retry',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Retry a delivery',
        params: DeliveryParams,
        response: { 202: AlertDeliveryAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const routeId = request.params.route_id.toLowerCase();
      const deliveryId = request.params.delivery_id.toLowerCase();
      const delivery = await transact(db, async (tx) => {
        const testNote = await noteOf(tx, tenantId, routeId);
        const found = await selectDelivery(tx, { tenantId, routeId, deliveryId });
        if (found === null) throw new HubError('not_found');
        // The alerts of a digest are sent with it, and sent again with it.
        const sentId = found.digest_id ?? deliveryId;
        const due = await makeDue(tx, { tenantId, deliveryId: sentId });
        if (due === null) throw new HubError('already_delivered');
        await routing.wake(tx, { tenantId, routeId, deliveryIds: [sentId] });
        const acted = { routeId, deliveryId: sentId };
        await recordAudit(tx, event(person, request.id, 'retry', acted));
        return deliveryRow(due, testNote);
      });
      return reply.code(202).send({ delivery, request_id: request.id });
    },
  );
}

function registerDeliveryReading(
  app: App,
  deps: {
    db: Db;
    cursors: CursorSealer;
    routing: AlertRouting;
    tools: Pick<RouteTools, 'secrets'>;
  },
): void {
  const { db, cursors } = deps;
  const noteOf = async (on: Db, tenantId: string, routeId: string) => {
    const route = await selectRoute(on, tenantId, routeId);
    if (route === null) throw new HubError('not_found');
    return testNoteOf(route.kind, formatOf(route, tenantId, deps.tools.secrets));
  };
  app.get(
    '/alert-routes/:route_id/deliveries',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'List the deliveries of a notification channel',
        params: RouteParams,
        querystring: AlertDeliveriesQuery,
        response: { 200: AlertDeliveriesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const routeId = request.params.route_id.toLowerCase();
      const { state } = request.query;
      const testNote = await noteOf(db, tenantId, routeId);
      return loadPage(request, {
        cursors,
        list: 'alert-deliveries',
        by: [routeId, state ?? null],
        fetch: (_, after, limit) =>
          selectDeliveries(db, { tenantId, routeId }, state, after, limit),
        keyOf: (delivery) => [delivery.sort_key, delivery.delivery_id],
        item: (delivery) => deliveryRow(delivery, testNote),
      });
    },
  );

  app.get(
    '/alert-routes/:route_id/deliveries/:delivery_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'Get a delivery with its attempts',
        params: DeliveryParams,
        response: { 200: AlertDeliveryAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { route_id: routeId, delivery_id: deliveryId } = request.params;
      const testNote = await noteOf(db, tenantId, routeId);
      const found = await selectDelivery(db, { tenantId, routeId, deliveryId });
      if (found === null) throw new HubError('not_found');
      return { delivery: deliveryRow(found, testNote), request_id: request.id };
    },
  );
}

function event(
  person: Person,
  requestId: string,
  verb: AuditVerb<'alert_route'>,
  key: { routeId: string; deliveryId: string },
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation: `alert_route.${verb}`,
    resource: { kind: 'alert_route', id: key.routeId },
    detail: { delivery_id: key.deliveryId },
  });
}
