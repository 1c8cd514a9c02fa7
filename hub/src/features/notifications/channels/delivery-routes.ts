// C/alert-routes/{id}/test and …/deliveries: tests a channel, lists its deliveries with their state, and retries them.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  NotificationDeliveriesAnswer,
  NotificationDeliveriesQuery,
  NotificationDeliveryAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Type } from 'typebox';
import { type AuditEvent, recordAudit } from '../../../platform/audit.ts';
import { auditEventOf, type Person, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type ChannelTools, resolveChatFormat, toDeliveryAnswer } from './channel-rules.ts';
import { selectChannel } from './channel-store.ts';
import { requeueDelivery, selectDeliveries, selectDelivery } from './delivery-store.ts';
import type { NotificationService } from './notification-service.ts';
import { registerReplay } from './replay.ts';
import { describeTest } from './test-messages.ts';

const ChannelParams = Type.Object({ tenant_id: Type.String(), route_id: Uuid });
const DeliveryParams = Type.Object({
  tenant_id: Type.String(),
  route_id: Uuid,
  delivery_id: Uuid,
});
const tags = ['notification-channels'];

export interface DeliveryRouteDeps {
  db: Db;
  cursors: CursorSealer;
  service: NotificationService;
  tools: Pick<ChannelTools, 'secrets'>;
}

/** Returns the text about tests of a channel. Throws 404. */
async function loadTestNote(
  { tools }: DeliveryRouteDeps,
  db: Db,
  tenantId: string,
  channelId: string,
): Promise<string> {
  const channel = await selectChannel(db, tenantId, channelId);
  if (channel === null) throw new HubError('not_found');
  return describeTest(channel.kind, resolveChatFormat(channel, tenantId, tools.secrets));
}

/** Registers the routes of deliveries and tests. */
export function registerDeliveries(app: App, deps: DeliveryRouteDeps): void {
  const { db, service } = deps;
  registerReplay(app, deps);
  registerDeliveryReading(app, deps);

  app.post(
    '/alert-routes/:route_id/test',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Send a test alert',
        params: ChannelParams,
        response: { 202: NotificationDeliveryAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const channelId = request.params.route_id.toLowerCase();
      const delivery = await transact(db, async (tx) => {
        const testNote = await loadTestNote(deps, tx, tenantId, channelId);
        const deliveryId = await service.sendTest(tx, tenantId, channelId);
        await recordAudit(tx, event(person, request.id, 'test', { channelId, deliveryId }));
        const stored = await selectDelivery(tx, { tenantId, channelId, deliveryId });
        return stored && toDeliveryAnswer(stored, testNote);
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
        response: { 202: NotificationDeliveryAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const channelId = request.params.route_id.toLowerCase();
      const deliveryId = request.params.delivery_id.toLowerCase();
      const delivery = await transact(db, async (tx) => {
        const testNote = await loadTestNote(deps, tx, tenantId, channelId);
        const delivery = await selectDelivery(tx, { tenantId, channelId, deliveryId });
        if (delivery === null) throw new HubError('not_found');
        // An alert of a digest has no attempts of its own: its digest is retried.
        const sentId = delivery.digest_id ?? deliveryId;
        const due = await requeueDelivery(tx, { tenantId, deliveryId: sentId });
        if (due === null) throw new HubError('already_delivered');
        await service.retryNow(tx, { tenantId, channelId, deliveryIds: [sentId] });
        const ids = { channelId, deliveryId: sentId };
        await recordAudit(tx, event(person, request.id, 'retry', ids));
        return toDeliveryAnswer(due, testNote);
      });
      return reply.code(202).send({ delivery, request_id: request.id });
    },
  );
}

function registerDeliveryReading(app: App, deps: DeliveryRouteDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/alert-routes/:route_id/deliveries',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'List the deliveries of a notification channel',
        params: ChannelParams,
        querystring: NotificationDeliveriesQuery,
        response: { 200: NotificationDeliveriesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const channelId = request.params.route_id.toLowerCase();
      const { state } = request.query;
      const testNote = await loadTestNote(deps, db, tenantId, channelId);
      return loadPage(request, {
        cursors,
        list: 'alert-deliveries',
        by: [channelId, state ?? null],
        fetch: (_, after, limit) =>
          selectDeliveries(db, { tenantId, channelId }, state, after, limit),
        keyOf: (delivery) => [delivery.sort_key, delivery.delivery_id],
        item: (delivery) => toDeliveryAnswer(delivery, testNote),
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
        response: { 200: NotificationDeliveryAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { route_id: channelId, delivery_id: deliveryId } = request.params;
      const testNote = await loadTestNote(deps, db, tenantId, channelId);
      const delivery = await selectDelivery(db, { tenantId, channelId, deliveryId });
      if (delivery === null) throw new HubError('not_found');
      return { delivery: toDeliveryAnswer(delivery, testNote), request_id: request.id };
    },
  );
}

function event(
  person: Person,
  requestId: string,
  verb: AuditVerb<'alert_route'>,
  key: { channelId: string; deliveryId: string },
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation: `alert_route.${verb}`,
    resource: { kind: 'alert_route', id: key.channelId },
    detail: { delivery_id: key.deliveryId },
  });
}
