// POST C/alerts/resolve: the result of alerts, with a comment.
import { AlertsResolution, AlertsResolved } from '@gatewarden/shared/wire/console/alerts.ts';
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { resolveAlerts } from './store.ts';

export function registerAlertResolution(app: App, { db }: { db: Db }): void {
  app.post(
    '/alerts/resolve',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['alerts'],
        summary: 'Resolve alerts',
        querystring: NoQuery,
        body: AlertsResolution,
        response: { 200: AlertsResolved },
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const { resolution, comment } = request.body;
      const alerts = request.body.alerts.map(({ alert_id, device_id, ...seen }) => ({
        ...seen,
        alert_id: alert_id.toLowerCase(),
        device_id: device_id.toLowerCase(),
      }));
      const resolved = await transact(db, async (tx) => {
        const change = { by: email, resolution, comment: comment?.trim() || null };
        const changed = await resolveAlerts(tx, tenantId, alerts, change);
        for (const alert of changed) {
          await recordByPerson(tx, request, {
            operation: 'alert.resolve',
            resource: { kind: 'alert', id: alert.alert_id },
            detail: { device_id: alert.device_id, resolution },
          });
        }
        if (changed.length > 0) {
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'alerts' });
        }
        return changed.length;
      });
      return { resolved, request_id: request.id };
    },
  );
}
