// POST C/alert-groups/acknowledge: what is open of a group, at once, as far as the person saw it.
import {
  AlertGroupAcknowledged,
  AlertGroupAcknowledgement,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { filterBy, isDay } from './alert-filter.ts';
import { acknowledgeGroup } from './store.ts';

export function registerGroupAcknowledgement(app: App, { db }: { db: Db }): void {
  app.post(
    '/alert-groups/acknowledge',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['alerts'],
        summary: 'Acknowledge the open alerts of a group',
        body: AlertGroupAcknowledgement,
        response: { 200: AlertGroupAcknowledged },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const { group, day, until, ...filter } = request.body;
      if (!isDay(day)) throw new HubError('invalid_request', '/day must be a valid date');
      const acknowledged = await transact(db, async (tx) => {
        const count = await acknowledgeGroup(
          tx,
          tenantId,
          { ...filterBy(request, filter), group: { id: group, day } },
          { by: email, until },
        );
        // Sent again after a lost answer it finds nothing open, and is no second event.
        if (count > 0) {
          await recordByPerson(tx, request, {
            operation: 'alert.acknowledge_group',
            resource: { kind: 'alert_group', id: group },
            detail: { day, until, count, ...filter },
          });
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'alerts' });
        }
        return count;
      });
      return { acknowledged, request_id: request.id };
    },
  );
}
