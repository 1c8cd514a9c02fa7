// C/alert-routes/{id}/replay: sends failed deliveries of a period again, or all of them. The ids are unchanged, so that a
// receiver can ignore duplicates.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  NotificationReplayAnswer,
  NotificationReplayInput,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectChannel } from './channel-store.ts';
import { requeueDeliveries } from './delivery-store.ts';
import type { NotificationService } from './notification-service.ts';

/** Maximum of deliveries per request, plus those with the creation time of the last. */
const REPLAY_MAX = 1_000;

/** Registers the route that replays deliveries. */
export function registerReplay(app: App, deps: { db: Db; service: NotificationService }): void {
  const { db, service } = deps;
  app.post(
    '/alert-routes/:route_id/replay',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['notification-channels'],
        summary: 'Resend failed or delivered messages of a period; at most 1,000, oldest first',
        params: Type.Object({ tenant_id: Type.String(), route_id: Uuid }),
        body: NotificationReplayInput,
        response: { 202: NotificationReplayAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const channelId = request.params.route_id.toLowerCase();
      const { from, to, delivered = false } = request.body;
      if (Date.parse(from) >= Date.parse(to)) {
        throw new HubError('invalid_request', '/to must be later than /from');
      }
      const answer = await transact(db, async (tx) => {
        if ((await selectChannel(tx, tenantId, channelId)) === null)
          throw new HubError('not_found');
        const due = await requeueDeliveries(
          tx,
          { tenantId, channelId },
          { from, to, delivered, limit: REPLAY_MAX },
        );
        await service.retryNow(tx, { tenantId, channelId, deliveryIds: due.ids });
        await recordByPerson(tx, request, {
          operation: 'alert_route.replay',
          resource: { kind: 'alert_route', id: channelId },
          detail: { from, to, delivered, deliveries: due.ids.length },
        });
        return { replayed: due.ids.length, more_from: due.moreFrom };
      });
      return reply.code(202).send({ ...answer, request_id: request.id });
    },
  );
}
